import { AUTHOR, type PanelDatabase, panelDatabase } from '../../fixture/command/panelDatabase';
import { setToken } from '../../fixture/tokenRows';

const NOW = Math.floor(Date.now() / 1000);
const DAY = 86_400;
const CREATE = ['token', 'create', '--name', 'billing', '--scope', 'domains.read'];

describe('panel-api token', () => {
  let database: PanelDatabase;

  beforeEach(async () => {
    database = await panelDatabase('sqlite');
    await database.create({ note: 'for the invoices', expiresInSeconds: 30 * DAY });
  });

  const revoke = (id: number) => database.installation.tokens.revoke(id, AUTHOR);
  const set = (id: number, values: Record<string, unknown>) => setToken(database.knex, id, values);
  const actions = async () => (await database.trail()).map(({ action }) => action);

  /** How long a token lives from now, in days. */
  const daysLeft = ({ expires_at }: { expires_at: string | null }) =>
    Math.round((Date.parse(String(expires_at)) / 1000 - NOW) / DAY);

  test('create --note stores the note, which show prints', async () => {
    await database.run([...CREATE, '--note', 'for two invoices']);
    expect(await database.json('token', 'show', '2')).toMatchObject({ note: 'for two invoices', version: 1 });
    expect((await database.run(['token', 'show', '2'])).stdout).toMatch(/^note +for two invoices$/m);
  });

  test('show prints the address of the last use', async () => {
    await set(1, { last_used_at: NOW, last_used_address: '192.0.2.7' });
    expect(await database.json('token', 'show', '1')).toMatchObject({ last_used_address: '192.0.2.7' });
    expect((await database.run(['token', 'show', '1'])).stdout).toMatch(/^used_from +192\.0\.2\.7$/m);
  });

  test('edit changes the given properties, and prints the token', async () => {
    const named = ['--name', 'Billing 2', '--note', '', '--account', '007', '--rate-limit', '10'];
    const scopes = ['--scope', 'domains.read,ssl.read', 'jobs.read'];
    const others = ['--allow', '192.0.2.7', '2001:db8::/32', '--expires', 'never'];
    const { code, stdout } = await database.run(['token', 'edit', '1', ...named, ...scopes, ...others]);
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^name +Billing 2$/m)]);
    expect(await database.token(1)).toMatchObject({
      name: 'Billing 2',
      note: null,
      scopes: ['domains.read', 'ssl.read', 'jobs.read'],
      account_id: '007',
      allowed_addresses: ['192.0.2.7', '2001:db8::/32'],
      rate_limit: 10,
      expires_at: null,
      version: 2,
    });
    const [entry] = await database.trail();
    expect(entry).toMatchObject({
      action: 'token.changed',
      origin: 'cli',
      details: { name: { from: 'billing', to: 'Billing 2' }, account_id: { from: null, to: '007' } },
    });
  });

  test('edit leaves all other properties as they are', async () => {
    const { version, ...before } = await database.token(1);
    const { version: next, ...after } = await database.json('token', 'edit', '1', '--rate-limit', '5');
    expect([after, next]).toEqual([{ ...before, rate_limit: 5 }, version + 1]);
  });

  test('edit takes limits away', async () => {
    await database.create({ accountId: '7', allowedAddresses: ['192.0.2.7'], rateLimit: 5 });
    const any = ['--any-account', '--any-address', '--default-rate-limit'];
    expect(await database.json('token', 'edit', '2', ...any)).toMatchObject({
      account_id: null,
      allowed_addresses: [],
      rate_limit: null,
    });
  });

  test.each([
    [[], 'Name at least one property to change, such as --name.'],
    [['--account', '7', '--any-account'], "'--any-account' cannot be used with option '--account <id>'"],
    [['--allow', '192.0.2.7', '--any-address'], 'cannot be used with option'],
    [['--rate-limit', '7', '--default-rate-limit'], 'cannot be used with option'],
    [['--scope', 'nope.read'], 'Unknown scope "nope.read".'],
    [['--expires', 'soon'], 'The expiry must be a duration'],
    [['--expires', '2020-01-01'], 'The expiry must be in the future.'],
  ])('edit %j is refused with 2 and changes nothing', async (options, sentence) => {
    const { code, stderr } = await database.run(['token', 'edit', '1', ...options]);
    expect([code, stderr]).toEqual([2, expect.stringContaining(sentence)]);
    expect(await actions()).toEqual(['token.created']);
  });

  test('extend gives a later expiry, from now, by default that of the settings', async () => {
    const { code, stdout } = await database.run(['token', 'extend', '1']);
    expect([code, stdout]).toEqual([
      0,
      expect.stringMatching(/^Token 1 \(billing\) expires at \d{4}-.*\.\n$/),
    ]);
    expect(daysLeft(await database.token(1))).toBe(90);
    expect(daysLeft(await database.json('token', 'extend', '1', '--expires', '1y'))).toBe(365);
    const never = await database.run(['token', 'extend', '1', '--expires', 'never']);
    expect(never.stdout).toBe('Token 1 (billing) never expires.\n');
    expect(await actions()).toEqual(['token.extended', 'token.extended', 'token.extended', 'token.created']);
  });

  test('extend to an earlier expiry is refused with 2', async () => {
    const { code, stderr } = await database.run(['token', 'extend', '1', '--expires', '7d']);
    expect([code, stderr]).toEqual([2, 'The new expiry must be later than the present one.\n']);
  });

  test('duplicate prints a new token with the properties and the lifetime of one that has ended', async () => {
    await revoke(1);
    const { code, stdout, stderr } = await database.run(['token', 'duplicate', '1']);
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^pnl_[0-9A-Za-z]{46}\n$/)]);
    expect(stderr).toMatch(/^Token 2 expires at .* Scopes: domains\.read\. Store the token now/);
    const copy = await database.token(2);
    expect(copy).toMatchObject({ name: 'billing', note: 'for the invoices', state: 'active', lineage: 2 });
    expect(daysLeft(copy)).toBe(30);
  });

  test('duplicate takes other properties', async () => {
    const options = ['--name', 'copy', '--scope', '*', '--note', '', '--expires', 'never'];
    const copy = await database.json('token', 'duplicate', '1', ...options);
    expect(copy).toMatchObject({
      token: expect.stringMatching(/^pnl_/),
      id: 2,
      name: 'copy',
      note: null,
      scopes: ['*'],
      expires_at: null,
    });
    const [entry] = await database.trail();
    expect(entry).toMatchObject({ action: 'token.created', token_id: copy.id });
  });

  test('duplicate revokes a token that could not be shown', async () => {
    const { code, stderr } = await database.run(['token', 'duplicate', '1'], { closedPipe: true });
    expect([code, stderr]).toEqual([5, 'The new token could not be shown. It was revoked.\n']);
    expect(await database.token(2)).toMatchObject({ state: 'revoked' });
  });

  test('rotate --expires chooses the expiry of the new token', async () => {
    const rotated = await database.json('token', 'rotate', '1', '--grace', '5m', '--expires', '60d');
    expect(daysLeft(rotated)).toBe(60);
    expect(rotated.previous).toMatchObject({ id: 1, state: 'active' });
    const never = await database.json('token', 'rotate', '2', '--expires', 'never');
    expect(never).toMatchObject({ id: 3, expires_at: null });
  });

  test.each(['edit --name x', 'extend', 'duplicate'])(
    '%s ends with 1 if the token does not exist',
    async (words) => {
      const [command = '', ...options] = words.split(' ');
      const { code, stderr } = await database.run(['token', command, '7', ...options]);
      expect([code, stderr]).toEqual([1, 'Token 7 does not exist.\n']);
    },
  );

  test.each(['edit --name x', 'extend'])('%s of a token that has ended is refused with 2', async (words) => {
    await revoke(1);
    const [command = '', ...options] = words.split(' ');
    const { code, stderr } = await database.run(['token', command, '1', ...options]);
    expect([code, stderr]).toEqual([2, 'Token 1 is revoked. Only an active token can be changed.\n']);
  });

  const list = async (...options: string[]) => {
    const { code, stdout, stderr } = await database.run(['token', 'list', ...options, '--json']);
    return [code, JSON.parse(stdout).map(({ id }: { id: number }) => id), stderr];
  };

  test('list --expiring lists what expires within 14 days or another time, and exits with 6 if there is any', async () => {
    await database.create({ expiresInSeconds: 13 * DAY });
    await database.create({ expiresInSeconds: DAY });
    await set(1, { created_at: NOW - 100 * DAY });
    await set(2, { created_at: NOW - 100 * DAY });
    await revoke(3);
    expect(await list('--expiring')).toEqual([6, [2], '1 token was found.\n']);
    expect(await list('--expiring', '31d')).toEqual([6, [2, 1], '2 tokens were found.\n']);
    expect(await list('--expiring', '1h')).toEqual([0, [], '']);
    // A rotated token is meant to expire.
    const rotation = { graceSeconds: DAY, expiresInSeconds: 90 * DAY };
    await database.installation.tokens.rotate(2, rotation, AUTHOR);
    expect(await list('--expiring')).toEqual([0, [], '']);
    const { code, stdout } = await database.run(['token', 'list', '--expiring']);
    expect([code, stdout]).toEqual([0, 'No token matches.\n']);
    // Without its replacement it is the last of its lineage.
    const revoked = await database.run(['token', 'revoke', '4']);
    expect(revoked.stdout).toMatch(
      /^Token 4 \(.*\) is revoked\. Token 2, which was rotated, is the only one of its lineage that is left\. It expires at \S+: extend it, or create another token\.\n$/,
    );
    expect(await list('--expiring')).toEqual([6, [2], '1 token was found.\n']);
  });

  test('list --unused lists what was not used for 90 days or another time, and exits with 6 if there is any', async () => {
    await database.create({ expiresInSeconds: 3 * DAY });
    await set(1, { created_at: NOW - 100 * DAY });
    await set(2, { created_at: NOW - 100 * DAY, last_used_at: NOW - 5 * DAY });
    expect(await list('--unused')).toEqual([6, [1], '1 token was found.\n']);
    expect(await list('--unused', '4d')).toEqual([6, [2, 1], '2 tokens were found.\n']);
    expect(await list('--unused', '4d', '--expiring')).toEqual([6, [2], '1 token was found.\n']);
  });

  test('list --state lists the tokens in one state', async () => {
    await database.create();
    await revoke(1);
    expect(await list('--state', 'revoked')).toEqual([0, [1], '']);
    expect(await list('--state', 'active')).toEqual([0, [2], '']);
    expect(await list('--state', 'expired')).toEqual([0, [], '']);
    expect((await database.run(['token', 'list', '--state', 'rotated'])).code).toBe(2);
    const wrong = await database.run(['token', 'list', '--expiring', 'soon']);
    expect([wrong.code, wrong.stderr]).toEqual([2, 'A duration is written as 30m, 12h, 14d, 2w or 1y.\n']);
  });
});
