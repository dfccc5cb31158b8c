import { type RateLimiterAbstract, RateLimiterMemory, RateLimiterRedis } from 'rate-limiter-flexible';
import { withTimeout } from '../async/withTimeout';
import { ErrorWithFacts } from '../log/PanelLog';
import type { Limiter } from './Limiter';
import { watchLosses } from './watchLosses';

/** How long Redis may take to count a request, in milliseconds. */
const REDIS_TIMEOUT_MS = 250;

/** The store only counts: the limiter itself compares with the limit, and sets the duration of each count. */
const COUNTING = { points: Number.MAX_SAFE_INTEGER, duration: 1 };

/** Counts in this process alone. */
export const memoryLimiter = (): Limiter => storeLimiter(new RateLimiterMemory(COUNTING));

/** Counts in Redis, and in the panel's fallback, if any, while Redis fails or is too slow. */
export function redisLimiter(
  storeClient: object,
  keyPrefix: string,
  fallback: Limiter | null,
  onLoss: () => void,
): Limiter {
  const store = new RateLimiterRedis({
    storeClient,
    ...COUNTING,
    keyPrefix,
    useRedisPackage: 'isReady' in storeClient,
    rejectIfRedisNotReady: true,
  });
  const redis = watchLosses(storeLimiter(store), onLoss);
  return {
    count: (token, windowSeconds) =>
      inTime(redis.count(token, windowSeconds)).catch((error) => {
        if (fallback) return fallback.count(token, windowSeconds);
        throw RedisFailure.of(error);
      }),
    probe: () => inTime(redis.probe()),
  };
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
