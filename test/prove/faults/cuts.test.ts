import { setTimeout as sleep } from 'node:timers/promises';
import { createDomains } from '../../fixture/createDomains';
import { freshDatabase, openHandle, type TestDatabase } from '../../fixture/databases';
import { expectIdle } from '../../fixture/expectIdle';
import { type CutProxy, cutProxy } from '../../fixture/faults/cutProxy';
import { QUIET } from '../../fixture/faults/ownDatabase';
import { handleSettings } from '../../fixture/handleSettings';
import { livedMs } from '../../fixture/livedMs';
import { startPanel, type TestPanel } from '../../fixture/panel';
import { until } from '../../fixture/until';
import { figure } from '../figure';
import { isWhole, scaled } from '../scale';

const ROWS = 20;
const PATHS = ['/api/v1/me.php', '/api/v1/domains.php'];
/** In a whole run, every byte. */
const STEP = scaled({ fast: 60, full: 1, long: 1 });
const MOST_BYTES = 20_000;
const DEADLINE_MS = 2000;
/** How much longer than the deadline an answer may take, because others use this machine too. */
const PATIENCE_MS = 500;
const HEALED_MS = 2000;

describe.each(isWhole ? (['mariadb', 'postgresql'] as const) : (['mariadb'] as const))(
  'A request whose database (%s) breaks off in the middle of an answer',
  (engine) => {
    let direct: TestDatabase;
    let database: TestDatabase;
    let proxy: CutProxy;
    let panel: TestPanel;
    let token: string;

    beforeAll(async () => {
      direct = await freshDatabase(engine);
      await createDomains(direct.knex, ROWS);
      proxy = await cutProxy(direct.url);
      const settings = { ...handleSettings({ engine, url: proxy.url }), ...QUIET, pool: { min: 0, max: 2 } };
      database = { engine, url: proxy.url, knex: openHandle(settings) };
      panel = await startPanel({
        db: database.knex,
        deadlineMs: DEADLINE_MS,
        rateLimit: { requests: 1_000_000 },
      });
      token = await panel.token();
    });

    test.each(PATHS)(
      'gets 200 or 503 at %s, whichever byte is the last, and so does the next within two seconds',
      async (path) => {
        const lines = () => panel.log.filter(({ message }) => message === 'panel-api request');
        let asked = lines().length;
        const ask = async () => {
          asked += 1;
          const [{ status, body }, lived] = await livedMs(() => panel.get(path, token));
          expect(lived).toBeLessThan(DEADLINE_MS + PATIENCE_MS);
          if (status === 200 && body.data.items) expect(body.data.items).toHaveLength(ROWS);
          return status;
        };
        const statuses: Record<number, number> = {};
        let cuts = 0;
        let uncut: number | undefined;
        for (let bytes = 1; bytes < MOST_BYTES && uncut === undefined; bytes += STEP) {
          await untilGood(ask);
          proxy.cutAfter(bytes);
          const status = await ask();
          if (proxy.disarm()) {
            cuts += 1;
            statuses[status] = (statuses[status] ?? 0) + 1;
          } else uncut = status;
        }
        // All bytes were tried, and the last answer was whole.
        expect(uncut).toBe(200);
        await untilGood(ask);
        await expectIdle(database);
        expect(cuts).toBeGreaterThan(300 / STEP);
        expect(Object.keys(statuses).filter((status) => status !== '200' && status !== '503')).toEqual([]);
        // A cut after the last byte that matters hurts no request.
        expect(statuses[503]).toBeGreaterThan(cuts / 2);
        await until(() => lines().length >= asked);
        expect(lines().length).toBe(asked);
        figure(`${engine}, ${path}: cuts at another byte`, cuts);
        figure(`${engine}, ${path}: statuses`, JSON.stringify(statuses));
      },
    );
  },
);

/** Asks until the answer is 200, which is at most two seconds later. */
async function untilGood(ask: () => Promise<number>): Promise<void> {
  const [, lived] = await livedMs(async () => {
    while ((await ask()) !== 200) await sleep(10);
  });
  expect(lived).toBeLessThan(HEALED_MS);
}
