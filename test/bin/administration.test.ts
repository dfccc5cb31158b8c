import { userInfo } from 'node:os';
import { AUTHOR, type PanelDatabase, panelDatabase } from '../fixture/command/panelDatabase';
import { describeOneEngine, isMysql } from '../fixture/databases';
import { LIST_NAMES } from '../fixture/listNames';
import { HISTORY } from '../fixture/migrations/history';
import { OWN_TABLES } from '../fixture/migrations/ownTables';
import { createPanelTables } from '../fixture/panelTables';

describeOneEngine('panel-api', (engine) => {
  let database: PanelDatabase;

  beforeEach(async () => {
    database = await panelDatabase(engine);
  });

  test('enable and disable turn the switch', async () => {
    expect((await database.run(['enable'])).stdout).toBe('The switch of the API is on.\n');
    expect(await database.json('status')).toMatchObject({ enabled: true, decided_by: 'switch' });
    expect(await database.json('disable')).toEqual({ enabled: false });
    expect((await database.run(['status'])).stdout).toMatch(/^api +off$/m);
  });

  test('audit says who did what through the terminal', async () => {
    await database.run(['enable']);
    await database.run([
      'token',
      'create',
      '--name',
      'billing',
      '--scope',
      'ssl.read',
      '--expires',
      '2100-01-01',
    ]);
    await database.run(['token', 'revoke', '1'], { env: { SUDO_USER: 'alice' } });
    await database.run(['disable'], { env: { SUDO_USER: 'not a\u001b name' } });
    const { username } = userInfo();
    const [disabled, revoked, created, enabled] = await database.json('audit');
    expect(enabled).toEqual({
      id: 1,
      at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/),
      actor: username,
      origin: 'cli',
      address: null,
      action: 'api.enabled',
      token_id: null,
      details: {},
    });
    expect(created).toMatchObject({
      actor: username,
      origin: 'cli',
      action: 'token.created',
      token_id: 1,
      details: { name: 'billing', scopes: ['ssl.read'], expires_at: '2100-01-01T23:59:59+00:00' },
    });
    expect(revoked).toMatchObject({ actor: 'alice', origin: 'cli', action: 'token.revoked', token_id: 1 });
    expect(disabled).toMatchObject({ actor: username, action: 'api.disabled' });
    expect(await database.json('audit', '--token', '1', '--limit', '1')).toEqual([revoked]);
    expect((await database.run(['audit', '--limit', '1'])).stdout).toMatch(
      /^4 .* switched the API off +- +cli /m,
    );
  });

  test('settings and rotated tokens are kept', async () => {
    await database.run(['settings', 'set', 'rate_limit_requests', '7']);
    await database.create({ allowedAddresses: ['192.0.2.0/24'] });
    const rotated = await database.json('token', 'rotate', '1', '--grace', '1h');
    expect(rotated).toMatchObject({ id: 2, lineage: 1, allowed_addresses: ['192.0.2.0/24'] });
    expect(await database.json('token', 'list')).toEqual([
      expect.objectContaining({ id: 2, state: 'active', rotated_at: null }),
      expect.objectContaining({ id: 1, state: 'active', rotated_at: expect.any(String) }),
    ]);
    expect((await database.run(['settings'])).stdout).toMatch(/^rate_limit_requests +7 /m);
  });

  test('status counts the tokens by their state', async () => {
    for (const name of ['active', 'expired', 'revoked']) await database.create({ name });
    await database.knex('panel_api_tokens').where({ name: 'expired' }).update({ expires_at: 1 });
    await database.installation.tokens.revoke(3, AUTHOR);
    const kind = engine === 'mariadb' && isMysql ? 'mysql' : engine;
    expect(await database.json('status')).toEqual({
      enabled: false,
      decided_by: 'switch',
      database: { kind, version: expect.stringMatching(/^\d+\.\d+/) },
      tables: {
        prefix: 'panel_api_',
        applied: HISTORY.map((name) => ({ name, applied_at: expect.stringMatching(/\+00:00$/) })),
        pending: [],
      },
      tokens: { active: 1, expired: 1, revoked: 1 },
      requests: { day: { requests: 0, errors: 0 }, month: { requests: 0, errors: 0 } },
    });
  });

  test.each([['status'], ['check'], ['openapi']])('%s creates no table', async (command) => {
    await database.run([command]);
    expect(await database.tables()).toEqual([]);
  });

  test('migrate creates the tables once', async () => {
    expect(await database.json('migrate')).toEqual({ applied: HISTORY });
    expect(await database.tables()).toEqual(OWN_TABLES.map((name) => `panel_api_${name}`));
    expect((await database.run(['migrate'])).stdout).toBe('The tables are up to date.\n');
  });

  test('migrate --down --yes leaves no table behind', async () => {
    await database.run(['token', 'create', '--name', 'billing', '--scope', '*', '--table-prefix', 'other_']);
    expect(await database.tables()).toEqual(OWN_TABLES.map((name) => `other_${name}`));
    const { code } = await database.run(['migrate', '--down', '--yes', '--table-prefix', 'other_']);
    expect(code).toBe(0);
    expect(await database.tables()).toEqual([]);
    expect((await database.run(['migrate', '--down', '--yes'])).code).toBe(0);
  });

  test('openapi prints the bare document of this database', async () => {
    await createPanelTables(database.knex, ['domains']);
    const document = await database.json('openapi');
    expect(document).toMatchObject({ openapi: '3.1.1' });
    expect(Object.keys(document.paths)).toContain('/api/v1/domains.php');
    expect(Object.keys(document.paths)).not.toContain('/api/v1/accounts.php');
  });

  test('check names what is missing and ends with 1', async () => {
    await createPanelTables(database.knex, ['domains', 'ssl']);
    await database.knex.schema.alterTable('ssl', (table) => table.dropColumn('common_name'));
    const { code, stdout, stderr } = await database.run(['check']);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^✓ domains +served +0 +\d+$/m);
    expect(stdout).toMatch(/^✗ accounts +missing +- +-\n {4}The table accounts does not exist\.$/m);
    expect(stdout).toMatch(
      /^✗ ssl +missing +- +-\n {4}The table ssl has no column common_name \(field common_name\)\.$/m,
    );
    expect(stdout).not.toContain('fields:');
    const { stdout: verbose } = await database.run(['check', '--verbose']);
    expect(verbose).toMatch(/^✓ domains .*\n {4}fields: id, domain, type/m);
    expect(stderr.split('\n')).toEqual([
      'Compared without the mount options: use --config FILE to include their sources.',
      expect.stringMatching(/^Without a list of accounts, /),
      `${LIST_NAMES.length - 2} of ${LIST_NAMES.length} lists cannot be served.`,
      '',
    ]);
  });

  test('check ends with 0 if every list can be served', async () => {
    await createPanelTables(database.knex);
    const { code, stdout } = await database.run(['check', '--json']);
    expect(code).toBe(0);
    expect(JSON.parse(stdout).map(({ resource }: { resource: string }) => resource)).toEqual(LIST_NAMES);
    expect(JSON.parse(stdout)[0]).toEqual({
      resource: 'accounts',
      state: 'served',
      fields: expect.arrayContaining(['id', 'username']),
      missing: [],
      warnings: [],
      rows: 0,
      all_rows: true,
    });
  });
});

describe('panel-api migrate --down on a terminal', () => {
  let database: PanelDatabase;

  beforeEach(async () => {
    database = await panelDatabase('sqlite');
    await database.migrate();
  });

  test('removes the tables after a yes', async () => {
    expect((await database.start(['migrate', '--down'], { typed: 'yes\n' })).code).toBe(0);
    expect(await database.tables()).toEqual([]);
  });

  test.each(['no\n', '\n', '\u0004'])('removes nothing after %j', async (typed) => {
    expect((await database.run(['migrate', '--down'], { typed })).code).toBe(2);
    expect(await database.tables()).toHaveLength(OWN_TABLES.length);
  });
});
