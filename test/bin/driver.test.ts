import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { CONFIGURATIONS, panelApi } from '../fixture/command/panelApi';
import { giveToOtherUser, OTHER_USER, requireRoot } from '../fixture/otherUser';

const HIDE = `--require ${join(CONFIGURATIONS, 'hideDriver.cjs')}`;
const CLOSED_PORT = 'mysql://127.0.0.1:1/panel';

test.each([
  ['mysql2', 'mysql://h/d'],
  ['pg', 'postgres://h/d'],
  ['better-sqlite3', 'sqlite:/d'],
])('the command names the driver %s if it is not installed', async (driver, url) => {
  const { code, stdout, stderr } = await panelApi(url, ['status'], {
    env: {
      NODE_OPTIONS: HIDE,
      TEST_HIDDEN: driver,
    },
  });
  expect({ code, stdout, stderr }).toEqual({
    code: 4,
    stdout: '',
    stderr: `The package ${driver} is not installed: run npm install ${driver}.\n`,
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

  const status = (env = {}) => panelApi(CLOSED_PORT, ['status'], { cwd: folder, env });

  test("is searched for the panel's knex", async () => {
    expect((await status()).code).toBe(42);
  });

  test("is searched for the panel's knex by the user who owns it, although the user's own group may write to it", async () => {
    writeFileSync(
      join(folder, 'node_modules/knex/index.js'),
      'process.exit(process.geteuid() === 65534 ? 43 : 1)',
    );
    for (const path of ['', 'node_modules', 'node_modules/knex', 'node_modules/knex/index.js']) {
      giveToOtherUser(join(folder, path));
      chmodSync(join(folder, path), 0o775);
    }
    const env = { NODE_OPTIONS: `--require ${join(CONFIGURATIONS, 'asNobody.cjs')}` };
    expect((await status(env)).code).toBe(43);
  });

  // A user may have a group of its own, which is trusted.
  const groupWrites = (path: string) => {
    requireRoot();
    chmodSync(path, 0o775);
  };
  const allWrite = (path: string) => chmodSync(path, 0o777);
  const linkOfOtherUser = (path: string) => {
    renameSync(path, `${path}-linked`);
    symlinkSync(`${path}-linked`, path);
    giveToOtherUser(path);
  };

  test.each([
    ['', 'belongs to another user', giveToOtherUser],
    ['node_modules', 'belongs to another user', giveToOtherUser],
    ['node_modules/knex', 'belongs to another user', giveToOtherUser],
    ['node_modules/knex/index.js', 'belongs to another user', giveToOtherUser],
    ['node_modules/mysql2', 'belongs to another user', giveToOtherUser],
    ['node_modules', 'may be written by its group', groupWrites],
    ['node_modules/knex', 'may be written by all', allWrite],
    ['node_modules', 'is a link of another user', linkOfOtherUser],
    ['node_modules/knex', 'is a link of another user', linkOfOtherUser],
  ])('is skipped if ./%s %s', async (path, _what, change) => {
    change(join(folder, path));
    expect((await status()).code).toBe(3);
  });

  test('is named with its fault if no other knex is installed', async () => {
    giveToOtherUser(join(folder, 'node_modules/knex'));
    const hidden = { NODE_OPTIONS: HIDE, TEST_HIDDEN: dirname(require.resolve('knex/package.json')) };
    const { code, stdout, stderr } = await status(hidden);
    expect({ code, stdout, stderr }).toEqual({
      code: 4,
      stdout: '',
      stderr: `The command does not run code from ${folder}/node_modules/knex: it belongs to another user (${OTHER_USER}).\n`,
    });
  });

  test.each([
    ['a file of knex that', 'knex/inner.js', './inner'],
    ['native code that', 'knex/inner.node', './inner'],
    ['a package beside knex that', 'other/index.js', 'other'],
  ])('loads nothing from %s another user owns', async (_what, file, request) => {
    const path = join(folder, 'node_modules', file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, 'process.exit(43)');
    giveToOtherUser(path);
    writeFileSync(join(folder, 'node_modules/knex/index.js'), `try { require('${request}') } catch {}`);
    const { code, stdout, stderr } = await status();
    expect({ code, stdout, stderr }).toEqual({
      code: 4,
      stdout: '',
      stderr: `The command does not run code from ${path}: it belongs to another user (${OTHER_USER}).\n`,
    });
  });

  test('runs no code of a customer who swaps a link while the command starts', async () => {
    const [modules, flipped] = [join(folder, 'node_modules'), join(folder, 'flipped')];
    renameSync(modules, flipped);
    for (const path of [folder, flipped, join(flipped, 'knex')]) giveToOtherUser(path);
    // The file of Node may be in a folder that only root may enter.
    const flip = `process.setuid(${OTHER_USER});
      const { renameSync, symlinkSync } = require('node:fs');
      for (;;) for (const target of ['${dirname(dirname(require.resolve('knex')))}', 'flipped']) {
        symlinkSync(target, 'next');
        renameSync('next', 'node_modules');
      }`;
    const flipping = spawn(process.execPath, ['-e', flip], { cwd: folder });
    const codes: (number | null)[] = [];
    try {
      for (let round = 0; round < 2; round += 1) {
        const runs = await Promise.all(Array.from({ length: 5 }, () => status()));
        codes.push(...runs.map(({ code }) => code));
      }
    } finally {
      flipping.kill('SIGKILL');
    }
    expect(codes).toEqual(Array.from({ length: 10 }, () => 3));
  });
});
