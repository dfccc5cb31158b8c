import { stripVTControlCharacters } from 'node:util';
import type { Ended } from '../fixture/command/panelApi';
import { type PanelDatabase, panelDatabase } from '../fixture/command/panelDatabase';
import { JUST_NOW } from '../fixture/justNow';

const SCOPES = ['accounts.read', 'domains.read', 'email.read', 'websites.read'];
const COLOURS = { FORCE_COLOR: undefined, NO_COLOR: '', TERM: 'xterm' } as const;

const linesOf = ({ stdout }: Ended) => stdout.trimEnd().split(/\r?\n/);

describe('On a terminal', () => {
  let database: PanelDatabase;

  beforeAll(async () => {
    database = await panelDatabase('sqlite');
    for (const name of [
      'Billing',
      'A name that is as long as names are in a panel of many people, and longer',
    ])
      await database.run(['token', 'create', '--name', name, '--scope', ...SCOPES, '--expires', '20d']);
    await database.run(['token', 'rotate', '2', '--grace', '1d']);
  });

  const shown = async (columns: number, args: readonly string[], env: object = {}) =>
    linesOf(await database.run(args, { typed: '', columns, env: { ...COLOURS, ...env } as never }));

  test.each([80, 100, 160])(
    'no line of tokens, entries or lists is longer than %d columns',
    async (columns) => {
      for (const args of [
        ['token', 'list'],
        ['audit'],
        ['check', '--verbose'],
        ['settings'],
        ['token', 'show', '2'],
      ]) {
        const lines = (await shown(columns, args)).map((line) =>
          stripVTControlCharacters(line.split('\r').at(-1) ?? ''),
        );
        // The note about missing options is a sentence.
        const tables = lines.filter((line) => !/--config FILE|cannot be served/.test(line));
        expect(tables.length).toBeGreaterThan(3);
        expect(tables.filter((line) => line.length > columns)).toEqual([]);
      }
    },
  );

  test('a token has one line, with relative times and its state in colour', async () => {
    const coloured = await shown(100, ['token', 'list']);
    const [heading, successor, rotated, billing] = coloured.map(stripVTControlCharacters);
    expect(heading).toMatch(/^ID +NAME +SCOPES +STATE +LAST USED +EXPIRES/);
    const [wide = ''] = await shown(200, ['token', 'list']);
    expect(stripVTControlCharacters(wide)).toMatch(/ EXPIRES +EXPIRY DATE +TOKEN/);
    expect(successor).toMatch(/^3 +A name that.*… .*active +never +in \d+ days/);
    expect(coloured[1]).toContain('\u001b[32mactive\u001b[39m');
    expect(rotated).toMatch(/^2 .*rotated, still valid +never +in (1 day|23 hours)/);
    expect(coloured[2]).toContain('\u001b[33mrotated, still valid\u001b[39m');
    expect(billing).toMatch(/^1 +Billing /);
  });

  test('the details of an audit entry are below it, in words', async () => {
    const lines = (await shown(100, ['audit', '--token', '1'])).map(stripVTControlCharacters);
    expect(lines[1]).toMatch(new RegExp(`^1 +${JUST_NOW} +\\S+ +created a token +1 `));
    expect(lines[2]).toMatch(/^ {4}name: Billing; scopes: accounts\.read domains\.read /);
  });

  test('check shows on standard error which list it reads, and removes that line', async () => {
    const { stderr } = await database.run(['check'], { typed: '', columns: 100 });
    expect(stderr).toMatch(/^Compared without the mount options/);
    expect(stderr).toContain('\r\u001b[KReading accounts (1 of 11) …\r\u001b[K');
    expect(stderr.split('\r\u001b[K').at(-1)).toMatch(
      /^Without a list of accounts, .*\n\d+ of 11 lists cannot be served\.\n$/,
    );
  });

  test('a process of the command asks its own terminal for the width, and writes there', async () => {
    const shownBy = async (typed: { typed: string; columns: number }) =>
      linesOf(await database.start(['token', 'list'], { ...typed, env: COLOURS as never }));
    const lines = await shownBy({ typed: '', columns: 100 });
    expect(lines).toEqual(await shown(100, ['token', 'list']));
    expect(lines[1]).toContain('\u001b[32mactive\u001b[39m');
  });

  test('NO_COLOR turns the colours off', async () => {
    const lines = await shown(100, ['token', 'list'], { NO_COLOR: '1' });
    expect(lines.join('\n')).not.toContain('\u001b');
  });

  test('a pipe gets every column in full, without colours and relative times', async () => {
    const { stdout } = await database.run(['token', 'list']);
    expect(stdout).toMatch(/^2 +A name .* and longer +accounts\.read .* never +\d{4}-\d\d-\d\dT/m);
    expect(stdout).not.toContain('\u001b');
    const { stdout: coloured } = await database.run(['token', 'list'], { env: { FORCE_COLOR: '1' } });
    expect(coloured).toContain('\u001b[32mactive');
  });
});
