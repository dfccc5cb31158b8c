import type { Knex } from 'knex';
import type { CheckStatus } from '../checks/Check';
import type { Redis } from '../limiter/StoreLimiter';
import type { SourceOptions } from '../sources/SourceOptions';

/** winston, or anything with these three. */
export interface Logger {
  info(message: string, fields: object): unknown;
  warn(message: string, fields: object): unknown;
  error(message: string, fields: object): unknown;
}

export interface RateLimitSettings {
  /** Requests that a token may make in one window. Without it the setting counts, 120 at first. */
  readonly requests: number;
  /** Length of the window in seconds, at most a day. Without it the setting counts, 60 at first. */
  readonly windowSeconds: number;
  /**
   * Where requests are counted: in the panel's `'database'`, exactly for all processes that share it; in the
   * `'memory'` of this one process; or in Redis, by a client of ioredis or node-redis. Default `'database'`.
   */
  readonly store: 'database' | 'memory' | Redis;
  /** Where requests are counted while Redis fails; `'none'` answers 503 then. Default `'none'`. */
  readonly fallback: 'none' | 'memory' | 'database';
}

export interface UsageSettings {
  /** For how many days the counts of a day are kept after it, 1 to 3650. Default 90. */
  readonly keepDays: number;
}

/** A check that the panel adds to `release-audit.php`. */
export interface ReleaseCheck {
  readonly id: string;
  readonly title: string;
  /** What the check found; a rejection counts as a failure without detail. */
  readonly run: () => CheckResult | Promise<CheckResult>;
}

export interface CheckResult {
  readonly status: CheckStatus;
  readonly detail?: string;
}

/** What a panel says at the mount; all but `db` and `logger` may be left out. */
export interface MountOptions<Sources = Readonly<Record<string, SourceOptions | undefined>>> {
  /** The panel's knex handle for MariaDB, MySQL, PostgreSQL or SQLite. The module never closes it. */
  readonly db: Knex;
  /** Gets one line per request and a few about the module itself. */
  readonly logger: Logger;
  /**
   * Whether the API is on: a value, or a function that reads the panel's own setting, asked in every request.
   * Without it the switch of the module's settings counts, which starts off.
   */
  readonly enabled?: boolean | (() => boolean | Promise<boolean>);
  /** Where each list comes from, where that is not the table named as the resource. */
  readonly sources?: Sources;
  readonly rateLimit?: Partial<RateLimitSettings>;
  /**
   * Whether requests without HTTPS are refused with 403 `https_required`, unless they come from the server itself
   * (127.0.0.0/8, ::1). Without it the setting counts, on at first.
   */
  readonly httpsRequired?: boolean;
  /** How long it is known how often a token was used. */
  readonly usage?: Partial<UsageSettings>;
  /** First part of every new token: 2 to 16 lower-case letters and digits. Default `pnl`. */
  readonly tokenPrefix?: string;
  /** First part of the names of the module's tables. Default `panel_api_`. */
  readonly tablePrefix?: string;
  /** Whether the module brings its tables by itself at first use. Default true. */
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

/** What the settings do not know, with defaults; what they do know only where the panel gave it. */
export type CheckedRateLimit = Pick<RateLimitSettings, 'store' | 'fallback'> &
  Partial<Pick<RateLimitSettings, 'requests' | 'windowSeconds'>>;

/** The options with every default filled in. */
export interface CheckedOptions extends MountOptions {
  readonly sources: Readonly<Record<string, SourceOptions>>;
  readonly rateLimit: CheckedRateLimit;
  readonly usage: UsageSettings;
  readonly tokenPrefix: string;
  readonly tablePrefix: string;
  readonly migrate: boolean;
  readonly deadlineMs: number;
  readonly panel: { readonly name: string; readonly version: string };
  readonly releaseChecks: readonly ReleaseCheck[];
}
