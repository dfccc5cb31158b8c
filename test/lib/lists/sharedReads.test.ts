import { setTimeout as sleep } from 'node:timers/promises';
import type { FunctionQuery } from '../../../index';
import { freshDatabase, type TestDatabase } from '../../fixture/databases';
import { gatheringSwitch } from '../../fixture/gatheringSwitch';
import { startPanel, type TestPanel } from '../../fixture/panel';
import { until } from '../../fixture/until';

const PATH = '/api/v1/jobs.php?limit=10';

/** A read of the panel's function that is in progress, and how to end it. */
interface Reading {
  readonly query: FunctionQuery;
  readonly end: (status: string) => void;
  readonly fail: () => void;
}

describe('Requests for the same list', () => {
  let database: TestDatabase;
  let panel: TestPanel;
  let token: string;
  let readings: Reading[];
  const door = gatheringSwitch();

  beforeEach(async () => {
    readings = [];
    database = await freshDatabase('sqlite');
    panel = await startPanel({
      db: database.knex,
      enabled: door.enabled,
      sources: {
        jobs: {
          fields: ['id', 'type', 'status'],
          rows: (query) =>
            new Promise((resolve, reject) => {
              readings.push({
                query,
                end: (status) => resolve([{ id: 1, type: 'backup', status }]),
                fail: () => reject(new Error('The queue is gone.')),
              });
            }),
        },
      },
    });
    token = await panel.token();
  });

  afterEach(async () => {
    for (const { end } of readings) end('succeeded');
  });

  const under = async (count: number) => {
    while (readings.length < count) await sleep(1);
    return readings[count - 1] as Reading;
  };

  test('are never answered with rows that were read before they arrived', async () => {
    const early = panel.get(PATH, token);
    const first = await under(1);
    const late = panel.get(PATH, token);
    const second = await under(2);
    first.end('running');
    second.end('succeeded');
    expect((await early).body.data.items[0].status).toBe('running');
    expect((await late).body.data.items[0].status).toBe('succeeded');
  });

  /** Sends requests that arrive together, while a read of before is under way: they share the next one. */
  const together = async (inits: readonly RequestInit[]) => {
    const before = panel.get(PATH, token);
    const { end } = await under(1);
    door.gather(inits.length);
    const asked = inits.map((init) => panel.get(PATH, token, init).finally(() => door.gather(1)));
    for (const one of asked) one.catch(() => undefined);
    const shared = await under(2);
    end('running');
    await before;
    return { asked, shared };
  };

  test('get their answer though the client that asked first has left', async () => {
    const leaving = new AbortController();
    const { asked, shared } = await together([{ signal: leaving.signal }, {}, {}]);
    const [left, ...others] = asked;
    const { query, end } = shared;
    leaving.abort();
    await expect(left).rejects.toThrow();
    await panel.requestLines(2);
    expect(query.signal.aborted).toBe(false);
    end('running');
    expect((await Promise.all(others)).map(({ status }) => status)).toEqual([200, 200]);
    expect(readings).toHaveLength(2);
  });

  test('of another token are read for it, and do not fail with those of this one', async () => {
    const own = panel.get(PATH, token);
    const first = await under(1);
    const other = panel.get(PATH, await panel.token());
    const second = await under(2);
    first.fail();
    second.end('running');
    expect([(await own).status, (await other).status]).toEqual([500, 200]);
  });

  test('of one token all fail with the read that they share, and the next is answered', async () => {
    const { asked, shared } = await together([{}, {}]);
    shared.fail();
    expect((await Promise.all(asked)).map(({ status }) => status)).toEqual([500, 500]);
    const next = panel.get(PATH, token);
    (await under(3)).end('running');
    expect((await next).status).toBe(200);
  });

  test.each([1, 3])(
    "abort the signal of the panel's function once all clients have left (%i)",
    async (clients) => {
      const leaving = Array.from({ length: clients }, () => new AbortController());
      const { asked, shared } = await together(leaving.map(({ signal }) => ({ signal })));
      const { query } = shared;
      for (const [index, client] of leaving.entries()) {
        expect(query.signal.aborted).toBe(false);
        client.abort();
        await expect(asked[index]).rejects.toThrow();
        await panel.requestLines(index + 2);
      }
      await until(() => query.signal.aborted);
    },
  );
});
