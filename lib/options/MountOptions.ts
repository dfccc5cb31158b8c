import type { Knex } from 'knex';
import type { ReleaseCheck } from '../health/Check';
import type { LimiterOptions } from '../limiter/createLimiter';
import type { Logger } from '../log/PanelLog';
import type { FixingOptions, WindowOptions } from '../settings/Setting';
import type { SourceOptions } from '../sources/SourceOptions';
import type { UsageSettings } from '../usage/Usage';

export interface RateLimitSettings extends WindowOptions, LimiterOptions {}

/** The options of the mount. All but `db` and `logger` may be left out. */
export interface MountOptions<Sources = Readonly<Record<string, SourceOptions | undefined>>>
  extends Pick<FixingOptions, 'enabled' | 'httpsRequired'> {
  /** The panel's knex handle for MariaDB, MySQL, PostgreSQL or SQLite. The module never closes it. */
  readonly db: Knex;
  /** Receives one line per request and a few about the module itself. */
  readonly logger: Logger;
  /** The sources of the lists that are not read from the table named as the resource. */
  readonly sources?: Sources;
  readonly rateLimit?: Partial<RateLimitSettings>;
  /** How long the counts of use are kept. */
  readonly usage?: Partial<UsageSettings>;
  /** First part of every new token: 2 to 16 lower-case letters and digits. Default `pnl`. */
  readonly tokenPrefix?: string;
  /** First part of the names of the module's tables. Default `panel_api_`. */
  readonly tablePrefix?: string;
  /** Whether the module creates and upgrades its tables by itself at first use. Default true. */
  readonly migrate?: boolean;
  /**
   * How long a request may take before it is answered with 503, in milliseconds; and how long a list that is sent in
   * pieces waits for the database before it breaks the connection, a sixth of how long it waits for the client.
   * Default 5000.
   */
  readonly deadlineMs?: number;
  /** The panel's name and version, shown in `me.php` and `release-audit.php`. */
  readonly panel?: { readonly name?: string; readonly version?: string };
  /** Checks of the panel's own in `release-audit.php`. */
  readonly releaseChecks?: readonly ReleaseCheck[];
}

/** The options with every default filled in. */
export interface CheckedOptions extends MountOptions {
  readonly sources: Readonly<Record<string, SourceOptions>>;
  /** Without a default the setting holds. */
  readonly rateLimit: LimiterOptions & Partial<WindowOptions>;
  readonly usage: UsageSettings;
  readonly tokenPrefix: string;
  readonly tablePrefix: string;
  readonly migrate: boolean;
  readonly deadlineMs: number;
  readonly panel: { readonly name: string; readonly version: string };
  readonly releaseChecks: readonly ReleaseCheck[];
}
