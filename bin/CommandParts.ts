import type { Knex } from 'knex';
import type { Migrations } from '../lib/database/migrations/Migrations';
import type { ListCheck } from '../lib/health/ListCheck';
import type { Restores } from '../lib/history/Restores';
import type { ListViewer } from '../lib/lists/ListViewer';
import type { TokenRecord } from '../lib/tokens/TokenRecord';
import type { PanelApi } from '../middleware/PanelApi';

/** What the commands use of a panel's API. */
export interface CommandParts extends Pick<PanelApi, 'tokens' | 'audit' | 'settings' | 'usage'> {
  /** The options of the mount, with their defaults. */
  readonly options: {
    readonly db: Knex;
    readonly readDb?: Knex;
    /** Set if the panel decides whether the API is on. */
    readonly enabled?: unknown;
    readonly journal?: string;
    readonly migrate: boolean;
    readonly tablePrefix: string;
  };
  /** The module's tables. */
  readonly migrations: Migrations;
  readonly restores: Restores;
  readonly listChecks: ReadonlyMap<string, ListCheck>;
  readonly listViewer: ListViewer;
  databaseFacts(): Promise<{ readonly kind: string; readonly version: string }>;
  /** Checks whether the lists are read from the schema of the module's tables. */
  checkReadDatabase(): Promise<{ readonly detail?: string }>;
  /** Returns the accounts of a token that are not served now. */
  refusedAccounts(token: TokenRecord): Promise<readonly { readonly id: string; readonly refusal: string }[]>;
  openapiDocument(server?: string): Promise<object>;
}
