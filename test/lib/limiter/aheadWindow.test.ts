import { setTimeout as sleep } from 'node:timers/promises';
import { HOUR } from '../../fixture/awayFromHourEnd';
import { freshDatabase } from '../../fixture/databases';
import { AUTHOR, startPanel } from '../../fixture/panel';
import { type HostProcess, startHost } from '../../fixture/processes/hostProcess';

const ME = '/api/v1/me.php';
const LIMIT = 20;
const SKEW = 5 * HOUR;

describe('Processes over SQLite whose clocks are hours apart', () => {
  let hosts: readonly [HostProcess, HostProcess];

  beforeAll(async () => {
    const database = await freshDatabase('sqlite');
    const options = { rateLimit: { requests: LIMIT, windowSeconds: HOUR } };
    const start = () => startHost(database, { options, env: { SQLITE_CLOCK: 'of the process' } });
    hosts = await Promise.all([start(), start()]);
    await hosts[1].skewClock(SKEW);
  });

  /** Asks both in turn, and returns how many requests were served. */
  const allowed = async (token: string, asked: readonly HostProcess[]) => {
    let count = 0;
    for (let request = 0; request < 3 * LIMIT; request += 1)
      if ((await asked[request % 2]!.get(ME, token)).status === 200) count += 1;
    return count;
  };

  test('allow at most twice the limit if the process with the earlier clock is first', async () => {
    const count = await allowed((await hosts[0].create()).token, hosts);
    expect(count).toBeGreaterThanOrEqual(LIMIT);
    expect(count).toBeLessThanOrEqual(2 * LIMIT);
  });

  test('allow exactly the limit once the later clock has counted, also if it is set back and corrected', async () => {
    const { token } = await hosts[0].create();
    const counts: number[] = [];
    for (const skew of [SKEW, 0, SKEW, 0, SKEW]) {
      await hosts[1].skewClock(skew);
      counts.push(await allowed(token, hosts.toReversed()));
    }
    expect(counts).toEqual([LIMIT, 0, 0, 0, 0]);
    const { status, headers } = await hosts[0].get(ME, token);
    expect([status, Number(headers.get('retry-after')) <= HOUR]).toEqual([429, true]);
  });
});

describe.each(['postgresql', 'sqlite'] as const)(
  'A window that is ahead of the clock, which was set back (%s)',
  (engine) => {
    afterEach(() => jest.restoreAllMocks());

    /** Returns how to ask with a token whose window of two requests is full and ahead. */
    async function start(windowSeconds: number) {
      const database = await freshDatabase(engine);
      const panel = await startPanel({ db: database.knex, rateLimit: { requests: 2, windowSeconds } });
      const { token, record } = await panel.api.tokens.create({ name: 'test', scopes: ['*'] }, AUTHOR);
      await panel.get(ME, token);
      const row = database.knex('panel_api_rate_limits').where({ token_id: record.id });
      await row.update({ window_start: Math.floor(Date.now() / 1000 / 2) * 2 + SKEW, hits: 2 });
      return () => panel.get(ME, token);
    }

    test('continues, and is reset once the stated seconds have passed', async () => {
      const ask = await start(2);
      const { status, headers } = await ask();
      const seconds = Number(headers.get('retry-after'));
      expect([status, seconds >= 1 && seconds <= 2]).toEqual([429, true]);
      await sleep(seconds * 1000);
      expect((await ask()).status).toBe(200);
    });

    test('ends after its whole length, and not with the second in which it was found', async () => {
      const ask = await start(1);
      const clock = jest.spyOn(performance, 'now');
      const statuses: number[] = [];
      for (const now of [1_000_990, 1_001_010, 1_002_010]) {
        clock.mockReturnValue(now);
        statuses.push((await ask()).status);
      }
      expect(statuses).toEqual([429, 429, 200]);
    });
  },
);
