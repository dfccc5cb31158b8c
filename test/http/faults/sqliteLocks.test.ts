import { setTimeout as sleep } from 'node:timers/promises';
import type { Knex } from 'knex';
import { freshDatabase, openHandle, type TestDatabase } from '../../fixture/databases';
import { handleSettings } from '../../fixture/handleSettings';
import { AUTHOR, startPanel, type TestPanel } from '../../fixture/panel';
import '../../fixture/tryAgain';

const ME = '/api/v1/me.php';
const LOCKED_MS = 2000;
// The panel's own timeout: better-sqlite3 waits 5,000 ms.
const BUSY_MS = 4321;
// A driver that waits in the event loop waits until the lock is released or its busy timeout passes.
const LONGEST_STOP_MS = LOCKED_MS / 2;

/** The result of the task, and the longest time for which it blocked the event loop, in milliseconds. */
async function longestStop<T>(task: () => Promise<T>): Promise<readonly [result: T, stoppedMs: number]> {
  let longest = 0;
  let last = performance.now();
  const tick = () => {
    longest = Math.max(longest, performance.now() - last);
    last = performance.now();
  };
  const ticking = setInterval(tick, 5);
  try {
    const result = await task();
    tick();
    return [result, longest];
  } finally {
    clearInterval(ticking);
  }
}

describe.each(['delete', 'wal'])('While another process writes to SQLite (journal_mode = %s)', (journal) => {
  let database: TestDatabase;
  let other: Knex;
  let db: Knex;
  let panel: TestPanel;

  beforeEach(async () => {
    database = await freshDatabase('sqlite');
    await database.knex.raw(`PRAGMA journal_mode = ${journal}`);
    other = openHandle({ ...handleSettings(database), pool: { min: 0, max: 1 } });
    const afterCreate = (connection: { pragma(text: string): void }, done: () => void) => {
      connection.pragma(`busy_timeout = ${BUSY_MS}`);
      done();
    };
    db = openHandle({ ...handleSettings(database), pool: { min: 0, max: 4, afterCreate } });
    panel = await startPanel({ db, deadlineMs: 3000 });
  });

  afterEach(async () => {
    await db?.destroy();
    await other?.destroy();
  });

  /** Runs the task while the other connection holds the lock for writers. */
  const locked = async <T>(task: () => Promise<T>, ms = LOCKED_MS): Promise<T> => {
    const connection = await other.client.acquireConnection();
    connection.exec('BEGIN IMMEDIATE');
    try {
      const running = task();
      running.catch(() => undefined);
      await sleep(ms);
      connection.exec('COMMIT');
      return await running;
    } finally {
      if (connection.inTransaction) connection.exec('ROLLBACK');
      await other.client.releaseConnection(connection);
    }
  };

  test('requests and changes wait for it without stopping the event loop', async () => {
    const { token, record } = await panel.api.tokens.create({ name: 'old', scopes: ['*'] }, AUTHOR);
    const [results, stoppedMs] = await longestStop(() =>
      locked(() =>
        Promise.all([
          panel.get(ME, token),
          panel.get(ME, token),
          panel.token(),
          panel.api.tokens.rotate(record.id, { graceSeconds: 300 }, AUTHOR),
          panel.api.settings.change({ rateLimitRequests: 77 }, AUTHOR),
        ]),
      ),
    );
    expect(results.slice(0, 2)).toMatchObject([{ status: 200 }, { status: 200 }]);
    expect(stoppedMs).toBeLessThan(LONGEST_STOP_MS);
    expect(await panel.api.settings.get('rateLimitRequests')).toBe(77);
    await panel.api.usage.flush();
    expect([...(await panel.api.usage.today([record.id])).values()]).toEqual([2]);
  });

  test('the first use creates the tables as soon as it is over', async () => {
    const [created, stoppedMs] = await longestStop(() => locked(() => panel.token()));
    expect(created).toMatch(/\w{20}/);
    expect(stoppedMs).toBeLessThan(LONGEST_STOP_MS);
  });

  test('a request is answered with 503 after the deadline if it does not end', async () => {
    const token = await panel.token();
    const [{ status }, stoppedMs] = await longestStop(() => locked(() => panel.get(ME, token), 3300));
    expect(status).toBe(503);
    expect(stoppedMs).toBeLessThan(LONGEST_STOP_MS);
    expect((await panel.get(ME, token)).status).toBe(200);
  });

  test('a connection that the panel has closed is still released', async () => {
    const token = await panel.token();
    const connections = await Promise.all([1, 2, 3, 4].map(() => db.client.acquireConnection()));
    for (const connection of connections) {
      connection.close();
      await db.client.releaseConnection(connection);
    }
    const answers = await Promise.all(Array.from({ length: 8 }, () => panel.get(ME, token)));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 503));
    expect(db.client.pool.numUsed()).toBe(0);
  });

  test('the connections of the panel keep their own busy timeout', async () => {
    const token = await panel.token();
    await locked(() => Promise.all([panel.get(ME, token), panel.token()]), 50);
    const connections = await Promise.all([1, 2, 3, 4].map(() => db.client.acquireConnection()));
    const timeouts = connections.map((connection) => connection.pragma('busy_timeout', { simple: true }));
    for (const connection of connections) await db.client.releaseConnection(connection);
    expect(timeouts).toEqual([BUSY_MS, BUSY_MS, BUSY_MS, BUSY_MS]);
  });
});
