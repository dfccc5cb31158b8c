import { spawnSync } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { type PanelDatabase, panelDatabase } from '../fixture/command/panelDatabase';
import { UNPRINTABLE } from '../fixture/command/unprintable';
import { builtCommand } from '../servers/builtCommand';

// A terminal's escapes as 7-bit and 8-bit sequences, a mark that turns the line around, a line feed, DEL, a tag.
const HOSTILE = 'a\u001b[31m\u009b2J\u202eb\u2028c\u007fd\r\ne\u{e0001}';

describe('what panel-api prints of a hostile name and account', () => {
  let database: PanelDatabase;

  beforeAll(async () => {
    database = await panelDatabase('sqlite');
    await database.run(['token', 'create', '--name', HOSTILE, '--scope', '*', '--account', HOSTILE]);
  });

  test.each([['token', 'list'], ['token', 'show', '1'], ['audit'], ['token', 'revoke', '1']])(
    'is harmless on a terminal: %s %s',
    async (...args) => {
      const { code, stdout } = await database.run(args.filter(Boolean));
      expect(code).toBe(0);
      expect(stdout).not.toMatch(UNPRINTABLE);
      expect(stdout).toContain('\\u{9b}2J\\u{202e}b');
    },
  );

  test.each([['token', 'list'], ['token', 'show', '1'], ['audit']])(
    'is harmless as JSON and means the same: %s %s',
    async (...args) => {
      const { stdout } = await database.run([...args.filter(Boolean), '--json']);
      expect(stdout).not.toMatch(UNPRINTABLE);
      expect(JSON.stringify(JSON.parse(stdout))).toContain(JSON.stringify(HOSTILE));
    },
  );

  test('takes one line of a table', async () => {
    const { stdout } = await database.run(['token', 'list']);
    expect(stdout.trim().split('\n')).toHaveLength(2);
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
