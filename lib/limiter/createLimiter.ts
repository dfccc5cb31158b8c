import { RateLimiterMemory, RateLimiterRedis } from 'rate-limiter-flexible';
import { withTimeout } from '../async/withTimeout';
import type { OwnTable } from '../database/migrations/Migrations';
import type { PanelLog } from '../log/PanelLog';
import { DatabaseLimiter } from './DatabaseLimiter';
import type { Counted, Hit, Limiter } from './Limiter';
import { LossWatch } from './LossWatch';
import { RedisFailure } from './RedisFailure';
import { StoreLimiter } from './StoreLimiter';

/** A client of ioredis or node-redis that the panel has connected. The module never closes it. */
export type Redis = { readonly [name in 'get' | 'eval' | 'multi']: (...args: never[]) => unknown };

/** The mount options that choose where requests are counted. */
export interface LimiterOptions {
  /**
   * Where requests are counted: `'database'`, exact across all processes that share the database; `'memory'`, in each
   * process by itself; or a connected client of ioredis or node-redis. Default `'database'`.
   */
  readonly store: 'database' | 'memory' | Redis;
  /** Where requests are counted while Redis fails. With `'none'` they are answered with 503. Default `'none'`. */
  readonly fallback: 'none' | 'memory' | 'database';
}

interface LimiterParts extends OwnTable {
  readonly options: LimiterOptions;
  readonly prefix: string;
  readonly log: PanelLog;
}

/** How long Redis may take to count a request, in milliseconds. */
const REDIS_TIMEOUT_MS = 250;

/** The store only counts: the limiter itself compares with the limit, and sets the duration of each count. */
const COUNTING = { points: Number.MAX_SAFE_INTEGER, duration: 1 };

/** Creates the limiter for the store that the panel chose. */
export function createLimiter({ options, prefix, log, ...own }: LimiterParts): Limiter {
  const { store, fallback } = options;
  const create = {
    database: () => new DatabaseLimiter(own),
    memory: () => new StoreLimiter(new RateLimiterMemory(COUNTING)),
  };
  if (typeof store === 'string') return create[store]();
  const redis = new RateLimiterRedis({
    storeClient: store,
    ...COUNTING,
    keyPrefix: prefix,
    useRedisPackage: 'isReady' in store,
    rejectIfRedisNotReady: true,
  });
  const watched = new LossWatch(new StoreLimiter(redis), () => log.warn('panel-api counts lost', {}));
  return new FallbackLimiter(watched, fallback === 'none' ? null : create[fallback]());
}

/** Uses the panel's fallback, if any, when Redis fails or is too slow. */
class FallbackLimiter implements Limiter {
  readonly #redis: Limiter;
  readonly #fallback: Limiter | null;

  constructor(redis: Limiter, fallback: Limiter | null) {
    this.#redis = redis;
    this.#fallback = fallback;
  }

  async count(token: Counted, windowSeconds: number): Promise<Hit> {
    try {
      return await inTime(this.#redis.count(token, windowSeconds));
    } catch (error) {
      if (this.#fallback) return this.#fallback.count(token, windowSeconds);
      throw RedisFailure.of(error);
    }
  }

  async probe(): Promise<void> {
    await inTime(this.#redis.probe());
  }
}

function inTime<T>(answer: Promise<T>): Promise<T> {
  return withTimeout(answer, REDIS_TIMEOUT_MS, () => new RedisFailure('RedisTimeout'));
}
