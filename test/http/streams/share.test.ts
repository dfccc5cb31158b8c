import { openHandle } from '../../fixture/databases';
import { expectIdle } from '../../fixture/expectIdle';
import { handleSettings } from '../../fixture/handleSettings';
import { livedMs } from '../../fixture/livedMs';
import { DOMAINS, type LongPanel, ME, startLongPanel } from '../../fixture/streams/longPanel';
import { LONG } from '../../fixture/streams/longTable';
import type { OpenList } from '../../fixture/streams/openList';

const DEADLINE_MS = 5000;
const POOL = 10;
// A quarter of the pool, of which each token has half.
const PLACES = 2;

describe.each(['mariadb', 'postgresql'] as const)(
  'Clients of long lists that read nothing (%s)',
  (engine) => {
    let long: LongPanel;
    let other: string;

    beforeAll(async () => {
      long = await startLongPanel(engine, {
        options: { deadlineMs: DEADLINE_MS },
        handle: (database) => openHandle({ ...handleSettings(database), pool: { min: 0, max: POOL } }),
      });
      other = await long.panel.token();
    });

    const openOther = () => long.open(DOMAINS, { headers: { Authorization: `Bearer ${other}` } });

    /** Opens this many lists, every second one with another token. */
    const openSome = (count: number) =>
      Array.from({ length: count }, (_, index) => (index % 2 === 0 ? long.open() : openOther()));

    afterEach(() => expectIdle(long.database));

    test('occupy no more than their slots, and do not delay other requests', async () => {
      const lists = openSome(8);
      const open = await Promise.all(lists.slice(0, PLACES));
      for (let request = 0; request < 20; request += 1) {
        expect(await long.ask(ME)).toEqual([200, null]);
        expect(long.database.knex.client.pool.numUsed()).toBeLessThanOrEqual(POOL / 2);
      }
      for (const { leave } of [...open, ...(await Promise.all(lists))]) leave();
    });

    test('make others wait, which get their turn or 503 after the deadline', async () => {
      const [lists, lived] = await livedMs(() => Promise.all(openSome(8)));
      expect(lived).toBeLessThan(DEADLINE_MS + 1500);
      const statuses = lists.map(({ response }) => response.statusCode);
      expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(PLACES);
      expect(statuses.filter((status) => status === 503).length).toBeGreaterThan(0);
      await Promise.all(lists.map(refused));
      for (const { leave } of lists) leave();
    });

    test('leave their slots to the next when they are cut off', async () => {
      const lists = await Promise.all(openSome(PLACES));
      for (const { leave } of lists) leave();
      const { text, whole } = await (await long.open(DOMAINS)).rest();
      expect([whole, JSON.parse(text).data.items.length]).toEqual([true, LONG]);
    });

    test('do not keep the long lists and the pages of another token from starting', async () => {
      const held = await long.open();
      const waiting = Array.from({ length: 5 }, () => long.open());
      const [[list, page], lived] = await livedMs(async () => [
        await openOther(),
        await long.panel.get(`${DOMAINS}?limit=1`, other),
      ]);
      expect(lived).toBeLessThan(DEADLINE_MS);
      expect([list.response.statusCode, page.status]).toEqual([200, 200]);
      for (const { leave } of [held, list, ...(await Promise.all(waiting))]) leave();
    });

    async function refused({ response, rest }: OpenList): Promise<void> {
      if (response.statusCode !== 503) return;
      expect(JSON.parse((await rest()).text).error.code).toBe('unavailable');
    }
  },
);
