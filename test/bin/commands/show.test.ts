import { writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { type PanelDatabase, panelDatabase } from '../../fixture/command/panelDatabase';
import { createFilledTables, SECRET } from '../../fixture/panelTables';

const BEYOND_NUMBERS = '9007199254740993';
const UUID = '0c1d7a7e-9dad-41d1-80b4-00c04fd430c8';

/** The configuration of a panel whose columns need descriptions. */
const CONFIG = (url: string) => `
const knex = require(${JSON.stringify(require.resolve('knex'))});
const connection = ${JSON.stringify(url.replace(/^sqlite:/, ''))};
exports.db = knex({ client: 'better-sqlite3', connection, useNullAsDefault: true });
exports.sources = {
  accounts: {
    fields: {
      status: { column: 'status', values: { active: 'active', locked: 'suspended' } },
      disk_used_bytes: { column: 'disk_used_bytes', unit: 'KB' },
      two_factor_enabled: { column: 'password_hash', from: (hash) => hash !== null },
      name: { column: 'password_hash', from: (hash) => hash.length + ' characters', confirm: true },
      role: { value: 'customer' },
      plan: { columns: { one: 'username', other: 'email' }, compute: ({ one, other }) => one + ' <' + other + '>' },
    },
  },
  domains: {
    table: 'keyed',
    fields: {
      id: { column: 'key_id', number: true },
      domain: 'name', type: { value: 'primary' }, ssl_status: { value: 'none' }, status: { value: 'active' },
    },
  },
  websites: [{}, { table: 'old_websites', fields: { domain: 'name', status: { value: 'active' } } }],
  email: { fields: { status: { column: 'status', from: () => { throw new Error('${SECRET}'); } } } },
  cron: { fields: { enabled: { column: 'command', from: (command) => !command.startsWith('#') } } },
  services: { fields: ['id', 'name', 'status'], rows: () => [{ id: 'nginx', name: 'nginx', status: 'running' }] },
  settings: { keys: ['panel.name', 'smtp.password'] },
  jobs: { fields: ['id', 'type', 'status'], rows: () => Promise.reject(new Error('${SECRET}')) },
  backups: false,
};`;

describe('panel-api show', () => {
  let panel: PanelDatabase;
  let directory: string;

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'show-'));
    panel = await panelDatabase('sqlite');
    const { knex } = panel;
    await createFilledTables(knex);
    const other = { status: 'active', password_hash: SECRET };
    await knex('accounts').insert([
      { id: 7, username: 'bob', disk_limit_bytes: 2048, ...other },
      { id: 8, username: 'eve', ...other },
    ]);
    await knex('domains').insert(
      ['suspended', ...Array<string>(29).fill('active')].map((status, index) => ({
        domain: `${index}.example`,
        type: 'addon',
        ssl_status: 'none',
        status,
        account_id: 7,
      })),
    );
    await knex('email').insert({ address: 'x@shop.example', status: 'active' });
    await knex.schema.dropTable('ssl');
    await knex.schema.createTable('old_websites', (table) => {
      table.bigInteger('id').primary();
      table.string('name');
    });
    await knex('old_websites').insert({ id: knex.raw(BEYOND_NUMBERS), name: 'old.example' });
    await knex.schema.createTable('keyed', (table) => table.string('key_id').primary());
    await knex.schema.alterTable('keyed', (table) => table.string('name'));
    await knex('keyed').insert({ key_id: UUID, name: 'shop.example' });
    writeFileSync(join(directory, 'config.cjs'), CONFIG(panel.url));
  });

  afterAll(() => rm(directory, { recursive: true }));

  const show = (...args: readonly string[]) => panel.run(['show', ...args]);
  const configured = (...args: readonly string[]) =>
    panel.start(['show', '--config', join(directory, 'config.cjs'), ...args]);
  /** The fields of a list by their names, as `--sources` prints them for scripts. */
  const sourcesOf = async (...words: readonly string[]) => {
    const { stdout } = await configured(...words, '--sources', '--json');
    const fields: { field: string; columns: string[]; raw: (string | null)[]; value: unknown }[] =
      JSON.parse(stdout);
    const found = fields.map(({ field, columns, raw, value }) => [field, { columns, raw, value }] as const);
    return { fields: Object.fromEntries(found), stdout };
  };

  test('prints the first twenty rows as a table, and says how to see the next ones', async () => {
    const { code, stdout, stderr } = await show('domains');
    const lines = stdout.trimEnd().split('\n');
    expect([code, lines.length]).toEqual([0, 21]);
    expect(lines[0]).toMatch(/^id +domain +type /);
    expect(lines[1]).toMatch(/^1 +shop\.example +primary /);
    const [, cursor] = /use --limit, or cursor=(\S+) to go on/.exec(stderr) ?? [];
    expect((await show('domains', `cursor=${cursor}`, '--limit', '2')).stdout).toMatch(
      /^21 +19\.example .*\n22 /m,
    );
  });

  test('takes the parameters of a query, and the fields', async () => {
    const { stdout } = await show('domains', 'status=suspended', '--fields', 'domain,status');
    expect(stdout).toBe('id  domain     status\n2   0.example  suspended\n');
    expect(await panel.json('show', 'domains', 'count=status')).toEqual({
      resource: 'domains',
      items: [],
      total: 31,
      counts: { active: 30, suspended: 1 },
    });
  });

  test('names the unknown words of a filter that no row matches', async () => {
    const { stdout, stderr } = await show('domains', 'status=actve');
    expect(stdout).toBe('No row matches.\n');
    expect(stderr).toMatch(/^Unknown words: \{"status":\["actve"\]\}\.$/m);
    expect(await panel.json('show', 'domains', 'status=actve')).toEqual({
      resource: 'domains',
      items: [],
      next_cursor: null,
      unknown_words: { status: ['actve'] },
    });
  });

  test('prints the data of the answer for scripts, to a token of one account', async () => {
    const words = ['domains', '--account', '7', '--limit', '1', '--fields', 'account_id'];
    expect(await panel.json('show', ...words)).toEqual({
      resource: 'domains',
      items: [{ id: 2, account_id: 7 }],
      next_cursor: expect.any(String),
    });
    expect((await show('domains', '--account', '8')).stdout).toBe('No row matches.\n');
    expect((await show('domains', '--account', '8', '--sources')).stdout).toBe('No row matches.\n');
    expect((await show('domains', '--account', '9')).stderr).toBe('The list of accounts has no account 9.\n');
  });

  test('names the fields for which the terminal is too narrow, and keeps within it', async () => {
    const { stdout } = await panel.run(['show', 'domains'], { typed: '', columns: 60 });
    const lines = stripVTControlCharacters(stdout).trimEnd().split('\n');
    expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(60);
    expect(lines.slice(21).join(' ')).toMatch(/^left out: .*dnssec_enabled.* updated_at$/);
  });

  test('is in the audit trail with the list and the account, unless nothing was shown', async () => {
    const before = (await panel.trail()).length;
    await show('domains', '--account', '7');
    await show('accounts', '--sources');
    await show('ssl');
    const trail = (await panel.trail()).slice(0, -before || undefined);
    expect(trail.map(({ action, origin, details }) => ({ action, origin, details }))).toEqual([
      { action: 'lists.shown', origin: 'cli', details: { lists: ['accounts'], account_id: null } },
      { action: 'lists.shown', origin: 'cli', details: { lists: ['domains'], account_id: '7' } },
    ]);
    expect((await panel.run(['audit', '--action', 'lists.shown'])).stdout).toMatch(
      / looked at rows of lists .* lists: domains; account: 7\n/,
    );
  });

  test('shows from which columns each field comes, with a raw value that is no secret beside the answered one', async () => {
    const { fields, stdout } = await sourcesOf('accounts');
    expect(fields).toMatchObject({
      status: { columns: ['status'], raw: ['active'], value: 'active' },
      disk_used_bytes: { columns: ['disk_used_bytes'], raw: ['1024'], value: 1_048_576 },
      // The first row has -1, which is answered as null.
      disk_limit_bytes: { raw: ['2048'], value: 2048 },
      role: { columns: [], raw: [], value: 'customer' },
      plan: { columns: ['username', 'email'], value: 'anna <anna@example.org>' },
      created_at: { raw: ['2026-06-12 00:00:00'], value: '2026-06-12T00:00:00+00:00' },
      two_factor_enabled: { columns: ['password_hash'], raw: ['…'], value: true },
      name: { raw: ['…'], value: '…' },
    });
    expect(stdout).not.toContain(SECRET);
  });

  test('hides the raw value of a masked command', async () => {
    const { stdout } = await show('cron', '--sources');
    expect(stdout).toMatch(/^command +command +… +mysqldump --password=… …$/m);
    expect(stdout).not.toContain(SECRET);
  });

  test.each([
    ['cron', { command: { raw: ['…'] }, enabled: { columns: ['command'], raw: ['…'], value: true } }],
    ['settings key=smtp.password', { key: { raw: ['smtp.password'] }, value: { raw: ['…'], value: null } }],
  ])('hides in the columns of %s what the API masks', async (words, masked) => {
    const { fields, stdout } = await sourcesOf(...words.split(' '));
    expect(fields).toMatchObject(masked);
    expect(stdout).not.toContain(SECRET);
  });

  test('shows the sources of each part of a list, and ids beyond the numbers of JavaScript', async () => {
    const { stdout } = await configured('websites', '--sources', '--fields', 'domain', '--json');
    const whole = stdout.replace(`${BEYOND_NUMBERS}1`, '1');
    expect(JSON.parse(whole)).toEqual([
      { part: 0, field: 'id', columns: ['id'], raw: ['1'], value: 10 },
      { part: 0, field: 'domain', columns: ['domain'], raw: ['shop.example'], value: 'shop.example' },
      { part: 1, field: 'id', columns: ['id'], raw: [BEYOND_NUMBERS], value: 1 },
      { part: 1, field: 'domain', columns: ['name'], raw: ['old.example'], value: 'old.example' },
    ]);
  });

  test('shows the key from which a number is derived, although it looks random', async () => {
    const { fields } = await sourcesOf('domains');
    expect(fields).toMatchObject({ id: { columns: ['key_id'], raw: [UUID], value: expect.any(Number) } });
  });

  test('shows a list of a function, which has no columns', async () => {
    const { stdout, stderr } = await configured('services', '--sources');
    expect(stdout).toMatch(/^status +- +- +running$/m);
    expect(stderr).toMatch(/^Fields without a source: category, enabled, /);
  });

  test.each([
    [
      ['domains', 'colour=red'],
      2,
      /^Unknown parameter colour\. It can be one of limit, cursor, .*status.*\.\n$/,
    ],
    [
      ['domains', '--fields', 'colour'],
      2,
      /^fields names the unknown field colour\. It can be one of id, domain, /,
    ],
    [['domains', '--limit', '0'], 2, /^limit must be a whole number from 1 to 1,000\.\n$/],
    [['domains', '--account', ''], 2, /^The account of a token must be /],
    [
      ['settings', '--account', '7'],
      2,
      /^This token is bound to one account and cannot read this resource\.\n$/,
    ],
    [['ssl'], 1, /^The list ssl cannot be read\. The table ssl does not exist\.\n$/],
  ])('refuses %j with a sentence', async (args, code, sentence) => {
    expect(await show(...args)).toEqual({ code, stdout: '', stderr: expect.stringMatching(sentence) });
  });

  test('says that a list is off, or that its function fails, without the words of its error', async () => {
    expect(await configured('backups')).toMatchObject({
      code: 1,
      stderr: 'The list backups cannot be read. It is off: its source is false.\n',
    });
    expect(await configured('email')).toMatchObject({
      code: 1,
      stderr: 'The list email cannot be read. The function of the field status threw an error.\n',
    });
    expect(await configured('jobs')).toMatchObject({
      code: 1,
      stderr: 'The list jobs cannot be read. Run panel-api check to see why.\n',
    });
  });

  test('ends quietly if its reader has left', async () => {
    expect(await panel.start(['show', 'domains'], { closedPipe: true })).toMatchObject({
      code: 0,
      stdout: '',
    });
  });

  test('says that no database is configured', async () => {
    const { code, stderr } = await panel.run(['show', 'domains'], { env: { PANEL_API_DATABASE_URL: '' } });
    expect([code, stderr]).toEqual([2, expect.stringMatching(/^No database is set: /)]);
  });
});
