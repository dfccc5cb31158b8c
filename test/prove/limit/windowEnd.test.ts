import { startHost } from '../../fixture/processes/hostProcess';
import { figure } from '../figure';
import { scaled } from '../scale';
import { countingIn, STORES } from './countingIn';

const ME = '/api/v1/me.php';
const LIMIT = 40;
const WINDOW_SECONDS = 3;
const WINDOWS = scaled({ fast: 1, full: 8, long: 40 });
const CLIENTS = 8;
/**
 * An answer says in whole seconds when its window ends, so within one window these times differ by a second and the
 * time of the answer, and those of the next one are a whole window later.
 */
const SAME_WINDOW_MS = (1000 * (WINDOW_SECONDS + 1)) / 2;

test.each(STORES)(
  'Two processes that are asked all the time serve the limit once in each window (%s)',
  async (store) => {
    const { database, tablePrefix, redis } = await countingIn(store);
    const options = { tablePrefix, rateLimit: { requests: LIMIT, windowSeconds: WINDOW_SECONDS } };
    const hosts = await Promise.all(
      [61, -61].map((clockSkewSeconds) => startHost(database, { options, clockSkewSeconds, redis })),
    );
    const { token } = await hosts[0]!.create();
    const outcomes: number[] = [];
    /** When the window ends in which each request was served, in the order of the answers. */
    const endsMs: number[] = [];
    // The first and the last window are not seen as a whole.
    const endMs = performance.now() + (WINDOWS + 2) * WINDOW_SECONDS * 1000;
    const client = async (index: number) => {
      while (performance.now() < endMs) {
        const { status, headers } = await hosts[index % hosts.length]!.get(ME, token);
        outcomes.push(status);
        const secondsLeft = Number(/;t=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1]);
        if (status !== 200) continue;
        expect(secondsLeft).toBeGreaterThan(0);
        endsMs.push(performance.now() + 1000 * secondsLeft);
      }
    };
    await Promise.all(Array.from({ length: CLIENTS }, (_, index) => client(index)));
    const seen = windows(endsMs).slice(1, -1);
    // Redis has 250 ms per request. On a busy machine a few get 503, and may have been counted.
    const mostUnavailable = store === 'redis' ? 5 : 0;
    const unavailable = outcomes.filter((status) => status === 503).length;
    const notServed = seen.reduce((sum, served) => sum + LIMIT - served, 0);
    figure(
      `${store}: windows of ${LIMIT}, whose end was asked for all the time, and answers 503`,
      `${seen.length}, ${unavailable}`,
    );
    expect(outcomes.filter((status) => ![200, 429, 503].includes(status))).toEqual([]);
    expect(seen.length).toBeGreaterThanOrEqual(WINDOWS);
    expect(Math.max(...seen)).toBe(LIMIT);
    expect(notServed).toBeLessThanOrEqual(unavailable);
    expect(unavailable).toBeLessThanOrEqual(mostUnavailable);
  },
);

/** How many requests were served in each window. */
function windows(endsMs: readonly number[]): readonly number[] {
  const counts: number[] = [];
  let firstMs = -Infinity;
  for (const ms of endsMs) {
    if (ms - firstMs > SAME_WINDOW_MS) {
      counts.push(0);
      firstMs = ms;
    }
    counts[counts.length - 1]! += 1;
  }
  return counts;
}
