import { type Author, InvalidInput, StaleToken, type TokenChanges } from '../../../index';
import { describeOneEngine, freshDatabase, type TestDatabase } from '../../fixture/databases';
import { AUTHOR, startPanel, type TestPanel } from '../../fixture/panel';
import { startHost } from '../../fixture/processes/hostProcess';

const ME = '/api/v1/me.php';
const DAY = 86_400;
const NOW = Math.floor(Date.now() / 1000);

const WRONG_CHANGES: readonly unknown[] = [
  undefined,
  null,
  'name',
  { nmae: 'x' },
  { state: 'active' },
  { idempotencyKey: 'x' },
  { name: '' },
  { name: null },
  { name: undefined },
  { note: 'x'.repeat(501) },
  { note: 'a\0b' },
  { note: 7 },
  { note: undefined },
  { scopes: [] },
  { scopes: null },
  { scopes: ['nope.read'] },
  { accountId: '' },
  { accountId: undefined },
  { accountId: 1.5 },
  { allowedAddresses: null },
  { allowedAddresses: ['192.0.2.7/24'] },
  { rateLimit: 0 },
  { rateLimit: undefined },
  { expiresAt: NOW - 60 },
  { expiresAt: '2030-01-01' },
  { expiresInSeconds: 0 },
  { expiresInSeconds: null },
  { expiresAt: null, expiresInSeconds: 60 },
  { expiresAt: NOW + 60, expiresInSeconds: 60 },
  { version: '1' },
  { version: undefined },
];

describeOneEngine('Changing a token', (engine) => {
  let database: TestDatabase;
  let panel: TestPanel;

  beforeAll(async () => {
    database = await freshDatabase(engine);
    panel = await startPanel({ db: database.knex });
  });

  const create = (request: object = {}) =>
    panel.api.tokens.create({ name: 'billing', scopes: ['profile.read'], ...request }, AUTHOR);

  const update = (id: number, changes: TokenChanges, author: Author = AUTHOR) =>
    panel.api.tokens.update(id, changes, author);

  const entries = (tokenId: number) => panel.api.audit.list({ tokenId });

  /** The token's record and its entries, without the time of reading. */
  const stored = async (id: number) => [
    { ...(await panel.api.tokens.get(id)), readAt: null },
    await entries(id),
  ];

  test('changes every property, and the audit trail says from what to what', async () => {
    const { record } = await create({ expiresInSeconds: DAY });
    const changed = await update(
      record.id,
      {
        name: 'Reports',
        note: ' first line\r\nsecond line ',
        scopes: ['profile.read', 'domains.read'],
        accountId: 7,
        allowedAddresses: ['127.0.0.1', '192.0.2.0/24'],
        rateLimit: 5,
        expiresAt: null,
      },
      { actor: 'anna', origin: 'api-section' },
    );
    expect(changed).toEqual({
      ...record,
      name: 'Reports',
      note: 'first line\nsecond line',
      scopes: ['profile.read', 'domains.read'],
      accountId: '7',
      accounts: [{ id: '7', createdAt: null, username: null }],
      allowedAddresses: ['127.0.0.1', '192.0.2.0/24'],
      rateLimit: 5,
      expiresAt: null,
      version: record.version + 1,
      readAt: expect.any(Number),
    });
    expect(await panel.api.tokens.get(record.id)).toEqual({ ...changed, readAt: expect.any(Number) });
    const [entry] = await entries(record.id);
    const expiry = new Date(record.expiresAt! * 1000).toISOString().replace('.000Z', '+00:00');
    expect(entry).toMatchObject({
      action: 'token.changed',
      actor: 'anna',
      origin: 'api-section',
      at: changed!.readAt,
      details: {
        name: { from: 'billing', to: 'Reports' },
        note: { from: null, to: 'first line\nsecond line' },
        scopes: { from: ['profile.read'], to: ['profile.read', 'domains.read'] },
        account_id: { from: null, to: '7' },
        accounts: { from: [], to: ['7'] },
        allowed_addresses: { from: [], to: ['127.0.0.1', '192.0.2.0/24'] },
        rate_limit: { from: null, to: 5 },
        expires_at: { from: expiry, to: null },
      },
    });
  });

  test('changes only the properties that are present, and the entry names the token', async () => {
    const { record } = await create({ note: 'keep', rateLimit: 9, allowedAddresses: ['127.0.0.1'] });
    expect(await update(record.id, { rateLimit: null })).toEqual({
      ...record,
      rateLimit: null,
      version: record.version + 1,
      readAt: expect.any(Number),
    });
    const [entry] = await entries(record.id);
    expect(entry?.details).toEqual({ name: 'billing', rate_limit: { from: 9, to: null } });
  });

  test('takes away what null and empty lists mean', async () => {
    const { record } = await create({
      note: 'x',
      accountId: 7,
      allowedAddresses: ['127.0.0.1'],
      rateLimit: 9,
    });
    const nothing = { note: null, accountId: null, allowedAddresses: [], rateLimit: null };
    expect(await update(record.id, nothing)).toMatchObject(nothing);
    expect(await update(record.id, { note: 'y' })).toMatchObject({ note: 'y' });
    expect(await update(record.id, { note: 'y\rz' })).toMatchObject({ note: 'y\nz' });
    expect(await update(record.id, { note: ' \n ' })).toMatchObject({ note: null });
  });

  test('applies to the next request', async () => {
    const { token, record } = await create();
    const outcome = async () => {
      const { status, body } = await panel.get(ME, token);
      return body.error?.code ?? status;
    };
    expect(await outcome()).toBe(200);
    await update(record.id, { allowedAddresses: ['192.0.2.7'] });
    expect(await outcome()).toBe('ip_not_allowed');
    await update(record.id, { allowedAddresses: [], scopes: ['domains.read'] });
    expect(await outcome()).toBe('scope_missing');
  });

  test('writes neither a version nor an entry if nothing differs', async () => {
    const { record } = await create({ note: 'n', allowedAddresses: ['2001:db8::1'], expiresInSeconds: DAY });
    const before = await stored(record.id);
    const same = await update(record.id, {
      name: ' billing ',
      note: 'n',
      scopes: ['profile.read', 'profile.read'],
      accountId: null,
      allowedAddresses: ['2001:DB8:0::1'],
      rateLimit: null,
      expiresAt: record.expiresAt,
      version: record.version,
    });
    expect(same).toEqual({ ...record, readAt: expect.any(Number) });
    expect(await update(record.id, {})).toEqual({ ...record, readAt: expect.any(Number) });
    expect(await stored(record.id)).toEqual(before);
  });

  test('is refused with InvalidInput for a wrong change or author, and nothing is written', async () => {
    const { record } = await create();
    const before = await stored(record.id);
    for (const changes of WRONG_CHANGES) {
      const outcome = await update(record.id, changes as TokenChanges).catch((error) => error);
      expect([changes, outcome]).toEqual([changes, expect.any(InvalidInput)]);
      expect(outcome).not.toBeInstanceOf(StaleToken);
    }
    await expect(update(record.id, { name: 'x' }, {} as Author)).rejects.toThrow(InvalidInput);
    expect(await stored(record.id)).toEqual(before);
  });

  test('is refused for a token that is expired or revoked', async () => {
    const [expired, revoked] = [await create(), await create()];
    await database
      .knex('panel_api_tokens')
      .where({ id: expired.record.id })
      .update({ expires_at: expired.record.createdAt });
    await panel.api.tokens.revoke(revoked.record.id, AUTHOR);
    for (const [{ record }, state] of [
      [expired, 'expired'],
      [revoked, 'revoked'],
    ] as const) {
      const before = await stored(record.id);
      await expect(update(record.id, { name: 'x' })).rejects.toThrow(
        `Token ${record.id} is ${state}. Only an active token can be changed.`,
      );
      expect(await stored(record.id)).toEqual(before);
    }
  });

  test('is possible while a rotated token is still valid', async () => {
    const { record } = await create();
    await panel.api.tokens.rotate(record.id, { graceSeconds: DAY }, AUTHOR);
    expect(await update(record.id, { note: 'old one' })).toMatchObject({ note: 'old one', state: 'active' });
  });

  test('returns null if the token does not exist', async () => {
    for (const id of [999_999_999, 0, -1, 2 ** 31]) expect(await update(id, { name: 'x' })).toBeNull();
  });

  test('is refused with StaleToken, which has the present record, if another changed the token since', async () => {
    const { record } = await create();
    const other = await update(record.id, { name: 'other' });
    const error = await update(record.id, { note: 'mine', version: record.version }).catch(
      (thrown) => thrown,
    );
    expect(error).toBeInstanceOf(StaleToken);
    expect(error).toBeInstanceOf(InvalidInput);
    expect(error.current).toEqual({ ...other, readAt: expect.any(Number) });
    expect(await panel.api.tokens.get(record.id)).toEqual({ ...other, readAt: expect.any(Number) });
    expect(await update(record.id, { note: 'mine', version: other!.version })).toMatchObject({
      note: 'mine',
    });
  });

  test('is done by one of many at once that are based on the same version', async () => {
    const { record } = await create();
    const host = await startHost(database);
    const here = Array.from({ length: 5 }, (_, index) =>
      update(record.id, { name: `here ${index}`, version: record.version }).catch((error) => error),
    );
    const there = host
      .update(record.id, { name: 'there', version: record.version })
      .catch((error) => String(error));
    const outcomes = await Promise.all([...here, there]);
    const stale = outcomes.filter((outcome) => String(outcome).includes('StaleToken'));
    expect(stale).toHaveLength(outcomes.length - 1);
    expect(await panel.api.tokens.get(record.id)).toMatchObject({ version: record.version + 1 });
    expect(await entries(record.id)).toHaveLength(2);
  });

  test('loses no change of many at once, and each entry begins where the one before ended', async () => {
    const { record } = await create();
    const changes: readonly TokenChanges[] = [
      { name: 'one' },
      { note: 'two' },
      { rateLimit: 3 },
      { allowedAddresses: ['127.0.0.1'] },
      { scopes: ['*'] },
      { accountId: '6' },
      { name: 'seven' },
      { name: 'eight' },
    ];
    await Promise.all(changes.map((change) => update(record.id, change)));
    expect(await panel.api.tokens.get(record.id)).toMatchObject({
      note: 'two',
      rateLimit: 3,
      allowedAddresses: ['127.0.0.1'],
      scopes: ['*'],
      accountId: '6',
      version: record.version + changes.length,
    });
    const names = (await entries(record.id)).toReversed().map(({ details }) => details.name);
    let name: unknown = 'billing';
    for (const step of names as (string | { from: string; to: string })[]) {
      expect(typeof step === 'string' ? step : step.from).toBe(name);
      if (typeof step !== 'string') name = step.to;
    }
  });

  test('does not happen when its audit entry cannot be written', async () => {
    const { record } = await create();
    await database.knex.schema.renameTable('panel_api_audit_log', 'elsewhere');
    await expect(update(record.id, { name: 'x' })).rejects.toThrow('tokens.update failed');
    await database.knex.schema.renameTable('elsewhere', 'panel_api_audit_log');
    expect(await panel.api.tokens.get(record.id)).toEqual({ ...record, readAt: expect.any(Number) });
  });
});
