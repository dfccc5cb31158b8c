import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describeOneEngine, freshDatabase, type TestDatabase } from '../../fixture/databases';
import { handleSettings } from '../../fixture/handleSettings';
import { AUTHOR, startPanel } from '../../fixture/panel';
import { startHost } from '../../fixture/processes/hostProcess';
import { writtenRequests } from '../../fixture/writtenRequests';
import '../../fixture/tryAgain';

const ME = '/api/v1/me.php';
const PROCESSES = join(__dirname, '../../fixture/processes');
// A few hundred requests show it as well as thousands.
const PAUSE_MS = 60;
const options = { rateLimit: { requests: 100_000 } };

describeOneEngine('Two processes over one database', (engine) => {
  let database: TestDatabase;

  beforeEach(async () => {
    database = await freshDatabase(engine);
  });

  test('count every request exactly if they end in order', async () => {
    const hosts = await Promise.all([startHost(database, { options }), startHost(database, { options })]);
    const tokens = [await hosts[0]!.create(), await hosts[1]!.create()];
    const startedAt = performance.now();
    let rounds = 0;
    // Long enough for several writes of each process.
    while (performance.now() - startedAt < 2500) {
      rounds += 1;
      await Promise.all(
        hosts.flatMap((host) =>
          tokens.flatMap(({ token }) => [host.get(ME, token), host.get('/api/v1/nope.php', token)]),
        ),
      );
      await sleep(PAUSE_MS);
    }
    await Promise.all(hosts.map((host) => host.flush()));
    for (const { record } of tokens) expect(await writtenRequests(database.knex, record.id)).toBe(rounds * 4);
  });

  test('lose at most the last second of a process that is killed', async () => {
    const host = await startHost(database, { options });
    const { token, record } = await host.create();
    const answeredAt: number[] = [];
    const startedAt = performance.now();
    while (performance.now() - startedAt < 3500) {
      await host.get(ME, token);
      answeredAt.push(performance.now());
      await sleep(PAUSE_MS);
    }
    const killedAt = performance.now();
    await host.stop();
    const kept = await writtenRequests(database.knex, record.id);
    // Half a second more, for a busy machine.
    const due = answeredAt.filter((at) => at < killedAt - 1500).length;
    expect(due).toBeGreaterThan(0);
    expect(kept).toBeGreaterThanOrEqual(due);
    expect(kept).toBeLessThanOrEqual(answeredAt.length);
  });
});

describe('A panel that ends', () => {
  let database: TestDatabase;

  beforeEach(async () => {
    database = await freshDatabase('sqlite');
  });

  test('counts the requests that it broke off itself', async () => {
    let reached: () => void = () => undefined;
    const running = new Promise<void>((resolve) => {
      reached = resolve;
    });
    const run = () => {
      reached();
      return new Promise<never>(() => undefined);
    };
    const panel = await startPanel({
      db: database.knex,
      releaseChecks: [{ id: 'endless', title: 'Endless', run }],
    });
    const { token, record } = await panel.api.tokens.create({ name: 'test', scopes: ['*'] }, AUTHOR);
    const answer = panel.get('/api/v1/release-audit.php', token).catch(() => 'broken off');
    await running;
    await panel.close();
    await panel.api.usage.flush();
    expect(await answer).toBe('broken off');
    expect(await panel.api.usage.ofToken(record.id)).toMatchObject([
      { endpoint: 'release-audit', statusClass: 0, requests: 1 },
    ]);
  });

  test('is not kept alive by counts that were not written', async () => {
    const child = spawn(
      process.execPath,
      ['--require', join(PROCESSES, 'loadTypescript.js'), join(PROCESSES, 'useOnce.ts')],
      {
        env: { ...process.env, HOST_SETTINGS: JSON.stringify({ knex: handleSettings(database) }) },
        stdio: 'inherit',
      },
    );
    // If the process did not end, it would try to write these counts again forever.
    const patience = setTimeout(() => child.kill('SIGKILL'), 20_000);
    const [code, signal] = await once(child, 'exit');
    clearTimeout(patience);
    expect([code, signal]).toEqual([0, null]);
  });
});
