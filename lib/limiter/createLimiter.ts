import { type RateLimiterAbstract, RateLimiterMemory, RateLimiterRedis } from 'rate-limiter-flexible';
import { withTimeout } from '../async/withTimeout';
import type { OwnTables } from '../database/migrations/Migrations';
import { ErrorWithFacts, type PanelLog } from '../log/PanelLog';
import { databaseLimiter } from './databaseLimiter';
import type { Limiter } from './Limiter';
import { watchLosses } from './watchLosses';

/** A client of ioredis or node-redis that the panel has connected. The module never closes it. */
export type Redis = { readonly [name in 'get' | 'eval' | 'multi']: (...args: never[]) => unknown };

/** The mount options that choose where requests are counted. */
export interface LimiterOptions {
  /**
   * Where requests are counted: `'database'`, exact across all processes that share the database; `'memory'`, in each
   * process by itself; or a connected client of ioredis or node-redis. Default `'database'`.
   */
  readonly store: 'database' | 'memory' | Redis;
  /**
   * Where requests are counted while Redis fails. With `'none'` they are answered with 503. Refused with any other store.
   * Default `'none'`.
   */
  readonly fallback: 'none' | 'memory' | 'database';
}

interface LimiterParts extends OwnTables {
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
    database: () => databaseLimiter(own),
    memory: () => storeLimiter(new RateLimiterMemory(COUNTING)),
  };
  if (typeof store === 'string') return create[store]();
  const redis = new RateLimiterRedis({
    storeClient: store,
    ...COUNTING,
    keyPrefix: prefix,
    useRedisPackage: 'isReady' in store,
    rejectIfRedisNotReady: true,
  });
  const watched = watchLosses(storeLimiter(redis), () => log.warn('panel-api counts lost', {}));
  return withFallback(watched, fallback === 'none' ? null : create[fallback]());
}

/**
 * Counts in a store of rate-limiter-flexible, whose windows begin with a token's first request. Counts are kept per
 * length of the window, so that a changed length begins a new window.
 */
export function storeLimiter(store: RateLimiterAbstract): Limiter {
  return {
    async count({ id, readAt }, windowSeconds) {
      const { consumedPoints, msBeforeNext } = await store.consume(`${id}:${windowSeconds}`, 1, {
        customDuration: windowSeconds,
      });
      // With a count that is no number, a request would be within every limit.
      if (![consumedPoints, msBeforeNext].every(Number.isFinite))
        throw new TypeError('The store did not count.');
      const secondsLeft = Math.max(1, Math.ceil(msBeforeNext / 1000));
      return { hits: consumedPoints, secondsLeft, resetsAt: readAt + secondsLeft };
    },
    async probe() {
      await store.get('probe');
    },
  };
}

/** Uses the panel's fallback, if any, when Redis fails or is too slow. */
function withFallback(redis: Limiter, fallback: Limiter | null): Limiter {
  return {
    count: (token, windowSeconds) =>
      inTime(redis.count(token, windowSeconds)).catch((error) => {
        if (fallback) return fallback.count(token, windowSeconds);
        throw RedisFailure.of(error);
      }),
    probe: () => inTime(redis.probe()),
  };
}

function inTime<T>(answer: Promise<T>): Promise<T> {
  return withTimeout(answer, REDIS_TIMEOUT_MS, () => new RedisFailure('RedisTimeout'));
}

/** Redis refused a command, or did not answer in time. Its name is the code in Redis's answer, or `RedisTimeout`. */
export class RedisFailure extends ErrorWithFacts {
  readonly facts = {};

  constructor(name: string) {
    super('Redis did not count a request.');
    this.name = name;
  }

  /** Names the error by the code in Redis's answer, such as READONLY. Returns any other error as it is. */
  static of(error: unknown): unknown {
    const code = error instanceof Error ? /^[A-Z]{2,32}(?= )/.exec(error.message)?.[0] : undefined;
    return code ? new RedisFailure(code) : error;
  }
}
