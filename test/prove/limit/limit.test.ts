import { awayFromHourEnd, HOUR } from '../../fixture/awayFromHourEnd';
import { engines, freshDatabase } from '../../fixture/databases';
import { type HostProcess, startHost } from '../../fixture/processes/hostProcess';
import { serverUrl } from '../../servers/serverUrl';
import { figure } from '../figure';
import { isWhole, scaled } from '../scale';

const ME = '/api/v1/me.php';
const LIMIT = 120;
const BURST = scaled({ fast: 200, full: 2000, long: 2000 });
const BURSTS = scaled({ fast: 1, full: 4 });
const PROCESSES = isWhole ? [1, 2, 4, 8] : [2];
/** Of each process in turn. By their own clocks, each would begin a window of its own again and again. */
const SKEWS = [0, HOUR + 61, -HOUR, 0, 61, 0, -61, 0];

// The tests in test/lib/limiter do the same with two processes on every database.
const STORES = isWhole ? [...engines, 'redis' as const] : (['redis'] as const);

describe.each(STORES)('A limit that is counted in %s', (store) => {
  let hosts: readonly HostProcess[];

  beforeAll(async () => {
    const database = await freshDatabase(store === 'redis' ? 'sqlite' : store);
    const options = { deadlineMs: 30_000, rateLimit: { requests: LIMIT, windowSeconds: HOUR } };
    const redis =
      store === 'redis'
        ? { redis: { client: 'ioredis', kind: 'server', urls: [await serverUrl('redis')] } as const }
        : {};
    const most = Math.max(...PROCESSES);
    hosts = await Promise.all(
      SKEWS.slice(0, most).map((clockSkewSeconds) =>
        startHost(database, { options, clockSkewSeconds, ...redis }),
      ),
    );
  });

  test.each(PROCESSES)('lets exactly the limit through %d processes', async (processes) => {
    for (let burst = 0; burst < BURSTS; burst += 1) {
      const { token } = await hosts[0]!.create();
      await awayFromHourEnd();
      const requests = Array.from({ length: BURST }, async (_, index) => {
        const { status } = await hosts[index % processes]!.get(ME, token);
        return status;
      });
      const statuses = await Promise.all(requests);
      const count = (wanted: number) => statuses.filter((status) => status === wanted).length;
      expect({ served: count(200), refused: count(429) }).toEqual({
        served: LIMIT,
        refused: BURST - LIMIT,
      });
    }
    figure(`${store}, ${processes} processes: bursts of ${BURST} with exactly ${LIMIT} served`, BURSTS);
  });
});
