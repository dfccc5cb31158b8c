import { RateLimiterMemory, RateLimiterRedis } from 'rate-limiter-flexible';
import type { Database } from '../database/Database';
import type { Migrations } from '../database/migrations/Migrations';
import { DatabaseLimiter } from './DatabaseLimiter';
import type { Limiter } from './Limiter';
import { COUNTING, FallbackLimiter, type Redis, StoreLimiter } from './StoreLimiter';

/** How long a Redis server may take to count a request, in milliseconds. */
const REDIS_PATIENCE_MS = 250;

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

/** What the settings do not know, with defaults; what they do know only where the panel gave it. */
export type CheckedRateLimit = Pick<RateLimitSettings, 'store' | 'fallback'> &
  Partial<Pick<RateLimitSettings, 'requests' | 'windowSeconds'>>;

interface LimiterParts {
  readonly options: CheckedRateLimit;
  readonly database: Database;
  readonly migrations: Migrations;
  readonly table: string;
  readonly prefix: string;
}

/** The limiter of the store that the panel chose. */
export function createLimiter(parts: LimiterParts): Limiter {
  const { options, database, migrations, table, prefix } = parts;
  const { store, fallback } = options;
  const make = {
    database: () => new DatabaseLimiter(database, migrations, table),
    memory: () => new StoreLimiter(new RateLimiterMemory(COUNTING)),
  };
  if (typeof store === 'string') return make[store]();
  const redis = new RateLimiterRedis({
    storeClient: store,
    ...COUNTING,
    keyPrefix: prefix,
    useRedisPackage: 'isReady' in store,
    rejectIfRedisNotReady: true,
  });
  return new FallbackLimiter(
    new StoreLimiter(redis),
    REDIS_PATIENCE_MS,
    fallback === 'none' ? null : make[fallback](),
  );
}
