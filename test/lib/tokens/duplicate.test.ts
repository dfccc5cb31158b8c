import { type Author, type DuplicationRequest, InvalidInput } from '../../../index';
import { describeEachEngine, freshDatabase, type TestDatabase } from '../../fixture/databases';
import { AUTHOR, startPanel, type TestPanel } from '../../fixture/panel';

const DAY = 86_400;

const REQUEST = {
  name: 'billing',
  note: 'two\nlines',
  scopes: ['profile.read', 'domains.read'],
  accountId: 7,
  allowedAddresses: ['127.0.0.1', '2001:db8::/32'],
  rateLimit: 500,
  expiresInSeconds: 30 * DAY,
};

const WRONG_REQUESTS: readonly unknown[] = [
  undefined,
  null,
  { version: 1 },
  { nmae: 'x' },
  { name: '' },
  { accountId: undefined },
  { owner: false },
  { allowedAddresses: null },
  { scopes: ['nope.read'] },
  { expiresInSeconds: 0 },
  { idempotencyKey: '' },
];

describeEachEngine('Duplicating a token', (engine) => {
  let database: TestDatabase;
  let panel: TestPanel;

  beforeAll(async () => {
    database = await freshDatabase(engine);
    panel = await startPanel({ db: database.knex });
  });

  const create = async (request: object = {}) =>
    (await panel.api.tokens.create({ ...REQUEST, ...request }, AUTHOR)).record;

  const duplicate = async (id: number, request: DuplicationRequest = {}) => {
    const created = await panel.api.tokens.duplicate(id, request, { actor: 'anna', origin: 'panel' });
    if (!created) throw new Error(`There is no token ${id}.`);
    return created;
  };

  const move = (id: number, values: object) => database.knex('panel_api_tokens').where({ id }).update(values);

  test('creates a token with its properties and its lifetime, in a lineage of its own', async () => {
    const original = await create();
    await move(original.id, {
      created_at: original.createdAt - 10 * DAY,
      expires_at: original.expiresAt! - 10 * DAY,
    });
    const { token, record } = await duplicate(original.id);
    expect(record).toEqual({
      ...original,
      id: record.id,
      prefix: token.slice(0, 10),
      lineage: record.id,
      createdAt: expect.any(Number),
      createdBy: 'anna',
      expiresAt: record.createdAt + 30 * DAY,
      readAt: expect.any(Number),
    });
    expect((await panel.get('/api/v1/me.php', token)).body.data.token.name).toBe('billing');
    expect(await panel.api.audit.list({ tokenId: original.id })).toHaveLength(1);
  });

  test('takes other properties from the request, also none', async () => {
    const original = await create();
    const others = {
      name: 'copy',
      note: null,
      scopes: ['*'],
      accountId: null,
      allowedAddresses: [],
      rateLimit: null,
      expiresAt: null,
    };
    expect((await duplicate(original.id, others)).record).toMatchObject(others);
    const { record } = await duplicate(original.id, { expiresInSeconds: DAY });
    expect(record.expiresAt).toBe(record.createdAt + DAY);
    const several = (await duplicate(original.id, { accountIds: [7, 8] })).record;
    expect((await duplicate(several.id)).record.accounts).toEqual(several.accounts);
  });

  test.each(['expired', 'revoked'])('is possible for one that is %s', async (state) => {
    const original = await create();
    if (state === 'revoked') await panel.api.tokens.revoke(original.id, AUTHOR);
    else
      await move(original.id, {
        created_at: original.createdAt - 40 * DAY,
        expires_at: original.createdAt - 10 * DAY,
      });
    const { record } = await duplicate(original.id);
    expect(record).toMatchObject({ state: 'active', expiresAt: record.createdAt + 30 * DAY });
    expect(await panel.api.tokens.get(original.id)).toMatchObject({ state });
  });

  test('needs an expiry for one that was rotated, because the rotation has shortened its lifetime', async () => {
    const original = await create();
    await panel.api.tokens.rotate(original.id, { graceSeconds: 300 }, AUTHOR);
    await expect(duplicate(original.id)).rejects.toMatchObject({ name: 'InvalidInput', input: 'expires' });
    expect((await duplicate(original.id, { expiresAt: null })).record).toMatchObject({ expiresAt: null });
  });

  test('never expires if the original never does', async () => {
    const { expiresInSeconds: _, ...everlasting } = REQUEST;
    const { record } = await panel.api.tokens.create({ ...everlasting, expiresAt: null }, AUTHOR);
    expect((await duplicate(record.id)).record.expiresAt).toBeNull();
  });

  test('requested twice under one idempotency key is done once, and the second request names the token', async () => {
    const original = await create();
    const idempotencyKey = `copy-${original.id}`;
    const { record } = await duplicate(original.id, { idempotencyKey });
    const again = duplicate(original.id, { idempotencyKey });
    await expect(again).rejects.toMatchObject({ name: 'DuplicateRequest', tokenId: record.id });
  });

  test('is refused with InvalidInput for a wrong request or author, and nothing is written', async () => {
    const original = await create();
    const before = await panel.api.audit.list();
    for (const request of WRONG_REQUESTS) {
      const outcome = panel.api.tokens.duplicate(original.id, request as DuplicationRequest, AUTHOR);
      expect([request, await outcome.catch((error) => error)]).toEqual([request, expect.any(InvalidInput)]);
    }
    await expect(panel.api.tokens.duplicate(original.id, {}, {} as Author)).rejects.toThrow(InvalidInput);
    expect(await panel.api.audit.list()).toEqual(before);
  });

  test('returns null if the token does not exist', async () => {
    for (const id of [999_999_999, 0]) expect(await panel.api.tokens.duplicate(id, {}, AUTHOR)).toBeNull();
  });

  test('expires in the last second that RFC 3339 can express, if it would live longer', async () => {
    const last = 253_402_300_799;
    const { expiresInSeconds: _, ...request } = REQUEST;
    const original = await panel.api.tokens.create({ ...request, expiresAt: last }, AUTHOR);
    await database.knex('panel_api_tokens').where({ id: original.record.id }).decrement('created_at', DAY);
    expect((await duplicate(original.record.id)).record.expiresAt).toBe(last);
  });
});
