import type { Knex } from 'knex';
import type { ReleaseCheck } from '../health/runCheck';
import type { JournalOptions } from '../history/Journal';
import type { LimiterOptions } from '../limiter/createLimiter';
import type { Logger } from '../log/PanelLog';
import type { FixingOptions, WindowOptions } from '../settings/Setting';
import type { SourceOptions } from '../sources/SourceOptions';
import type { EventOptions } from '../tokens/TokenEvents';
import type { UsageSettings } from '../usage/Usage';

/** Where and how the requests of each token are counted. */
export interface RateLimitSettings extends WindowOptions, LimiterOptions {}

/** The options of `createPanelApi`. Only `db` and `logger` are required. */
export interface MountOptions<Sources = Readonly<Record<string, SourceOptions | undefined>>>
  extends Pick<FixingOptions, 'enabled' | 'httpsRequired'>,
    JournalOptions,
    EventOptions {
  /** As in FixingOptions. */
  readonly installation?: string | (() => string);
  /** The panel's knex handle, with the client `mysql2`, `pg` or `better-sqlite3`. The module never closes it. */
  readonly db: Knex;
  /**
   * A second knex handle, for the panel's lists, such as one of a replica. It must be of the same kind of database as
   * `db`, and have the same tables. Tokens, settings, counts, the audit trail and usage stay on `db`. Default: `db`.
   */
  readonly readDb?: Knex;
  /**
   * winston, log4js, pino, bunyan, or any logger with `info`, `warn` and `error`. It receives one line per request and a
   * few about the module itself.
   */
  readonly logger: Logger;
  /**
   * Where each list is read from, by its name; `false` if the panel has no such data. Default: the table named as the
   * list, each field from the column of the same name; services from systemd.
   */
  readonly sources?: Sources;
  /** The limit of requests per token, and where they are counted. */
  readonly rateLimit?: Partial<RateLimitSettings>;
  /** How long the usage counts are kept. */
  readonly usage?: Partial<UsageSettings>;
  /** The first part of every new token: a lower-case letter, then 1 to 15 lower-case letters or digits. Default `pnl`. */
  readonly tokenPrefix?: string;
  /**
   * The first part of the names of the module's tables: a lower-case letter, then up to 31 lower-case letters, digits
   * or `_`. Default `panel_api_`.
   */
  readonly tablePrefix?: string;
  /** Whether the module creates and upgrades its tables on its first use. Default true. */
  readonly migrate?: boolean;
  /**
   * Time limit of a request, in milliseconds; then it is answered with 503. If a list is sent in pieces, it is the
   * limit of each wait for the database, and the client may take six times as long; then the connection is closed.
   * 100 to 600,000. Default 5000.
   */
  readonly deadlineMs?: number;
  /** The panel's name and version, as `me.php` and `release-audit.php` show them. */
  readonly panel?: {
    /** Name of the panel. */
    readonly name?: string;
    /** Version of the panel. */
    readonly version?: string;
  };
  /**
   * The base URL at which clients reach the API, without `/api/v1`: the API section shows it, and `release-audit.php` asks
   * itself there whether a framework or a proxy changes the headers of its answers, by a request without a token, which is refused with
   * 401 and has its own line in the log. Default: not known.
   */
  readonly apiUrl?: string;
  /** The panel's own checks, which `release-audit.php` runs. Default none. */
  readonly releaseChecks?: readonly ReleaseCheck[];
}

/** The options with all defaults filled in. */
export interface CheckedOptions extends MountOptions {
  readonly sources: Readonly<Record<string, SourceOptions>>;
  /** An omitted limit has no default here: the setting applies. */
  readonly rateLimit: LimiterOptions & Partial<WindowOptions>;
  readonly usage: UsageSettings;
  readonly tokenPrefix: string;
  readonly tablePrefix: string;
  readonly migrate: boolean;
  readonly deadlineMs: number;
  readonly panel: Required<NonNullable<MountOptions['panel']>>;
  readonly releaseChecks: readonly ReleaseCheck[];
  readonly installation?: string;
}
