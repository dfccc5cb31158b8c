import { readFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freshDatabase, type TestDatabase } from '../fixture/databases';
import { startPanel, type TestPanel } from '../fixture/panel';
import { pretendSystemctl } from '../fixture/pretendSystemctl';

const TOGETHER = 20;

describe('However many requests a token sends at once', () => {
  let directory: string;
  let database: TestDatabase;
  let panel: TestPanel;
  let token: string;
  let running = 0;
  let most = 0;
  let runs = 0;

  beforeAll(async () => {
    directory = await pretendSystemctl(
      `echo start >> "$(dirname "$0")/runs"\nsleep 0.05\necho end >> "$(dirname "$0")/runs"\necho Id=cron.service`,
    );
    database = await freshDatabase('sqlite');
    panel = await startPanel({
      db: database.knex,
      rateLimit: { requests: 1000 },
      sources: {
        jobs: {
          fields: ['id', 'type', 'status'],
          async rows() {
            running += 1;
            runs += 1;
            most = Math.max(most, running);
            await sleep(20);
            running -= 1;
            return [];
          },
        },
      },
    });
    token = await panel.token();
  });

  const askTogether = (paths: readonly string[]) =>
    Promise.all(paths.map(async (one) => (await panel.get(one, token)).status));

  test('one systemctl runs at a time, even for different lists', async () => {
    const paths = Array.from({ length: TOGETHER }, (_, index) => `/api/v1/services.php?id=unit${index}`);
    expect(await askTogether(paths)).toEqual(paths.map(() => 200));
    const lines = (await readFile(path.join(directory, 'runs'), 'utf8')).trim().split('\n');
    expect(lines).toEqual(lines.map((_, index) => (index % 2 === 0 ? 'start' : 'end')));
    expect(lines.length / 2).toBeLessThan(TOGETHER / 2);
  });

  test.each(['health', 'release-audit'])('%s.php inspects a source once at a time', async (name) => {
    most = 0;
    runs = 0;
    const paths = Array.from({ length: TOGETHER }, () => `/api/v1/${name}.php`);
    expect(await askTogether(paths)).toEqual(paths.map(() => 200));
    expect(most).toBe(1);
    expect(runs).toBeLessThan(TOGETHER / 2);
  });

  test('server-health.php measures the processors once at a time', async () => {
    const measured = jest.spyOn(os, 'cpus');
    const paths = Array.from({ length: TOGETHER }, () => '/api/v1/server-health.php');
    expect(await askTogether(paths)).toEqual(paths.map(() => 200));
    expect(measured.mock.calls.length).toBeLessThan(TOGETHER / 2);
    measured.mockRestore();
  });
});
