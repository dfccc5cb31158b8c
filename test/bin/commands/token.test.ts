import { userInfo } from 'node:os';
import { panelApi } from '../../fixture/command/panelApi';
import { type PanelDatabase, panelDatabase } from '../../fixture/command/panelDatabase';
import { commitProxy } from '../../fixture/faults/commitProxy';
import { setToken } from '../../fixture/tokenRows';

const CREATE = ['token', 'create', '--name', 'billing', '--scope', 'domains.read'];
const FOREVER = [...CREATE, '--expires', 'never'];

describe('panel-api token', () => {
  let database: PanelDatabase;

  beforeEach(async () => {
    database = await panelDatabase('mariadb');
  });

  test('create prints the token alone on standard output when that is no terminal', async () => {
    const { code, stdout, stderr } = await database.run(CREATE);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^pnl_[0-9A-Za-z]{46}\n$/);
    expect(stderr).not.toContain(stdout.trim());
    expect(stderr).toContain('cannot be shown again');
  });

  test('create shows the token with its id, scopes and expiry on a terminal', async () => {
    const { code, stdout } = await database.start([...CREATE, '--expires', '2100-01-01'], { typed: '' });
    expect(code).toBe(0);
    expect(stdout).toMatch(/^pnl_[0-9A-Za-z]{46}\r\n/);
    expect(stdout).toContain('Token 1 expires at 2100-01-01T23:59:59+00:00. Scopes: domains.read.');
    expect(stdout).toContain('cannot be shown again');
  });

  test('create --json prints the token with its record', async () => {
    const scopes = ['--scope', 'domains.read,ssl.read', '--scope', 'cron.read', 'jobs.read'];
    const created = await database.json(
      'token',
      'create',
      '--name',
      ' billing ',
      ...scopes,
      '--expires',
      '90d',
    );
    expect(created).toEqual({
      token: expect.stringMatching(/^pnl_[0-9A-Za-z]{46}$/),
      id: 1,
      name: 'billing',
      note: null,
      prefix: created.token.slice(0, 10),
      scopes: ['domains.read', 'ssl.read', 'jobs.read', 'cron.read'],
      account_id: null,
      account_ids: [],
      owner: false,
      allowed_addresses: [],
      rate_limit: null,
      lineage: 1,
      state: 'active',
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/),
      created_by: userInfo().username,
      origin: 'cli',
      expires_at: expect.any(String),
      last_used_at: null,
      last_used_address: null,
      rotated_at: null,
      revoked_at: null,
      revoked_by: null,
      version: 1,
    });
    expect((Date.parse(created.expires_at) - Date.parse(created.created_at)) / 1000).toBe(90 * 86_400);
  });

  test('create without an expiry uses and prints the default of the settings', async () => {
    const [lifetime, note] = [90 * 86_400, /^Token 1 expires at \d{4}-/];
    expect((await database.run(CREATE)).stderr).toMatch(note);
    const { created_at, expires_at } = await database.token(1);
    expect((Date.parse(String(expires_at)) - Date.parse(created_at)) / 1000).toBe(lifetime);
    await database.run(['settings', 'set', 'default_expiry_days', 'never']);
    expect((await database.run(CREATE)).stderr).toContain('never expires.');
  });

  test('create --expires never creates a token that never expires', async () => {
    expect((await database.run(FOREVER)).stderr).toContain('Token 1 never expires. Scopes: domains.read.');
    expect(await database.token(1)).toMatchObject({ expires_at: null });
  });

  test('list names every token, the newest first, and never the token itself', async () => {
    const [first, second] = [await database.run(FOREVER), await database.run([...FOREVER, '--scope', '*'])];
    const { stdout } = await database.run(['token', 'list']);
    expect(stdout.split('\n').slice(1, 3)).toEqual([
      expect.stringMatching(/^2 +billing +\* +active +never +never +pnl_\w{6}… +- +any +default +2 +\S+$/),
      expect.stringMatching(
        /^1 +billing +domains\.read +active +never +never +pnl_\w{6}… +- +any +default +1 +\S+$/,
      ),
    ]);
    expect(stdout).not.toContain(first.stdout.trim());
    expect(stdout).not.toContain(second.stdout.trim());
    expect((await database.json('token', 'list')).map(({ id }: { id: number }) => id)).toEqual([2, 1]);
  });

  test('create --account creates a token of one account, and prints the account', async () => {
    const { code, stdout, stderr } = await database.run([...FOREVER, '--account', '7']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^pnl_[0-9A-Za-z]{46}\n$/);
    expect(stderr).toContain('Token 1 never expires. Scopes: domains.read. Account: 7.');
    expect(await database.json(...CREATE, '--account', '007')).toMatchObject({ id: 2, account_id: '007' });
  });

  test('create looks its accounts up, and show names those that are refused', async () => {
    const { knex } = database;
    await knex.schema.createTable('accounts', (table) => {
      table.increments('id');
      for (const column of ['username', 'role', 'status', 'owner_id']) table.string(column);
    });
    await knex('accounts').insert([1, 2].map((id) => ({ username: `user${id}`, status: 'active' })));
    expect((await database.run([...CREATE, '--account', '3'])).stderr).toContain('has no account 3.');
    expect(await database.json(...CREATE, '--account', '1', '--account', '2')).toMatchObject({
      account_id: '1',
      account_ids: ['1', '2'],
      owner: false,
    });
    const reseller = await database.run([...CREATE, '--account', '1', '--owner']);
    expect(reseller.stderr).toContain('Account: 1 and the accounts that it owns.');
    expect(reseller.stderr).toContain('use --config FILE to include their sources');
    await knex('accounts').where({ id: 1 }).update({ status: 'suspended' });
    await knex('accounts').where({ id: 2 }).update({ username: 'other' });
    expect(await database.json('token', 'show', '1')).toMatchObject({
      refused_accounts: [
        { id: '1', refusal: 'account_suspended' },
        { id: '2', refusal: 'account_changed' },
      ],
    });
    await database.run(['token', 'edit', '1', '--account', '2']);
    expect((await database.run(['token', 'show', '1'])).stdout).toMatch(/^refused +-$/m);
  });

  test('list, show and audit name the account of a token', async () => {
    await database.create({ accountId: 'anna' });
    expect((await database.run(['token', 'list'])).stdout).toMatch(
      /^1 +billing .* active .* +anna +any +default +1 /m,
    );
    expect((await database.run(['token', 'show', '1'])).stdout).toMatch(/^account +anna$/m);
    expect(await database.json('token', 'list')).toEqual([expect.objectContaining({ account_id: 'anna' })]);
    expect(await database.json('token', 'show', '1')).toMatchObject({ account_id: 'anna' });
    expect(await database.json('token', 'revoke', '1')).toMatchObject({ account_id: 'anna' });
    const trail = await database.json('audit');
    expect(trail.map(({ details }: { details: object }) => details)).toEqual([
      { name: 'billing', account_id: 'anna', accounts: ['anna'], owner: null },
      expect.objectContaining({ name: 'billing', scopes: ['domains.read'], account_id: 'anna' }),
    ]);
  });

  test('list names those that may read a scope, and those of an account', async () => {
    const found = async (...options: readonly string[]) =>
      (await database.json('token', 'list', ...options)).map(({ id }: { id: number }) => id);
    await database.create({ accountId: '7' });
    await database.create({ accountIds: ['8', '7'], scopes: ['domains.read', 'settings.read'] });
    await database.create({ scopes: ['*'] });
    expect(await found('--scope', 'settings.read')).toEqual([3, 2]);
    expect(await found('--scope', 'settings.read', '--account', '7')).toEqual([2]);
    expect(await found('--account', '7', '--state', 'active')).toEqual([2, 1]);
    const { code, stderr } = await database.run(['token', 'list', '--scope', 'settings']);
    expect([code, stderr.split(',')[0]]).toEqual([2, 'The scope must be one of profile.read']);
  });

  test('show and revoke name one token, and a revoked token stays revoked', async () => {
    await database.create();
    expect((await database.run(['token', 'show', '1'])).stdout).toMatch(/^state +active$/m);
    const revoked = await database.run(['token', 'revoke', '1']);
    expect(revoked).toMatchObject({ code: 0, stdout: 'Token 1 (billing) is revoked.\n', stderr: '' });
    expect((await database.run(['token', 'revoke', '1'])).code).toBe(0);
    expect(await database.json('token', 'show', '1')).toMatchObject({
      state: 'revoked',
      revoked_by: userInfo().username,
      revoked_at: expect.stringMatching(/\+00:00$/),
    });
    expect(await database.trail()).toHaveLength(2);
  });

  test('revoke says on a terminal how the token is used, and asks', async () => {
    const revoke = (typed: string, ...more: readonly string[]) =>
      database.run(['token', 'revoke', '1', ...more], { typed });
    await database.create();
    const today = Math.floor(Date.now() / 86_400_000);
    const rows = [
      { day: today, endpoint: 'ssl', requests: 20 },
      { day: today - 9, endpoint: 'jobs', requests: 1900 },
    ];
    const counts = rows.map((row) => ({ ...row, token_id: 1, status_class: 2 }));
    await database.knex('panel_api_usage').insert(counts);
    const used = { last_used_at: Math.floor(Date.now() / 1000) - 180, last_used_address: '192.0.2.40' };
    await setToken(database.knex, 1, used);
    const refused = await revoke('no\n');
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain(
      'Token 1 (billing) is used 960 times a day, last 3 minutes ago from 192.0.2.40, by jobs and ssl. This revokes it permanently. Type yes to continue.\nNothing was changed.',
    );
    expect((await database.tokens())[0]).toMatchObject({ state: 'active' });
    expect((await revoke('yes\n')).code).toBe(0);
    expect((await database.tokens())[0]).toMatchObject({ state: 'revoked' });
    expect((await revoke('', '--yes')).code).toBe(0);
  });

  test('revoke says on a terminal that the token was not used', async () => {
    await database.create();
    const { stderr } = await database.run(['token', 'revoke', '1'], { typed: 'no\n' });
    expect(stderr).toContain(
      'Token 1 (billing) was not used in the last 30 days; last use: never. This revokes',
    );
  });

  test.each(['show', 'revoke'])('%s ends with 1 if the token does not exist', async (command) => {
    const { code, stdout, stderr } = await database.run(['token', command, '7']);
    expect({ code, stdout, stderr }).toEqual({ code: 1, stdout: '', stderr: 'Token 7 does not exist.\n' });
  });

  test('create revokes a token that could not be shown', async () => {
    const { code, stderr } = await database.start(CREATE, { closedPipe: true });
    expect(code).toBe(5);
    expect(stderr).toBe('The new token could not be shown. It was revoked.\n');
    expect(await database.tokens()).toEqual([expect.objectContaining({ state: 'revoked' })]);
  });

  test('create revokes a token if the answer of the database to its COMMIT is lost', async () => {
    await database.migrate();
    const proxy = await commitProxy(database.url);
    proxy.fate = 'connection lost';
    const { code, stdout, stderr } = await panelApi(proxy.url, CREATE);
    expect({ code, stdout, stderr }).toEqual({
      code: 3,
      stdout: '',
      stderr: 'The database cannot be reached, or it failed (COMMIT_UNANSWERED).\n',
    });
    expect(await database.tokens()).toEqual([expect.objectContaining({ state: 'revoked' })]);
  });
});
