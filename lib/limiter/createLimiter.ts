import { RateLimiterMemory, RateLimiterRedis } from 'rate-limiter-flexible';
import type { Database } from '../database/Database';
import type { Migrations } from '../database/migrations/Migrations';
import type { CheckedRateLimit } from '../options/MountOptions';
import { DatabaseLimiter } from './DatabaseLimiter';
import type { Limiter } from './Limiter';
import { COUNTING, FallbackLimiter, StoreLimiter } from './StoreLimiter';

/** How long a Redis server may take to count a request, in milliseconds. */
const REDIS_PATIENCE_MS = 250;

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
