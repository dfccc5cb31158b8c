import { awayFromHourEnd, HOUR } from '../../fixture/awayFromHourEnd';
import { type HostProcess, startHost } from '../../fixture/processes/hostProcess';
import { figure } from '../figure';
import { isWhole, scaled } from '../scale';
import { countingIn, STORES } from './countingIn';

const ME = '/api/v1/me.php';
const LIMIT = 120;
const BURST = scaled({ fast: 200, full: 2000, long: 2000 });
const BURSTS = scaled({ fast: 1, full: 4 });
/** Redis has 250 ms to count a request. On a busy machine it may be late, and the request is answered with 503. */
const MOST_BURSTS_IN_REDIS = 4 * BURSTS;
const PROCESSES = isWhole ? [1, 2, 4, 8] : [2];
/** Of each process in turn. By their own clocks, each would begin a window of its own again and again. */
const SKEWS = [0, HOUR + 61, -HOUR, 0, 61, 0, -61, 0];

// In `npm test`, the tests in test/lib/limiter do the same with two processes on every database.
describe.each(STORES)('A limit that is counted in %s', (store) => {
  let hosts: readonly HostProcess[];

  beforeAll(async () => {
    const { database, tablePrefix, redis } = await countingIn(store);
    const options = {
      tablePrefix,
      deadlineMs: 30_000,
      rateLimit: { requests: LIMIT, windowSeconds: HOUR },
    };
    const most = Math.max(...PROCESSES);
    hosts = await Promise.all(
      SKEWS.slice(0, most).map((clockSkewSeconds) =>
        startHost(database, { options, clockSkewSeconds, redis }),
      ),
    );
  });

  // The idle connections to them are thousands, and a process may have only so many.
  afterAll(() => Promise.all(hosts.map((host) => host.stop())));

  test.each(PROCESSES)('lets exactly the limit through %d processes', async (processes) => {
    let whole = 0;
    let bursts = 0;
    const most = store === 'redis' ? MOST_BURSTS_IN_REDIS : BURSTS;
    for (; whole < BURSTS && bursts < most; bursts += 1) {
      const { token } = await hosts[0]!.create();
      await awayFromHourEnd();
      const requests = Array.from({ length: BURST }, async (_, index) => {
        const { status } = await hosts[index % processes]!.get(ME, token);
        return status;
      });
      const statuses = await Promise.all(requests);
      const count = (wanted: number) => statuses.filter((status) => status === wanted).length;
      const [served, refused, unavailable] = [count(200), count(429), count(503)];
      // A request whose count came too late may have been counted.
      expect(served).toBeLessThanOrEqual(LIMIT);
      expect(served).toBeGreaterThanOrEqual(LIMIT - unavailable);
      expect(served + refused + unavailable).toBe(BURST);
      if (unavailable === 0) whole += 1;
    }
    figure(`${store}, ${processes} processes: bursts of ${BURST} with exactly ${LIMIT} served`, whole);
    if (bursts > whole)
      figure(`${store}, ${processes} processes: bursts in which a count was late`, bursts - whole);
    expect(whole).toBe(BURSTS);
  });
});
