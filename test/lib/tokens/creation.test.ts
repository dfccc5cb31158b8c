import { createHash } from 'node:crypto';
import { type Author, InvalidInput, type TokenRequest } from '../../../index';
import { describeEachEngine, freshDatabase, type TestDatabase } from '../../fixture/databases';
import { AUTHOR, startPanel, type TestPanel } from '../../fixture/panel';

const REQUEST = { name: 'billing', scopes: ['domains.read'] };
const NOW = Math.floor(Date.now() / 1000);

const WRONG_REQUESTS: readonly unknown[] = [
  undefined,
  null,
  'billing',
  {},
  { scopes: ['*'] },
  { ...REQUEST, name: '' },
  { ...REQUEST, name: ' \t ' },
  { ...REQUEST, name: 'x'.repeat(129) },
  { ...REQUEST, name: 'a\0b' },
  { ...REQUEST, name: 7 },
  { ...REQUEST, name: null },
  { ...REQUEST, name: ['billing'] },
  { name: 'billing' },
  { ...REQUEST, scopes: [] },
  { ...REQUEST, scopes: '*' },
  { ...REQUEST, scopes: ['nope.read'] },
  { ...REQUEST, scopes: ['domains.read', 'Domains.read'] },
  { ...REQUEST, scopes: [['*']] },
  { ...REQUEST, scopes: [null] },
  { ...REQUEST, scopes: { 0: '*', length: 1 } },
  { ...REQUEST, expiresAt: NOW - 60 },
  { ...REQUEST, expiresAt: 0 },
  { ...REQUEST, expiresAt: -1 },
  { ...REQUEST, expiresAt: NOW + 60.5 },
  { ...REQUEST, expiresAt: Number.NaN },
  { ...REQUEST, expiresAt: Number.POSITIVE_INFINITY },
  { ...REQUEST, expiresAt: 253_402_300_800 },
  { ...REQUEST, expiresAt: String(NOW + 60) },
  { ...REQUEST, expiresAt: new Date() },
  { ...REQUEST, expiresAt: BigInt(NOW + 60) },
  { ...REQUEST, expiresInSeconds: 0 },
  { ...REQUEST, expiresInSeconds: -60 },
  { ...REQUEST, expiresInSeconds: 0.5 },
  { ...REQUEST, expiresInSeconds: '60' },
  { ...REQUEST, expiresInSeconds: '' },
  { ...REQUEST, expiresInSeconds: null },
  { ...REQUEST, expiresInSeconds: true },
  { ...REQUEST, expiresInSeconds: [60] },
  { ...REQUEST, expiresInSeconds: 60n },
  { ...REQUEST, expiresInSeconds: Symbol('60') },
  { ...REQUEST, expiresAt: NOW + 60, expiresInSeconds: 60 },
];

const WRONG_AUTHORS: readonly unknown[] = [
  {},
  { ...AUTHOR, actor: '' },
  { ...AUTHOR, actor: ' ' },
  { ...AUTHOR, actor: 7 },
  { ...AUTHOR, actor: 'x'.repeat(129) },
  { ...AUTHOR, origin: 'web' },
  { actor: 'tester' },
];

describeEachEngine('Creating a token', (engine) => {
  let database: TestDatabase;
  let panel: TestPanel;

  beforeAll(async () => {
    database = await freshDatabase(engine);
    panel = await startPanel({ db: database.knex });
  });

  const rowCounts = async () => {
    const rows = [await database.knex('panel_api_tokens'), await database.knex('panel_api_audit_log')];
    return rows.map(({ length }) => length);
  };

  test('reads what a request inherits, such as the account from a class', async () => {
    const inherited = {
      accountId: 7,
      note: 'for 7',
      rateLimit: 9,
      allowedAddresses: ['::1'],
      expiresAt: NOW + 999,
    };
    const request: TokenRequest = Object.assign(Object.create(inherited), REQUEST);
    const { record } = await panel.api.tokens.create(request, AUTHOR);
    expect(record).toMatchObject({ ...inherited, accountId: '7' });
  });

  test('returns its record, as the list shows it', async () => {
    const { record } = await panel.api.tokens.create({ ...REQUEST, expiresInSeconds: 60 }, AUTHOR);
    expect(record).toMatchObject({
      name: 'billing',
      scopes: ['domains.read'],
      createdBy: 'tester',
      lastUsedAt: null,
      revokedAt: null,
      revokedBy: null,
      state: 'active',
    });
    expect(record.expiresAt! - record.createdAt).toBe(60);
    const [listed] = await panel.api.tokens.list();
    expect(listed).toEqual({ ...record, readAt: listed?.readAt });
  });

  test('leaves one entry in the audit trail: who, when, what and from where', async () => {
    const { record } = await panel.api.tokens.create(
      { ...REQUEST, expiresAt: null },
      { actor: 'anna', origin: 'cli' },
    );
    expect(await panel.api.audit.list({ tokenId: record.id })).toEqual([
      {
        id: expect.any(Number),
        at: record.createdAt,
        action: 'token.created',
        actor: 'anna',
        origin: 'cli',
        address: null,
        tokenId: record.id,
        details: {
          name: 'billing',
          note: null,
          scopes: ['domains.read'],
          account_id: null,
          accounts: [],
          owner: null,
          allowed_addresses: [],
          rate_limit: null,
          expires_at: null,
        },
      },
    ]);
  });

  test('stores its SHA-256 and nothing else from which it could be read', async () => {
    const { token, record } = await panel.api.tokens.create(REQUEST, AUTHOR);
    await panel.get('/api/v1/me.php', token);
    const { hash } = await database.knex('panel_api_tokens').first('hash').where({ id: record.id });
    expect(Buffer.from(hash)).toEqual(createHash('sha256').update(token).digest());
    const tables = ['tokens', 'audit_log', 'settings', 'rate_limits', 'migrations'];
    const values: string[] = [];
    for (const table of tables)
      for (const row of await database.knex(`panel_api_${table}`))
        for (const value of Object.values(row))
          values.push(Buffer.isBuffer(value) ? value.toString('latin1') : String(value));
    const random = token.slice('pnl_'.length);
    // Twelve characters in a row are more than are stored for recognition.
    const pieces = Array.from({ length: random.length - 11 }, (_, place) => random.slice(place, place + 12));
    expect(values.filter((value) => pieces.some((piece) => value.includes(piece)))).toEqual([]);
    expect(values).toContain(token.slice(0, 'pnl_'.length + 6));
  });

  test.each(['💶 Rechnung 🏦', 'Žluťoučký kůň', '名前', "O'Brien; DROP TABLE x --", '👩‍👩‍👧'.repeat(16)])(
    'keeps the name %s as it is',
    async (name) => {
      const { token, record } = await panel.api.tokens.create({ ...REQUEST, name, scopes: ['*'] }, AUTHOR);
      expect(record.name).toBe(name);
      expect((await panel.get('/api/v1/me.php', token)).body.data.token.name).toBe(name);
      const [entry] = await panel.api.audit.list({ tokenId: record.id });
      expect(entry?.details.name).toBe(name);
    },
  );

  test('keeps the wildcard alone, and every scope once and in the order of the documentation', async () => {
    const scopes = async (given: string[]) =>
      (await panel.api.tokens.create({ ...REQUEST, scopes: given }, AUTHOR)).record.scopes;
    expect(await scopes(['domains.read', '*'])).toEqual(['*']);
    expect(await scopes(['email.read', 'domains.read', 'email.read'])).toEqual([
      'domains.read',
      'email.read',
    ]);
  });

  test('refuses an incomplete or wrong request with InvalidInput, and writes nothing', async () => {
    const before = await rowCounts();
    for (const request of WRONG_REQUESTS) {
      const outcome = await panel.api.tokens.create(request as TokenRequest, AUTHOR).catch((error) => error);
      expect([request, outcome]).toEqual([request, expect.any(InvalidInput)]);
    }
    expect(await rowCounts()).toEqual(before);
  });

  test('refuses an author that the audit trail cannot store, and writes nothing', async () => {
    const before = await rowCounts();
    for (const author of WRONG_AUTHORS) {
      const outcome = await panel.api.tokens.create(REQUEST, author as Author).catch((error) => error);
      expect([author, outcome]).toEqual([author, expect.any(InvalidInput)]);
    }
    expect(await rowCounts()).toEqual(before);
  });

  test('leaves no token behind when its audit entry cannot be written', async () => {
    const before = await rowCounts();
    await database.knex.schema.renameTable('panel_api_audit_log', 'elsewhere');
    await expect(panel.api.tokens.create(REQUEST, AUTHOR)).rejects.toThrow('tokens.create failed');
    await database.knex.schema.renameTable('elsewhere', 'panel_api_audit_log');
    expect(await rowCounts()).toEqual(before);
  });

  test('creates a token and an audit entry for each of several simultaneous requests of one name', async () => {
    const before = await rowCounts();
    const created = await Promise.all(
      Array.from({ length: 10 }, () => panel.api.tokens.create({ ...REQUEST, name: 'twin' }, AUTHOR)),
    );
    expect(new Set(created.map(({ token }) => token)).size).toBe(10);
    expect(new Set(created.map(({ record }) => record.id)).size).toBe(10);
    expect(await rowCounts()).toEqual(before.map((count) => count + 10));
    for (const { record } of created)
      expect(await panel.api.audit.list({ tokenId: record.id })).toHaveLength(1);
  });
});
