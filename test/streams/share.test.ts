import { knex as connect } from 'knex';
import { expectIdle } from '../fixture/expectIdle';
import { handleSettings } from '../fixture/handleSettings';
import { livedMs } from '../fixture/livedMs';
import { DOMAINS, type LongPanel, ME, startLongPanel } from './longPanel';
import { LONG } from './longTable';
import type { OpenList } from './openList';

const DEADLINE_MS = 2500;
const POOL = 10;
// A quarter of the pool, whole.
const PLACES = 2;

describe.each(['mariadb', 'postgresql'] as const)(
  'Clients of long lists that read nothing (%s)',
  (engine) => {
    let long: LongPanel;

    beforeAll(async () => {
      long = await startLongPanel(engine, {
        options: { deadlineMs: DEADLINE_MS },
        handle: (database) => connect({ ...handleSettings(database), pool: { min: 0, max: POOL } }),
      });
    });

    afterEach(() => expectIdle(long.database));

    afterAll(() => long.close());

    test('keep no more than their places, and nobody else from being answered', async () => {
      const lists = Array.from({ length: 8 }, () => long.open());
      const open = await Promise.all(lists.slice(0, PLACES));
      for (let request = 0; request < 20; request += 1) {
        expect(await long.ask(ME)).toEqual([200, null]);
        expect(long.database.knex.client.pool.numUsed()).toBeLessThanOrEqual(POOL / 2);
      }
      for (const { leave } of [...open, ...(await Promise.all(lists))]) leave();
    });

    test('let others wait, who get their turn or 503 after the deadline', async () => {
      const [lists, lived] = await livedMs(() => Promise.all(Array.from({ length: 8 }, () => long.open())));
      expect(lived).toBeLessThan(DEADLINE_MS + 1500);
      const statuses = lists.map(({ response }) => response.statusCode);
      expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(PLACES);
      expect(statuses.filter((status) => status === 503).length).toBeGreaterThan(0);
      await Promise.all(lists.map(refused));
      for (const { leave } of lists) leave();
    });

    test('leave their places to the next when they are cut off', async () => {
      const lists = await Promise.all(Array.from({ length: PLACES }, () => long.open(DOMAINS)));
      for (const { leave } of lists) leave();
      const { text, whole } = await (await long.open(DOMAINS)).rest();
      expect([whole, JSON.parse(text).data.items.length]).toEqual([true, LONG]);
    });

    async function refused({ response, rest }: OpenList): Promise<void> {
      if (response.statusCode !== 503) return;
      expect(JSON.parse((await rest()).text).error.code).toBe('unavailable');
    }
  },
);
