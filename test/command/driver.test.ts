import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { panelApi } from './panelApi';

const NOBODY_LISTENS = 'mysql://127.0.0.1:1/panel';

test.each([
  ['mysql2', 'mysql://h/d'],
  ['pg', 'postgres://h/d'],
  ['better-sqlite3', 'sqlite:/d'],
])('the command names the driver %s where it is not installed', async (driver, url) => {
  const { code, stdout, stderr } = await panelApi(url, ['status'], {
    env: {
      NODE_OPTIONS: `--require ${join(__dirname, 'configurations', 'hideDriver.cjs')}`,
      TEST_HIDDEN: driver,
    },
  });
  expect({ code, stdout, stderr }).toEqual({
    code: 4,
    stdout: '',
    stderr: `The package ${driver} is not installed: npm install ${driver}.\n`,
  });
});

describe('the folder that the command is called in', () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'panel-api-cwd-'));
    for (const name of ['knex', 'mysql2']) {
      mkdirSync(join(folder, 'node_modules', name), { recursive: true });
      writeFileSync(join(folder, 'node_modules', name, 'index.js'), 'process.exit(42)');
    }
  });

  afterEach(() => rmSync(folder, { recursive: true }));

  test("gives the panel's knex", async () => {
    expect((await panelApi(NOBODY_LISTENS, ['status'], { cwd: folder })).code).toBe(42);
  });

  test('gives nothing where everybody may put something', async () => {
    chmodSync(join(folder, 'node_modules'), 0o777);
    expect((await panelApi(NOBODY_LISTENS, ['status'], { cwd: folder })).code).toBe(3);
  });
});
