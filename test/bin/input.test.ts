import { panelApiHere } from '../fixture/command/panelApi';
import { type PanelDatabase, panelDatabase } from '../fixture/command/panelDatabase';

const CREATE = ['token', 'create'];
const NAME = ['--name', 'billing'];
const SCOPE = ['--scope', 'domains.read'];

describe('wrong input', () => {
  let database: PanelDatabase;

  beforeAll(async () => {
    database = await panelDatabase('sqlite');
    await database.run(['migrate']);
  });

  test.each<[string, string[], string]>([
    ['an unknown scope', [...CREATE, ...NAME, '--scope', 'domains.write'], 'Unknown scope "domains.write".'],
    ['an empty scope', [...CREATE, ...NAME, '--scope', 'domains.read,'], 'Unknown scope "".'],
    ['an empty name', [...CREATE, '--name', '  ', ...SCOPE], 'must not be empty'],
    ['a name that is too long', [...CREATE, '--name', 'x'.repeat(129), ...SCOPE], 'at most 128'],
    ['an empty account', [...CREATE, ...NAME, ...SCOPE, '--account', ' '], 'must be an integer or a string'],
    [
      'an account that is too long',
      [...CREATE, ...NAME, ...SCOPE, '--account', 'x'.repeat(129)],
      'of 1 to 128',
    ],
    ['a past expiry', [...CREATE, ...NAME, ...SCOPE, '--expires', '2020-01-01'], 'in the future'],
    ['an expiry at once', [...CREATE, ...NAME, ...SCOPE, '--expires', '0d'], 'in the future'],
    [
      'an expiry without end',
      [...CREATE, ...NAME, ...SCOPE, '--expires', `${'9'.repeat(400)}d`],
      'before the year',
    ],
    ['nonsense for an expiry', [...CREATE, ...NAME, ...SCOPE, '--expires', 'soon'], 'The expiry must be'],
  ])('%s ends with 2, says why in one line, and writes nothing', async (_title, args, sentence) => {
    const { code, stdout, stderr } = await database.run(args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(sentence);
    expect(stderr.trim()).not.toContain('\n');
    expect(await database.knex('panel_api_tokens')).toEqual([]);
    expect(await database.knex('panel_api_audit_log')).toEqual([]);
  });
});

describe('wrong usage', () => {
  let database: PanelDatabase;

  beforeAll(async () => {
    database = await panelDatabase('sqlite');
  });

  test.each<[string, string[], string]>([
    ['no command', [], 'Usage:'],
    ['half a command', ['token'], 'Usage:'],
    ['an unknown command', ['tokens'], "unknown command 'tokens'"],
    ['an unknown option', ['status', '--verbose'], "unknown option '--verbose'"],
    ['too many words', ['status', 'now'], 'too many arguments'],
    ['no name', [...CREATE, ...SCOPE], "'--name <name>' not specified"],
    ['no scope', [...CREATE, ...NAME], "'--scope <scope...>' not specified"],
    ['an option without its value', [...CREATE, ...NAME, '--scope'], 'argument missing'],
    ['an id that is no number', ['token', 'show', 'one'], 'whole number'],
    ['an id that no token can have', ['audit', '--token', '99999999999'], 'whole number'],
    ['a limit of zero', ['audit', '--limit', '0'], 'The limit must be a whole number'],
    ['an unknown list', ['show', 'nothing'], 'Unknown list "nothing". The lists are accounts, domains, '],
    ['a parameter without a value', ['show', 'domains', 'status'], 'Write a parameter as name=value'],
    ['a limit of sources', ['show', 'domains', 'limit=3', '--sources'], '--sources does not take limit.'],
    ['a removal that is not confirmed', ['migrate', '--down'], 'with --yes'],
    ['an unknown kind of database', ['status', '--database', 'mssql://h/d'], 'The database must be'],
    ['a database URL without a database', ['status', '--database', 'mysql://h'], 'does not name a database'],
    [
      'a database URL without slashes',
      ['status', '--database', 'mysql:u:s3cret@h/d'],
      'The database must be',
    ],
    [
      'a line of a file for the database',
      ['status', '--database', 'X=mysql://u:s3cret@h/d'],
      'must be a mysql',
    ],
    ['a broken table prefix', ['status', '--table-prefix', 'A b'], 'tablePrefix'],
    ['no configuration file', ['status', '--config', '/nowhere.js'], 'configuration file does not exist'],
    ['two databases', ['status', '--config', '/x.js', '--database', 'mysql://h/d'], 'Remove --database'],
  ])('%s ends with 2 and creates no table', async (_title, args, sentence) => {
    const { code, stdout, stderr } = await database.run(args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(sentence);
    expect(await database.tables()).toEqual([]);
  });

  test('no database ends with 2 and says how to name one', async () => {
    const { code, stderr } = await database.run(['status'], { env: { PANEL_API_DATABASE_URL: '' } });
    expect(code).toBe(2);
    expect(stderr).toContain('PANEL_API_DATABASE_URL');
  });

  test.each([
    ...['#', '/', '?', '@/', '@#', '@?'].flatMap((part) => [
      `mysql://wilma:s3cret${part}w@db.example/d`,
      `mariadb://wilma:12${part}w@db.example/d`,
      `postgres://wilma:12${part}w@db.example/d`,
    ]),
    'mysql://wilma:s3cret%w@db.example/d',
    'mysql://wilma:s3cret@db.example/my#d',
    'mysql://wilma:s3cret@db.example:port/d',
  ])('%s ends with 2 and says which characters must be encoded', async (url) => {
    const { code, stdout, stderr } = await panelApiHere(url, ['status']);
    expect({ code, stdout, stderr }).toEqual({
      code: 2,
      stdout: '',
      stderr:
        'The database URL is not valid: in its names and its password write % as %25, # as %23, / as %2F, ? as %3F and @ as %40.\n',
    });
  });

  test.each(['"mysql://u:s3cret@h/d"', "'sqlite:/s3cret'", ' `postgres://u:s3cret@h/d`'])(
    'a database URL in quotes ends with 2 and says so: %s',
    async (url) => {
      const { code, stdout, stderr } = await panelApiHere(url, ['status']);
      expect({ code, stdout, stderr }).toEqual({
        code: 2,
        stdout: '',
        stderr: 'The database URL begins with a quote: remove the quotes around it.\n',
      });
    },
  );

  test('a database URL with spaces around it is read', async () => {
    expect((await panelApiHere(` ${database.url}\n`, ['status'])).code).toBe(0);
  });

  test.each(['--databse=mysql://root:s3cret@h/d', 'mysql://root:s3cret@h/d'])(
    'a URL in the wrong place is not printed: %s',
    async (word) => {
      const { code, stderr } = await database.run([word]);
      expect(code).toBe(2);
      expect(stderr).not.toContain('s3cret');
    },
  );

  test('typed text is printed without its terminal escapes', async () => {
    const { stderr } = await database.run(['\u001b[31m\u202e']);
    expect(stderr).toContain("unknown command '\\u{1b}[31m\\u{202e}'");
  });

  test('the help lists every exit code', async () => {
    const { code, stdout } = await database.run(['token', 'create', '--help']);
    expect(code).toBe(0);
    expect([...stdout.matchAll(/^ {2}(\d+) +[A-Z]/gm)].map(([, found]) => found)).toEqual([
      '0',
      '1',
      '2',
      '3',
      '4',
      '5',
      '70',
    ]);
  });
});
