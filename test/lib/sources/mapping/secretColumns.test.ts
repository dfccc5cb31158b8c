import { createPanelApi, type Sources } from '../../../../index';
import { looksLikeCredential } from '../../../../lib/masking/credentials';
import { maskCommand } from '../../../../lib/masking/maskCommand';
import { operations } from '../../../../routes';
import { checkSources } from '../../../fixture/command/checkSources';
import { describeEachEngine, openHandle } from '../../../fixture/databases';
import { recordingLogger } from '../../../fixture/recordingLogger';
import { sourcePanels } from '../../../fixture/sources/sourcePanels';

const cron = { id: 'c.id', schedule: 'c.schedule', enabled: { value: true } } as const;

describe('A text that may be secret', () => {
  const mount = (sources: object) => {
    const { logger } = recordingLogger();
    const db = openHandle({ client: 'better-sqlite3', connection: ':memory:', useNullAsDefault: true });
    createPanelApi({ db, logger, sources: sources as Sources });
  };
  const query = (knex: typeof Object) => (knex as never as (name: string) => unknown)('crons as c');

  test.each<[what: string, sources: object, path: string, why: string]>([
    [
      'the name of a credential',
      { databases: { fields: { users: 'databasePassword' } } },
      'databases.fields.users',
      'shows the column databasePassword, whose name is that of a credential',
    ],
    [
      'one with a separator',
      { databases: { fields: { users: { column: 'pass_hash', separator: ',' } } } },
      'databases.fields.users',
      'the column pass_hash,',
    ],
    [
      'one read by a function',
      { accounts: { fields: { name: { column: 'api_key', from: String } } } },
      'accounts.fields.name',
      'the column api_key,',
    ],
    [
      'one of several columns',
      { accounts: { fields: { name: { columns: { a: 'login', b: 'secret' }, compute: () => 'x' } } } },
      'accounts.fields.name',
      'the column secret,',
    ],
    [
      'one of a query',
      { cron: { query, fields: { ...cron, name: 'c.private_key' } } },
      'cron.fields.name',
      'the column c.private_key,',
    ],
    ['a word', { jobs: { fields: { status: 'passwd' } } }, 'jobs.fields.status', 'the column passwd,'],
    [
      'a reference',
      { jobs: { fields: { account_id: 'token' } } },
      'jobs.fields.account_id',
      'the column token,',
    ],
    [
      'the column of a command',
      { cron: { table: 'crons', fields: { name: 'command' } } },
      'cron.fields.name',
      'shows the column of command, of which only a part is shown',
    ],
    [
      'the column of a command in other letter case',
      { cron: { query, fields: { ...cron, command: 'c.command', name: 'c.Command' } } },
      'cron.fields.name',
      'the column of command,',
    ],
    [
      'the column of a command that is not read',
      { cron: { table: 'crons', fields: { name: 'command', command: { value: '' } } } },
      'cron.fields.name',
      'the column of command,',
    ],
    ['the key of a list', { services: { fields: { id: 'api_token' } } }, 'services.fields.id', 'api_token,'],
    [
      'that of a command by its own name',
      { cron: { fields: { command: 'name' } } },
      'cron.fields.name',
      'the column of command,',
    ],
    [
      'that of a command in a query',
      {
        cron: {
          query,
          fields: { ...cron, command: 'c.run', name: { columns: { run: 'run' }, compute: () => '' } },
        },
      },
      'cron.fields.name',
      'the column of command,',
    ],
    [
      'the value of a setting as its label',
      { settings: { fields: { label: 'value' } } },
      'settings.fields.label',
      'the column of value,',
    ],
  ])('is refused at the mount for %s', (_, sources, path, why) => {
    const sentence = `createPanelApi: the option sources.${path} `;
    const isShown = /\.(?:status|account_id)$/.test(path);
    const then = isShown ? 'if it holds no secret.' : 'and the module masks the text.';
    const advice = `: choose another column, or say \`confirm: 'credential'\`, ${then}`;
    expect(() => mount(sources)).toThrow(sentence);
    expect(() => mount(sources)).toThrow(why);
    expect(() => mount(sources)).toThrow(advice);
  });

  test.each<[what: string, sources: object]>([
    ['a flag', { accounts: { fields: { two_factor_enabled: { column: 'totp_secret', true: 'x' } } } }],
    ['a time', { accounts: { fields: { updated_at: 'password' } } }],
    ['a number', { accounts: { fields: { inode_count: 'token_count' } } }],
    [
      'words of the mapping',
      { accounts: { fields: { status: { column: 'password', values: { '!': 'suspended' } } } } },
    ],
    [
      'a word of a function',
      { accounts: { fields: { status: { column: 'password', from: () => 'active' } } } },
    ],
    [
      'cases',
      { accounts: { fields: { status: { cases: [{ when: { password: '!' }, is: 'suspended' }] } } } },
    ],
    ['a time of a credential', { accounts: { fields: { plan: 'password_changed_at' } } }],
    ['the id of a credential', { jobs: { fields: { account_id: 'auth_user_id' } } }],
    ['a key of a plan', { accounts: { fields: { plan: 'plan_key' } } }],
    ['the key of a setting', { settings: { fields: { key: 'setting_key' } } }],
    ['a column that is called key', { domains: { fields: { id: { column: 'key', number: true } } } }],
    ['the key of a file', { backups: { fields: { file_name: 's3_key', storage: 'storageKey' } } }],
    ['a command', { cron: { fields: { command: 'secret_command' } } }],
    [
      'a type that is worked out from the command',
      { cron: { fields: { type: { column: 'command', from: () => 'url' } } } },
    ],
    ['a confirmed text', { databases: { fields: { users: { column: 'password', confirm: true } } } }],
  ])('is none in %s', (_, sources) => {
    expect(() => mount(sources)).not.toThrow();
  });

  test('is in no column that a field reads by its own name', () => {
    const names = operations
      .filter(({ kind }) => kind === 'list')
      .flatMap(({ name, fields }) => Object.keys(fields).map((field) => `${name}.${field}`));
    expect(names.filter((name) => looksLikeCredential(name.replace(/^.*\./, '')))).toEqual(['settings.key']);
  });
});

describeEachEngine('A confirmed text that may be secret', (engine) => {
  const panels = sourcePanels(engine);
  const command = '/usr/bin/php /var/www/cron.php --token=S3cretS3cret hunter2';

  const sources = (): Sources => ({
    cron: {
      table: 'crons',
      fields: {
        schedule: { value: '@daily' },
        enabled: { value: true },
        name: { column: 'command', confirm: true },
        run_as: { column: 'command', confirm: true },
      },
    },
    databases: {
      table: 'dbs',
      fields: {
        engine: { value: 'mariadb' },
        users: { column: 'db_password', confirm: true },
        charset: { column: 'secret', confirm: true },
      },
    },
  });

  beforeEach(async () => {
    await panels.table('crons', { command: 'string' }, [{ command }]);
    await panels.table('dbs', { name: 'string', db_password: 'string', secret: 'string' }, [
      { name: 'shop', db_password: 'hunter2,/etc/x', secret: 'summer' },
    ]);
  });

  test('is masked as a command, and behind its first word for a credential', async () => {
    const { items } = await panels.start(sources());
    const [task] = await items('cron');
    expect(task).toMatchObject({ name: maskCommand(command), command: maskCommand(command) });
    expect(await items('databases')).toEqual([
      expect.objectContaining({ name: 'shop', users: ['…', '/etc/x'], charset: '…' }),
    ]);
  });

  test('is found by no filter and no search, and its confirmation is used', async () => {
    const { get } = await panels.start(sources());
    expect((await get('cron.php?search=/usr')).status).toBe(400);
    expect((await get('cron.php?run_as=root')).status).toBe(400);
    const found = await checkSources({ db: panels.knex, sources: sources() });
    expect(found.flatMap(({ warnings }) => warnings.map(({ code }) => code))).toEqual([]);
  });
});
