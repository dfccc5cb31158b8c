import type { Dialect } from '../database/Dialect';
import type { Session } from '../database/Session';

/**
 * One step of the module's own tables. MySQL commits each DDL statement by itself, so `up` must be able to run again
 * over its own half-finished work, and `down` must not mind what is already gone.
 */
export interface Migration {
  readonly name: string;
  up(session: Session, tables: TableNames, dialect: Dialect): Promise<void>;
  down(session: Session, tables: TableNames): Promise<void>;
}

export interface TableNames {
  readonly migrations: string;
  readonly settings: string;
  readonly tokens: string;
  readonly auditLog: string;
  readonly rateLimits: string;
  readonly usage: string;
}

/** The names of the module's tables under the panel's prefix. */
export function tableNames(prefix: string): TableNames {
  return {
    migrations: `${prefix}migrations`,
    settings: `${prefix}settings`,
    tokens: `${prefix}tokens`,
    auditLog: `${prefix}audit_log`,
    rateLimits: `${prefix}rate_limits`,
    usage: `${prefix}usage`,
  };
}
