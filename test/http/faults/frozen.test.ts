import { setTimeout as sleep } from 'node:timers/promises';
import type { Knex } from 'knex';
import { openHandle, type TestDatabase } from '../../fixture/databases';
import { describeOwnServer } from '../../fixture/describeOwnServer';
import { expectIdle } from '../../fixture/expectIdle';
import { freeze } from '../../fixture/faults/freeze';
import { ownDatabase } from '../../fixture/faults/ownDatabase';
import { livedMs } from '../../fixture/livedMs';
import { OWN_SWITCH } from '../../fixture/ownSwitch';
import { AUTHOR, startPanel, type TestPanel } from '../../fixture/panel';
import type { PrivateServer } from '../../servers/PrivateServer';

const ME = '/api/v1/me.php';
const DEADLINE_MS = 1000;
// How much longer than the deadline a request may take.
const PATIENCE_MS = DEADLINE_MS + 700;
const POOL = 10;

describeOwnServer('While its database is frozen, a panel', 'mariadb', (start) => {
  let server: PrivateServer;
  let database: TestDatabase;
  let unopened: Knex;
  let panel: TestPanel;
  let token: string;

  beforeAll(async () => {
    server = await start();
    database = await ownDatabase(server, 'mariadb', { pool: { min: 0, max: POOL } });
    unopened = openHandle({ ...database.knex.client.config });
    panel = await mount();
    token = await panel.token();
    // Every connection of the pool is open, as in a panel that has been busy.
    await Promise.all(Array.from({ length: POOL }, () => database.knex.raw('select sleep(0.05)')));
  });

  // All tests share a token.
  const rateLimit = { requests: 10_000, windowSeconds: 60 };
  const mount = (options = {}) =>
    startPanel({ db: database.knex, deadlineMs: DEADLINE_MS, rateLimit, ...options });

  async function frozen(task: () => Promise<void>): Promise<void> {
    const thaw = freeze(server);
    try {
      await task();
    } finally {
      thaw();
    }
  }

  async function expectUnavailable(answer: ReturnType<TestPanel['get']>): Promise<void> {
    const [{ status, body }, lived] = await livedMs(() => answer);
    expect([status, body.error.code]).toEqual([503, 'unavailable']);
    expect(lived).toBeLessThan(PATIENCE_MS);
  }

  async function expectRecovery(): Promise<void> {
    const startedAt = performance.now();
    while ((await panel.get(ME, token)).status !== 200)
      expect(performance.now() - startedAt).toBeLessThan(30_000);
    await expectIdle(database);
  }

  test('answers 503 within the deadline, and as before once the database runs again', async () => {
    await frozen(() => expectUnavailable(panel.get(ME, token)));
    await expectRecovery();
  });

  test('keeps half of its connections for itself, however many requests come', async () => {
    await expectHalf([panel]);
  });

  test('keeps that half, too, if it mounts the module twice and passes the same handle as `readDb`', async () => {
    const again = await mount({ readDb: database.knex });
    await expectHalf([panel, again]);
  });

  async function expectHalf(mounts: readonly TestPanel[]): Promise<void> {
    const { pool } = database.knex.client;
    const most = { held: 0, used: 0 };
    const watch = setInterval(() => {
      most.used = Math.max(most.used, pool.numUsed());
      most.held = Math.max(most.held, pool.numUsed() + pool.numPendingAcquires());
    }, 5);
    // Each has used its tables before.
    for (const mount of mounts) expect((await mount.get(ME, token)).status).toBe(200);
    await frozen(async () => {
      const waiting: Promise<void>[] = [];
      for (let wave = 0; wave < 10; wave += 1) {
        for (const mount of mounts)
          waiting.push(...Array.from({ length: 8 }, () => expectUnavailable(mount.get(ME, token))));
        // Requests that arrive later share no statement with these.
        await sleep(40);
      }
      await Promise.all(waiting);
    });
    clearInterval(watch);
    expect(most.used).toBeGreaterThan(0);
    expect(most.held).toBeLessThanOrEqual(POOL / 2);
    await expectRecovery();
  }

  test('refuses malformed tokens at once', async () => {
    // All settings are fixed, so none is read.
    const fixed = await mount({ httpsRequired: true });
    await frozen(async () => {
      const waiting = Array.from({ length: 20 }, () => fixed.get(ME, token));
      const [, lived] = await livedMs(async () => {
        for (const guess of [undefined, 'x', token.slice(0, -1)])
          expect((await fixed.get(ME, guess)).status).toBe(401);
      });
      expect(lived).toBeLessThan(DEADLINE_MS);
      await Promise.all(waiting);
    });
    await expectRecovery();
  });

  test('answers 503 within the deadline if its switch cannot be read', async () => {
    const switched = await mount(OWN_SWITCH);
    await switched.api.settings.enable(AUTHOR);
    await frozen(() => expectUnavailable(switched.get(ME, token)));
    await expectRecovery();
    expect((await switched.get(ME, token)).status).toBe(200);
  });

  test('answers 503 within the deadline at its first use', async () => {
    const fresh = await mount({ tablePrefix: 'fresh_' });
    await frozen(() => expectUnavailable(fresh.get('/api/v1/me.php', token)));
    await expectRecovery();
    expect((await fresh.get(ME, await fresh.token())).status).toBe(200);
  });

  test.each([
    ['over connections that are open', () => database.knex],
    ['over connections that have yet to be opened', () => unopened],
  ])('shows an administrator within the deadline that nothing can be changed, %s', async (_which, handle) => {
    const { tokens, settings, audit } = (await mount({ db: handle(), migrate: false })).api;
    await frozen(async () => {
      const changes = [
        tokens.create({ name: 'test', scopes: ['*'] }, AUTHOR),
        tokens.revoke(999, AUTHOR),
        tokens.list(),
        settings.disable(AUTHOR),
        audit.list(),
      ];
      const [outcomes, lived] = await livedMs(() => Promise.allSettled(changes));
      expect(outcomes.map(({ status }) => status)).toEqual(changes.map(() => 'rejected'));
      expect(lived).toBeLessThan(PATIENCE_MS);
    });
    await expectRecovery();
  });

  test('survives a kill and restart of the frozen database', async () => {
    process.kill(server.pid!, 'SIGSTOP');
    await Promise.all(Array.from({ length: 20 }, () => expectUnavailable(panel.get(ME, token))));
    await server.kill();
    await server.start();
    await expectRecovery();
  });
});
