import { spawnSync } from 'node:child_process';
import { chmodSync, closeSync, mkdirSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type PanelDatabase, panelDatabase } from '../fixture/command/panelDatabase';
import { UNPRINTABLE } from '../fixture/command/unprintable';
import { builtCommand } from '../servers/builtCommand';

// A terminal's escapes as 7-bit and 8-bit sequences, a mark that turns the line around, a line feed, DEL, a tag.
const HOSTILE = 'a\u001b[31m\u009b2J\u202eb\u2028c\u007fd\r\ne\u{e0001}';

describe('what panel-api prints of a hostile name, note, account and actor', () => {
  let database: PanelDatabase;

  beforeAll(async () => {
    database = await panelDatabase('sqlite');
    await database.create();
    // An earlier version accepted such texts.
    const others = { created_by: HOSTILE, revoked_by: HOSTILE, expires_at: 4_000_000_000 };
    const id = Buffer.from(HOSTILE).toString('hex');
    const accounts = JSON.stringify({ owner: false, accounts: [[id, null, HOSTILE]] });
    await database.knex('panel_api_tokens').update({ name: HOSTILE, note: HOSTILE, accounts, ...others });
    await database
      .knex('panel_api_audit_log')
      .update({ actor: HOSTILE, details: JSON.stringify({ name: HOSTILE, [HOSTILE]: HOSTILE }) });
    await database.knex('panel_api_settings').update({ updated_by: HOSTILE });
  });

  test.each<[number, ...string[]]>([
    [2, 'token', 'list'],
    [20, 'token', 'show', '1'],
    [2, 'audit'],
    [1, 'token', 'extend', '1', '--expires', 'never'],
    [1, 'token', 'revoke', '1'],
  ])('is harmless on a terminal, and begins no line: %i of %s %s', async (lines, ...args) => {
    const { code, stdout } = await database.run(args);
    expect(code).toBe(0);
    expect(stdout).not.toMatch(UNPRINTABLE);
    expect(stdout).toContain('\\u{9b}2J\\u{202e}b');
    expect(stdout.trim().split('\n')).toHaveLength(lines);
  });

  test.each([['token', 'list'], ['token', 'show', '1'], ['audit']])(
    'is harmless as JSON and means the same: %s %s',
    async (...args) => {
      const { stdout } = await database.run([...args.filter(Boolean), '--json']);
      expect(stdout).not.toMatch(UNPRINTABLE);
      expect(JSON.stringify(JSON.parse(stdout))).toContain(JSON.stringify(HOSTILE));
    },
  );
});

describe('what panel-api prints of a hostile argument', () => {
  let database: PanelDatabase;

  beforeAll(async () => {
    database = await panelDatabase('sqlite');
  });

  test.each([
    ['token', 'list', '--state', HOSTILE],
    ['token', 'list', `--${HOSTILE}`],
    ['token', HOSTILE],
    ['settings', 'set', HOSTILE, '1'],
    ['token', 'create', '--name', 'a', '--scope', HOSTILE],
    ['token', 'create', '--name', 'a', '--scope', '*', '--allow', HOSTILE],
    ['--config', HOSTILE, 'status'],
  ])('is harmless on a terminal, and begins no line: %s', async (...args) => {
    const { code, stderr } = await database.run(args);
    expect(code).toBe(2);
    expect(stderr).not.toMatch(UNPRINTABLE);
    expect(stderr.trim().split('\n')).toHaveLength(1);
  });

  test('is harmless as a path of code that others can change', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'panel-api-hostile-'));
    try {
      const inner = join(folder, HOSTILE);
      mkdirSync(inner);
      chmodSync(inner, 0o777);
      writeFileSync(join(inner, 'config.cjs'), '');
      const { code, stderr } = await database.run(['status', '--config', join(inner, 'config.cjs')]);
      expect([code, stderr.trim().split('\n').length]).toEqual([4, 1]);
      expect(stderr).not.toMatch(UNPRINTABLE);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  test('leaves the suggestion of a command on a line of its own', async () => {
    const { stderr } = await database.run(['token', 'lst']);
    expect(stderr.trim().split('\n')).toEqual(["error: unknown command 'lst'", '(Did you mean list?)']);
  });
});

describe('standard output that cannot be written', () => {
  let database: PanelDatabase;

  beforeAll(async () => {
    database = await panelDatabase('sqlite');
  });

  const createTo = (path: string) => {
    const output = openSync(path, 'w');
    const env = { ...process.env, PANEL_API_DATABASE_URL: database.url };
    const args = [builtCommand(), 'token', 'create', '--name', 'lost', '--scope', '*'];
    const { status } = spawnSync(process.execPath, args, { env, stdio: ['ignore', output, 'ignore'] });
    closeSync(output);
    return status;
  };

  test('creates no token if it is discarded', async () => {
    expect(createTo('/dev/null')).toBe(5);
    expect(await database.tables()).toEqual([]);
  });

  test('leaves no valid token when the disk is full', async () => {
    expect(createTo('/dev/full')).toBe(5);
    expect(await database.json('token', 'list')).toEqual([expect.objectContaining({ state: 'revoked' })]);
  });
});
