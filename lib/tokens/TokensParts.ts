import type { AuditLog } from '../audit/AuditLog';
import type { Database } from '../database/Database';
import type { Migrations } from '../migrations/Migrations';

/** What the module's tokens are made of. */
export interface TokensParts {
  readonly database: Database;
  readonly migrations: Migrations;
  readonly audit: AuditLog;
  readonly table: string;
  readonly prefix: string;
  /** Every scope that a token may carry, `*` among them. */
  readonly scopes: readonly string[];
}
