import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CONFIGURATIONS, type Ended } from '../fixture/command/panelApi';
import { type PanelDatabase, panelDatabase } from '../fixture/command/panelDatabase';
import { handleSettings } from '../fixture/handleSettings';
import { giveToOtherUser, OTHER_USER, requireRoot } from '../fixture/otherUser';

const CREATE = ['token', 'create', '--name', 'billing', '--scope', '*'];

describe('panel-api --config', () => {
  let database: PanelDatabase;

  beforeEach(async () => {
    database = await panelDatabase('mariadb');
  });

  const runWith = (file: string, args: readonly string[], env = {}): Promise<Ended> =>
    database.start([...args, '--config', join(CONFIGURATIONS, file)], {
      env: {
        TEST_DATABASE: database.url,
        PANEL_API_DATABASE_URL: 'mysql://user@127.0.0.1:1/nothing',
        ...env,
      },
    });

  test('takes the options of a CommonJS module, and ends although the panel leaves things open', async () => {
    const { code, stdout } = await runWith('commonjs.cjs', CREATE);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^acme_[0-9A-Za-z]{46}\n$/);
    expect(await database.tables()).toContain('own_tokens');
  });

  test('takes the options that a function of an ES module returns', async () => {
    const { code, stdout } = await runWith('esm.mjs', ['status', '--json']);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ enabled: true, decided_by: 'panel' });
    const { stdout: checked } = await runWith('esm.mjs', ['check']);
    expect(checked).toMatch(/^- jobs +off +- +-$/m);
  });

  test.each(['named.mjs', 'compiled.cjs'])('takes the options of %s', async (file) => {
    expect((await runWith(file, ['enable'])).code).toBe(0);
  });

  test('leaves the tables to a panel that creates them by hand, and says what that panel fixes', async () => {
    const { code, stderr } = await runWith('esm.mjs', CREATE);
    expect(code).toBe(4);
    expect(stderr).toContain('run panel-api migrate');
    expect(await database.tables()).toEqual([]);
    expect((await runWith('esm.mjs', ['migrate'])).code).toBe(0);
    expect((await runWith('esm.mjs', CREATE)).code).toBe(0);
    expect((await runWith('esm.mjs', ['disable'])).stderr).toContain(
      'The mount option enabled overrides this switch',
    );
    const settings = await runWith('esm.mjs', ['settings']);
    expect(settings.stdout).toMatch(/^enabled +true +panel \(option enabled\) +\S+ +\S+$/m);
    expect(settings.stdout).toMatch(/^https_required +true +default +- +-$/m);
    expect(settings.stderr).toBe('');
    expect(await runWith('esm.mjs', ['settings', 'set', 'enabled', 'false'])).toEqual({
      code: 2,
      stdout: '',
      stderr: 'The panel sets enabled with the mount option enabled, so it cannot be changed here.\n',
    });
  });

  test('prints nothing that a driver writes while the panel is loaded', async () => {
    const down = { TEST_DATABASE: 'mysql://wilma:s3cret@127.0.0.1:1/flintstones' };
    const { code, stdout, stderr } = await runWith('esm.mjs', ['status'], down);
    expect({ code, stdout, stderr }).toEqual({
      code: 4,
      stdout: '',
      stderr: 'The configuration file could not be loaded (ECONNREFUSED).\n',
    });
  });

  test.each([
    ['throwing.cjs', 4, 'could not be loaded'],
    ['crashing.cjs', 70, 'An unexpected error occurred.'],
    ['unknownOption.cjs', 2, 'unknown option prefix'],
    [
      'otherClient.cjs',
      2,
      'must be a knex handle with one of the clients mysql2, pg, better-sqlite3, not mariadb.',
    ],
    ['text.cjs', 2, 'must export as its default the options of createPanelApi'],
    ['notDefault.mjs', 2, 'must export as its default the options of createPanelApi'],
  ])('says only what is wrong with %s', async (file, expected, sentence) => {
    const { code, stdout, stderr } = await runWith(file, ['status']);
    expect({ code, stdout }).toEqual({ code: expected, stdout: '' });
    expect(stderr).toMatch(/^[^\n]+\n$/);
    expect(stderr.toLowerCase()).toContain(sentence.toLowerCase());
    expect(stderr).not.toContain('s3cret');
  });

  describe('refuses to run a file', () => {
    let folder: string;

    beforeEach(() => {
      folder = mkdtempSync(join(tmpdir(), 'panel-api-config-'));
      mkdirSync(join(folder, 'etc'));
      for (const file of ['throwing.cjs', 'throwing.mjs']) {
        copyFileSync(join(CONFIGURATIONS, 'throwing.cjs'), join(folder, 'etc', file));
      }
    });

    afterEach(() => rmSync(folder, { recursive: true }));

    const refusal = async (path: string, run: 'run' | 'start' = 'run') => {
      const { code, stdout, stderr } = await database[run](['status', '--config', join(folder, path)]);
      expect({ code, stdout }).toEqual({ code: 4, stdout: '' });
      return stderr.replaceAll(folder, '');
    };

    test.each(['/etc/throwing.cjs', '/etc/throwing.mjs'])('that other users can change: %s', async (path) => {
      const of = (part: string) => `The command does not run code from ${part}: `;
      expect(await refusal(path, 'start')).toContain('could not be loaded');
      chmodSync(join(folder, path), 0o666);
      expect(await refusal(path)).toBe(`${of(path)}every user may write to it.\n`);
      chmodSync(join(folder, 'etc'), 0o777);
      expect(await refusal(path)).toBe(`${of('/etc')}every user may write to it.\n`);
    });

    test('that a group or another user can change', async () => {
      requireRoot();
      const path = '/etc/throwing.cjs';
      const of = `The command does not run code from ${path}: `;
      chmodSync(join(folder, path), 0o660);
      expect(await refusal(path)).toBe(`${of}its group may write to it.\n`);
      giveToOtherUser(join(folder, path));
      expect(await refusal(path)).toBe(`${of}it belongs to another user (${OTHER_USER}).\n`);
    });

    test('that the command finds by its name, if others can change it', async () => {
      const found = () => database.start(['status'], { cwd: folder, env: { PANEL_API_DATABASE_URL: '' } });
      writeFileSync(
        join(folder, 'panel-api.config.js'),
        `module.exports = { db: require(${JSON.stringify(require.resolve('knex'))})(${JSON.stringify(handleSettings(database))}) };`,
      );
      expect(await found()).toMatchObject({ code: 0, stdout: expect.stringMatching(/^api +off$/m) });
      expect((await database.run(['status', '--json'], { cwd: folder })).code).toBe(0);
      chmodSync(join(folder, 'panel-api.config.js'), 0o666);
      const { code, stderr } = await found();
      expect([code, stderr]).toEqual([4, expect.stringContaining('every user may write to it.')]);
    });

    test('to which a link of another user leads', async () => {
      symlinkSync('etc/throwing.cjs', join(folder, 'link.cjs'));
      expect(await refusal('/link.cjs', 'start')).toContain('could not be loaded');
      giveToOtherUser(join(folder, 'link.cjs'));
      expect(await refusal('/link.cjs')).toBe(
        'The command does not run code from /link.cjs: it belongs to another user (65534).\n',
      );
    });
  });
});
