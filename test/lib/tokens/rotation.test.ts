import { type Author, DuplicateRequest, InvalidInput, type RotationRequest } from '../../../index';
import { describeEachEngine, freshDatabase, type TestDatabase } from '../../fixture/databases';
import { AUTHOR, startPanel, type TestPanel } from '../../fixture/panel';
import { plainSql } from '../../fixture/plainSql';
import { startHost } from '../../fixture/processes/hostProcess';

const ME = '/api/v1/me.php';
const DAY = 86_400;

const REQUEST = {
  name: 'billing',
  note: 'for the invoices',
  scopes: ['profile.read', 'domains.read'],
  accountId: 7,
  allowedAddresses: ['127.0.0.1', '2001:db8::/32'],
  rateLimit: 500,
};

const WRONG_ROTATIONS: readonly unknown[] = [
  undefined,
  null,
  {},
  { graceSeconds: undefined },
  { graceSeconds: null },
  { graceSeconds: -1 },
  { graceSeconds: 0 },
  { graceSeconds: 299 },
  { graceSeconds: 0.5 },
  { graceSeconds: '300' },
  { graceSeconds: Number.NaN },
  { graceSeconds: 30 * DAY + 1 },
  { graceSeconds: 300n },
  { graceSeconds: 300, idempotencyKey: '' },
  { graceSeconds: 300, idempotencyKey: undefined },
  { graceSeconds: 300, idempotencyKey: 'two words' },
  { graceSeconds: 300, name: 'other' },
  { graceSeconds: 300, expiresAt: 1 },
  { graceSeconds: 300, expiresAt: '2030-01-01' },
  { graceSeconds: 300, expiresInSeconds: 0 },
  { graceSeconds: 300, expiresInSeconds: null },
  { graceSeconds: 300, expiresAt: null, expiresInSeconds: 60 },
];

describeEachEngine('Rotating a token', (engine) => {
  let database: TestDatabase;
  let panel: TestPanel;

  beforeAll(async () => {
    database = await freshDatabase(engine);
    panel = await startPanel({ db: database.knex });
  });

  const create = (request: object = {}) => panel.api.tokens.create({ ...REQUEST, ...request }, AUTHOR);

  const rotate = async (id: number, request: RotationRequest = { graceSeconds: DAY }) => {
    const rotated = await panel.api.tokens.rotate(id, request, { actor: 'anna', origin: 'api-section' });
    if (!rotated) throw new Error(`There is no token ${id}.`);
    return rotated;
  };

  const failure = (id: number, request: RotationRequest = { graceSeconds: DAY }) =>
    panel.api.tokens.rotate(id, request, AUTHOR).catch((error) => error);

  const outcome = async (token: string) => {
    const { status, body } = await panel.get(ME, token);
    return [status, body.error?.code];
  };

  const set = (id: number, values: object) => database.knex('panel_api_tokens').where({ id }).update(values);

  const rows = async () => [
    await database.knex('panel_api_tokens').orderBy('id'),
    await database.knex('panel_api_audit_log').orderBy('id'),
  ];

  test('reads what a request inherits, such as the expiry from a class', async () => {
    const request: RotationRequest = Object.assign(Object.create({ expiresInSeconds: DAY }), {
      graceSeconds: 300,
    });
    const { record } = await rotate((await create()).record.id, request);
    expect(record.expiresAt).toBe(record.createdAt + DAY);
  });

  test('returns a new token with the same rights as the old one', async () => {
    const old = await create();
    const { token, record } = await rotate(old.record.id);
    expect(token).not.toBe(old.token);
    expect(record).toEqual({
      ...old.record,
      id: record.id,
      prefix: token.slice(0, 'pnl_'.length + 6),
      createdAt: record.createdAt,
      createdBy: 'anna',
      readAt: record.readAt,
    });
    expect(record.id).not.toBe(old.record.id);
    expect(await panel.api.tokens.get(record.id)).toEqual({ ...record, readAt: expect.any(Number) });
    expect((await panel.get(ME, token)).body.data).toMatchObject({
      account_id: 7,
      rate_limit: { limit: 500 },
    });
  });

  test('keeps the old token valid for the grace time and no longer', async () => {
    const old = await create();
    const { token, previous } = await rotate(old.record.id, { graceSeconds: 3600 });
    expect(previous).toMatchObject({ id: old.record.id, state: 'active' });
    expect(previous.expiresAt! - previous.rotatedAt!).toBe(3600);
    expect([await outcome(old.token), await outcome(token)]).toEqual([
      [200, undefined],
      [200, undefined],
    ]);
    await set(old.record.id, { expires_at: previous.rotatedAt });
    expect([await outcome(old.token), await outcome(token)]).toEqual([
      [401, 'token_expired'],
      [200, undefined],
    ]);
  });

  test.each([
    ['sooner than the grace ends', 60],
    ['later than that', 30 * DAY],
  ])('copies the expiry of an old token that was to end %s', async (_when, expiresInSeconds) => {
    const old = await create({ expiresInSeconds });
    const { record, previous } = await rotate(old.record.id, { graceSeconds: DAY });
    expect(record.expiresAt).toBe(old.record.expiresAt);
    expect(previous.expiresAt).toBe(Math.min(old.record.expiresAt!, previous.rotatedAt! + DAY));
  });

  test('leaves an entry about each of the two in the audit trail', async () => {
    const old = await create({ expiresInSeconds: 30 * DAY });
    const { record, previous } = await rotate(old.record.id);
    const rfc3339 = (seconds: number) => `${new Date(seconds * 1000).toISOString().slice(0, 19)}+00:00`;
    const [entry] = await panel.api.audit.list({ tokenId: old.record.id });
    expect(entry).toMatchObject({ at: previous.rotatedAt, actor: 'anna', origin: 'api-section' });
    expect([entry?.action, entry?.details]).toEqual([
      'token.rotated',
      {
        name: 'billing',
        account_id: '7',
        accounts: ['7'],
        owner: null,
        replaced_by: record.id,
        grace_seconds: DAY,
        expires_at: rfc3339(previous.expiresAt!),
      },
    ]);
    const [created] = await panel.api.audit.list({ tokenId: record.id });
    expect(created).toMatchObject({ at: record.createdAt, actor: 'anna', origin: 'api-section' });
    expect([created?.action, created?.details]).toEqual([
      'token.created',
      {
        name: 'billing',
        note: 'for the invoices',
        scopes: ['profile.read', 'domains.read'],
        account_id: '7',
        accounts: ['7'],
        owner: null,
        allowed_addresses: ['127.0.0.1', '2001:db8::/32'],
        rate_limit: 500,
        expires_at: rfc3339(record.expiresAt!),
        replaces: old.record.id,
      },
    ]);
  });

  test('several times creates one lineage, the newest first', async () => {
    const other = await create();
    const first = await create();
    const second = await rotate(first.record.id);
    const third = await rotate(second.record.id);
    const ids = [third, second, first].map(({ record }) => record.id);
    for (const id of ids) {
      const lineage = await panel.api.tokens.lineage(id);
      expect(lineage.map((record) => [record.id, record.lineage])).toEqual(
        ids.map((each) => [each, first.record.id]),
      );
    }
    expect((await panel.api.tokens.lineage(other.record.id)).map(({ id }) => id)).toEqual([other.record.id]);
    expect(await panel.api.tokens.lineage(999_999_999)).toEqual([]);
  });

  test('is possible once', async () => {
    const old = await create();
    await rotate(old.record.id);
    const before = await rows();
    const error = await failure(old.record.id);
    expect([error, error.input, error.message]).toEqual([
      expect.any(InvalidInput),
      'id',
      `Token ${old.record.id} was already rotated.`,
    ]);
    expect(await rows()).toEqual(before);
  });

  test('is refused for one that is revoked or expired', async () => {
    const [revoked, expired] = [await create(), await create()];
    await panel.api.tokens.revoke(revoked.record.id, AUTHOR);
    await set(expired.record.id, { expires_at: expired.record.createdAt });
    const before = await rows();
    expect(await failure(revoked.record.id)).toMatchObject({ name: 'InvalidInput', input: 'id' });
    expect(await failure(expired.record.id)).toMatchObject({ name: 'InvalidInput', input: 'id' });
    expect(await rows()).toEqual(before);
  });

  test('does not happen when the old token cannot be ended', async () => {
    const old = await create();
    const before = await rows();
    const { client } = database.knex;
    const query = client._query;
    client._query = (connection: unknown, sent: { readonly sql: string }) =>
      /^update .*rotated_at/i.test(plainSql(sent.sql))
        ? Promise.reject(Object.assign(new Error('refused'), { code: 'ER_REFUSED' }))
        : query.call(client, connection, sent);
    const error = await failure(old.record.id);
    client._query = query;
    expect(error).toMatchObject({ name: 'DatabaseFailure', code: 'ER_REFUSED' });
    expect(await rows()).toEqual(before);
  });

  test('returns null if the token does not exist', async () => {
    const before = await rows();
    for (const id of [999_999_999, 0, -1, 2 ** 31]) expect(await failure(id)).toBeNull();
    expect(await rows()).toEqual(before);
  });

  test('is refused with InvalidInput for a wrong request or author, and nothing is written', async () => {
    const { record } = await create();
    const before = await rows();
    for (const request of WRONG_ROTATIONS) {
      const rotating = panel.api.tokens.rotate(record.id, request as RotationRequest, AUTHOR);
      expect([request, await rotating.catch((error) => error)]).toEqual([request, expect.any(InvalidInput)]);
    }
    const withoutAuthor = panel.api.tokens.rotate(record.id, { graceSeconds: 300 }, {} as Author);
    await expect(withoutAuthor).rejects.toThrow(InvalidInput);
    await expect(failure('1' as unknown as number)).resolves.toBeInstanceOf(InvalidInput);
    expect(await rows()).toEqual(before);
  });

  test('does not happen when its audit entry cannot be written', async () => {
    const { token, record } = await create({ expiresAt: null });
    await database.knex.schema.renameTable('panel_api_audit_log', 'elsewhere');
    const error = await failure(record.id);
    await database.knex.schema.renameTable('elsewhere', 'panel_api_audit_log');
    expect(error.message).toContain('tokens.rotate failed');
    expect(await panel.api.tokens.get(record.id)).toMatchObject({ rotatedAt: null, expiresAt: null });
    expect(await panel.api.tokens.lineage(record.id)).toHaveLength(1);
    expect(await outcome(token)).toEqual([200, undefined]);
  });

  test('requested twice under one idempotency key is done once, and the second request names the token', async () => {
    const old = await create();
    const { record } = await rotate(old.record.id, {
      graceSeconds: 300,
      idempotencyKey: `rotate-${old.record.id}`,
    });
    const before = await rows();
    const error = await failure(old.record.id, {
      graceSeconds: 300,
      idempotencyKey: `rotate-${old.record.id}`,
    });
    expect([error, error.tokenId]).toEqual([expect.any(DuplicateRequest), record.id]);
    expect(await rows()).toEqual(before);
  });

  test('takes another expiry for the new token, also none, and keeps the old one for the grace alone', async () => {
    const old = async () => (await create({ expiresInSeconds: DAY })).record.id;
    const later = await rotate(await old(), { graceSeconds: 300, expiresInSeconds: 90 * DAY });
    expect(later.record.expiresAt).toBe(later.record.createdAt + 90 * DAY);
    expect(later.previous.expiresAt).toBe(later.record.createdAt + 300);
    const never = await rotate(await old(), { graceSeconds: 300, expiresAt: null });
    expect(never.record.expiresAt).toBeNull();
    const sooner = await rotate(await old(), { graceSeconds: 300, expiresInSeconds: 60 });
    expect(sooner.record.expiresAt).toBe(sooner.record.createdAt + 60);
    const [entry] = await panel.api.audit.list({ tokenId: never.record.id });
    expect(entry?.details.expires_at).toBeNull();
  });

  test('creates a token that is revoked apart from the old one', async () => {
    const [one, other] = [await create(), await create()];
    const [oneNew, otherNew] = [await rotate(one.record.id), await rotate(other.record.id)];
    await panel.api.tokens.revoke(one.record.id, AUTHOR);
    await panel.api.tokens.revoke(otherNew.record.id, AUTHOR);
    expect([await outcome(one.token), await outcome(oneNew.token)]).toEqual([
      [401, 'token_revoked'],
      [200, undefined],
    ]);
    expect([await outcome(other.token), await outcome(otherNew.token)]).toEqual([
      [200, undefined],
      [401, 'token_revoked'],
    ]);
  });

  test('stores neither token in a table', async () => {
    const old = await create();
    const { token } = await rotate(old.record.id);
    const text = JSON.stringify(await rows());
    for (const secret of [old.token, token]) expect(text).not.toContain(secret.slice(11));
  });
});

describeEachEngine('A token that two processes rotate at the same moment', (engine) => {
  test('has one valid successor, and the other attempts are refused', async () => {
    const database = await freshDatabase(engine);
    const hosts = await Promise.all([startHost(database), startHost(database)]);
    for (let round = 0; round < 10; round += 1) {
      const { record } = await hosts[0].create();
      const tries = [0, 1, 0, 1].map((host) => hosts[host]!.rotate(record.id, { graceSeconds: 300 }));
      const settled = await Promise.allSettled(tries);
      const lost = settled
        .filter((result) => result.status === 'rejected')
        .map(({ reason }) => reason.message);
      const refusal = `InvalidInput: Token ${record.id} was already rotated.`;
      expect(lost).toEqual(Array.from({ length: 3 }, () => expect.stringContaining(refusal)));
      expect(await database.knex('panel_api_tokens').where({ lineage: record.id })).toHaveLength(1);
    }
  });
});
