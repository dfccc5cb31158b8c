import { AUTHOR, type PanelDatabase, panelDatabase } from '../../fixture/command/panelDatabase';

const CREATE = ['token', 'create', '--name', 'billing', '--scope', 'domains.read', '--expires', 'never'];

describe('panel-api token', () => {
  let database: PanelDatabase;

  beforeEach(async () => {
    database = await panelDatabase('postgresql');
  });

  const secondsBetween = (earlier: string | null, later: string | null) =>
    (Date.parse(String(later)) - Date.parse(String(earlier))) / 1000;
  const rotate = (id: number) =>
    database.installation.tokens.rotate(id, { graceSeconds: 86_400, expiresAt: null }, AUTHOR);

  test('create accepts addresses and a limit, and prints them', async () => {
    const allow = ['--allow', '192.0.2.7, 2001:DB8::/32', '--allow', '::ffff:203.0.113.9'];
    const { code, stderr } = await database.run([...CREATE, ...allow, '--rate-limit', '500']);
    expect([code, stderr.split('\n')[0]]).toEqual([
      0,
      expect.stringContaining(
        'Token 1 never expires. Scopes: domains.read. Allowed addresses: 192.0.2.7, 2001:db8::/32, 203.0.113.9. ' +
          'Rate limit: 500 requests per window.',
      ),
    ]);
    expect(await database.json('token', 'show', '1')).toMatchObject({
      allowed_addresses: ['192.0.2.7', '2001:db8::/32', '203.0.113.9'],
      rate_limit: 500,
    });
  });

  test('create prints a limit of one request in the singular', async () => {
    const { stderr } = await database.run([...CREATE, '--rate-limit', '1']);
    expect(stderr).toContain('Rate limit: 1 request per window.');
  });

  test.each([
    [['--allow', 'localhost'], '"localhost" is not an address'],
    [['--allow', '192.0.2.7,'], '"" is not an address'],
    [['--allow', '192.0.2.7/24'], 'write 192.0.2.0/24 for the network or 192.0.2.7'],
    [['--rate-limit', '0'], 'at least 1'],
    [['--rate-limit', '1e3'], 'at least 1'],
    [['--rate-limit', '1000000001'], 'from 1 to 1000000000'],
  ])('create refuses %j and creates no token', async (options, sentence) => {
    const { code, stdout, stderr } = await database.run([...CREATE, ...options]);
    expect([code, stdout, stderr]).toEqual([2, '', expect.stringContaining(sentence)]);
    expect(await database.tokens()).toEqual([]);
  });

  test('list and show do not say when a revoked token would have expired from now', async () => {
    await database.create({ expiresInSeconds: 64 * 86_400 + 60 });
    await database.create({ expiresAt: null });
    for (const id of [1, 2]) await database.installation.tokens.revoke(id, AUTHOR);
    const expiry = (line = '') => line.split(/ {2,}/)[5];
    for (const onTerminal of [{}, { typed: '', columns: 200, env: { NO_COLOR: '1' } }]) {
      const { stdout } = await database.run(['token', 'list'], onTerminal);
      expect(stdout.split('\n').slice(1, 3).map(expiry)).toEqual(['-', '-']);
      expect(stdout).not.toMatch(/in \d+ (?:days|months)/);
      const shown = await database.run(['token', 'show', '1'], onTerminal);
      expect(shown.stdout).toMatch(/expires +\d{4}-\d\d-\d\dT[\d:]+\+00:00\n/);
    }
  });

  test('list and show print the addresses, the limit and the lineage', async () => {
    await database.create({ allowedAddresses: ['192.0.2.7', '198.51.100.0/24'], rateLimit: 500 });
    await rotate(1);
    const { stdout } = await database.run(['token', 'list']);
    expect(stdout.split('\n').slice(0, 3)).toEqual([
      expect.stringMatching(/STATE .* ACCOUNT +ADDRESSES +LIMIT +LINEAGE/),
      expect.stringMatching(/^2 +billing .* active .* - +192\.0\.2\.7 198\.51\.100\.0\/24 +500 +1 /),
      expect.stringMatching(
        /^1 +billing .* rotated, still valid .* - +192\.0\.2\.7 198\.51\.100\.0\/24 +500 +1 /,
      ),
    ]);
    const shown = (await database.run(['token', 'show', '1'])).stdout;
    expect(shown).toMatch(/^addresses +192\.0\.2\.7 198\.51\.100\.0\/24$/m);
    expect(shown).toMatch(/^rate_limit +500$/m);
    expect(shown).toMatch(/^lineage +1$/m);
    expect(shown).toMatch(/^rotated +\d{4}-/m);
    expect((await database.run(['token', 'show', '2'])).stdout).toMatch(/^rotated +never$/m);
  });

  test('list and show print a hundred networks in full', async () => {
    const networks = Array.from(
      { length: 100 },
      (_, index) => `2001:db8:1111:2222:3333:4444:5555:${1000 + index}`,
    );
    await database.create({ allowedAddresses: networks });
    for (const command of [['list'], ['show', '1']])
      expect((await database.run(['token', ...command])).stdout).toContain(networks.join(' '));
  });

  test('rotate prints the new token alone on standard output, and until when the old one is valid', async () => {
    const first = await database.run(CREATE);
    const { code, stdout, stderr } = await database.run(['token', 'rotate', '1']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^pnl_[0-9A-Za-z]{46}\n$/);
    expect(stdout).not.toBe(first.stdout);
    expect(stderr).toMatch(
      /^Token 2 replaces token 1, which is valid until \S+\+00:00\. Store the token now/,
    );
    const { rotated_at, expires_at } = await database.token(1);
    expect(secondsBetween(rotated_at, expires_at)).toBe(86_400);
  });

  test('rotate shows the new token on a terminal', async () => {
    await database.create();
    const { code, stdout } = await database.run(['token', 'rotate', '1', '--grace', '5m'], { typed: '' });
    expect(code).toBe(0);
    expect(stdout).toMatch(/^pnl_[0-9A-Za-z]{46}\n/);
    expect(stdout).toMatch(/Token 2 replaces token 1, which is valid until \S+\+00:00\./);
  });

  test('rotate --json prints the new token with both records', async () => {
    await database.create();
    const rotated = await database.json('token', 'rotate', '1', '--grace', '2w');
    expect(rotated).toMatchObject({
      token: expect.stringMatching(/^pnl_[0-9A-Za-z]{46}$/),
      id: 2,
      lineage: 1,
      rotated_at: null,
      expires_at: null,
      previous: { id: 1, lineage: 1, state: 'active' },
    });
    const { rotated_at, expires_at } = rotated.previous;
    expect(secondsBetween(rotated_at, expires_at)).toBe(14 * 86_400);
    expect((await database.trail()).map(({ action, token_id }) => [action, token_id])).toEqual([
      ['token.rotated', 1],
      ['token.created', 2],
      ['token.created', 1],
    ]);
  });

  test.each([
    ['1', ['--grace', '31d'], 2, 'from 5 minutes (300 seconds) to 30 days (2592000 seconds)'],
    ['1', ['--grace', '4m'], 2, 'from 5 minutes (300 seconds) to 30 days (2592000 seconds)'],
    ['1', ['--grace', '0'], 2, 'To end a token at once, revoke it.'],
    ['1', ['--grace', 'soon'], 2, 'A duration is written as'],
    ['1', ['--grace', '2030-12-31'], 2, 'A duration is written as'],
    ['1', ['--grace', '-1h'], 2, 'A duration is written as'],
    ['x', [], 2, 'The id of a token'],
    ['7', [], 1, 'Token 7 does not exist.'],
  ])('rotate %s %j ends with %i and changes nothing', async (id, options, exit, sentence) => {
    await database.create();
    const before = await database.tokens();
    const { code, stdout, stderr } = await database.run(['token', 'rotate', id, ...options]);
    expect([code, stdout, stderr]).toEqual([exit, '', expect.stringContaining(sentence)]);
    expect(await database.tokens()).toEqual(before);
  });

  test('rotate is refused the second time', async () => {
    await database.create();
    await rotate(1);
    const { code, stderr } = await database.run(['token', 'rotate', '1']);
    expect([code, stderr]).toEqual([2, 'Token 1 was already rotated.\n']);
  });

  test('rotate revokes a new token that could not be shown, and says until when the old one is valid', async () => {
    await database.create();
    const { code, stderr } = await database.run(['token', 'rotate', '1'], { closedPipe: true });
    const [created, old] = await database.tokens();
    expect([code, stderr]).toEqual([
      5,
      `The new token could not be shown. It was revoked. Token 1 is valid until ${old?.expires_at}: run panel-api token extend 1 to keep it.\n`,
    ]);
    expect([created?.id, created?.state, old?.state]).toEqual([2, 'revoked', 'active']);
    expect(secondsBetween(String(old?.rotated_at), String(old?.expires_at))).toBe(86_400);
  });
});
