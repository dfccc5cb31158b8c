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

  /** Sends requests that arrive together, by default of the same token. */
  const together = (inits: readonly RequestInit[], tokens = inits.map(() => token)) => {
    door.gather(inits.length);
    return inits.map((init, index) =>
      panel.get(PATH, tokens[index] as string, init).finally(() => door.gather(1)),
    );
  };

  test('get their answer though the client that asked first has left', async () => {
    const leaving = new AbortController();
    const [left, ...others] = together([{ signal: leaving.signal }, {}, {}]);
    const { query, end } = await under(1);
    leaving.abort();
    await expect(left).rejects.toThrow();
    await panel.requestLines(1);
    expect(query.signal.aborted).toBe(false);
    end('running');
    expect((await Promise.all(others)).map(({ status }) => status)).toEqual([200, 200]);
    expect(readings).toHaveLength(1);
  });

  test('of another token are read for it if the read that they share fails', async () => {
    const [failed, other] = together([{}, {}], [token, await panel.token()]);
    const first = await under(1);
    first.fail();
    const second = await under(2);
    second.end('running');
    const statuses = await Promise.all([failed, other].map(async (answer) => (await answer)?.status));
    expect(statuses.toSorted()).toEqual([200, 500]);
  });

  test('of one token all fail with the read that they share, and the next is answered', async () => {
    const asked = together([{}, {}]);
    (await under(1)).fail();
    expect((await Promise.all(asked)).map(({ status }) => status)).toEqual([500, 500]);
    const next = panel.get(PATH, token);
    (await under(2)).end('running');
    expect((await next).status).toBe(200);
  });

  test.each([1, 3])(
    "abort the signal of the panel's function once all clients have left (%i)",
    async (clients) => {
      const leaving = Array.from({ length: clients }, () => new AbortController());
      const asked = together(leaving.map(({ signal }) => ({ signal })));
      const { query } = await under(1);
      for (const [index, client] of leaving.entries()) {
        expect(query.signal.aborted).toBe(false);
        client.abort();
        await expect(asked[index]).rejects.toThrow();
        await panel.requestLines(index + 1);
      }
      await until(() => query.signal.aborted);
    },
  );
});
