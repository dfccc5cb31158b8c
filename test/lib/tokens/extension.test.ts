import { InvalidInput, StaleToken } from '../../../index';
import { handlesOf } from '../../../lib/database/handles';
import { describeEachEngine, freshDatabase, openHandle, type TestDatabase } from '../../fixture/databases';
import { handleSettings } from '../../fixture/handleSettings';
import { AUTHOR, startPanel, type TestPanel } from '../../fixture/panel';
import { until } from '../../fixture/until';

const DAY = 86_400;
const NOW = Math.floor(Date.now() / 1000);

/** The time by the clock of the database. */
const seconds = async ({ knex }: TestDatabase) => {
  const { dialect } = handlesOf(knex);
  const [row] = dialect.rows(await knex.raw(`SELECT ${dialect.now} AS clock`));
  return Number(row?.clock);
};

describeEachEngine('Extending a token', (engine) => {
  let database: TestDatabase;
  let panel: TestPanel;

  beforeAll(async () => {
    database = await freshDatabase(engine);
    panel = await startPanel({ db: database.knex });
  });

  const create = async (request: object = { expiresInSeconds: DAY }) =>
    (await panel.api.tokens.create({ name: 'billing', scopes: ['*'], ...request }, AUTHOR)).record;

  const extend = (id: number, expiry: object) => panel.api.tokens.extend(id, expiry, AUTHOR);

  test('sets a later expiry, and the audit trail says from what to what', async () => {
    const record = await create();
    const extended = await extend(record.id, { expiresInSeconds: 90 * DAY });
    expect(extended!.expiresAt).toBe(extended!.readAt + 90 * DAY);
    expect(extended).toMatchObject({ version: record.version + 1, state: 'active' });
    const [entry] = await panel.api.audit.list({ tokenId: record.id });
    const time = (seconds: number) => new Date(seconds * 1000).toISOString().replace('.000Z', '+00:00');
    expect(entry).toMatchObject({
      action: 'token.extended',
      details: {
        name: 'billing',
        expires_at: { from: time(record.expiresAt!), to: time(extended!.expiresAt!) },
      },
    });
    const never = await extend(record.id, { expiresAt: null });
    expect(await panel.api.tokens.get(record.id)).toEqual({ ...never, readAt: expect.any(Number) });
    expect(never).toMatchObject({ expiresAt: null, version: record.version + 2 });
  });

  test('counts from the end of its wait for a lock', async () => {
    const record = await create();
    const holder = await openHandle(handleSettings(database)).transaction();
    await holder('panel_api_tokens').where({ id: record.id }).update({ prefix: record.prefix });
    const sentAt = await seconds(database);
    const extending = extend(record.id, { expiresInSeconds: 90 * DAY });
    await until(async () => (await seconds(database)) > sentAt + 1);
    await holder.commit();
    expect((await extending)!.expiresAt).toBeGreaterThan(sentAt + 1 + 90 * DAY);
  });

  test('is possible while a rotated token is still valid', async () => {
    const record = await create();
    const { previous } = (await panel.api.tokens.rotate(record.id, { graceSeconds: 300 }, AUTHOR))!;
    const extended = await extend(record.id, { expiresAt: previous.expiresAt! + 60 });
    expect(extended).toMatchObject({ expiresAt: previous.expiresAt! + 60, rotatedAt: previous.rotatedAt });
  });

  test('is refused if the expiry is not later, missing or invalid, and nothing is written', async () => {
    const [record, everlasting] = [await create(), await create({ expiresAt: null })];
    const before = await panel.api.audit.list();
    const wrong: readonly unknown[] = [
      undefined,
      null,
      {},
      { expiresAt: record.expiresAt },
      { expiresAt: record.expiresAt! - 1 },
      { expiresInSeconds: 60 },
      { expiresInSeconds: 0.5 },
      { expiresInSeconds: null },
      { expiresAt: undefined },
      { expiresAt: NOW - DAY },
      { expiresAt: 253_402_300_800 },
      { expiresAt: null, expiresInSeconds: DAY * 2 },
      { expiresAt: null, name: 'x' },
      { expiresAt: null, version: '1' },
      { expiresAt: null, version: undefined },
    ];
    for (const expiry of wrong) {
      const outcome = await extend(record.id, expiry as object).catch((error) => error);
      expect([expiry, outcome]).toEqual([expiry, expect.any(InvalidInput)]);
    }
    for (const expiry of [{ expiresAt: null }, { expiresInSeconds: DAY }]) {
      const outcome = await extend(everlasting.id, expiry).catch((error) => error);
      expect([expiry, outcome]).toEqual([expiry, expect.any(InvalidInput)]);
    }
    expect(await panel.api.audit.list()).toEqual(before);
  });

  test('is refused for a token that has ended, which nothing brings back', async () => {
    const [expired, revoked] = [await create(), await create()];
    await database
      .knex('panel_api_tokens')
      .where({ id: expired.id })
      .update({ expires_at: expired.createdAt });
    await panel.api.tokens.revoke(revoked.id, AUTHOR);
    for (const [{ id }, state] of [
      [expired, 'expired'],
      [revoked, 'revoked'],
    ] as const)
      await expect(extend(id, { expiresAt: null })).rejects.toThrow(
        `Token ${id} is ${state}. Only an active token can be changed.`,
      );
    expect(await panel.api.tokens.get(expired.id)).toMatchObject({ state: 'expired' });
  });

  test('makes changes stale that are based on the version before', async () => {
    const record = await create();
    await extend(record.id, { expiresAt: null });
    const change = { expiresInSeconds: 60, version: record.version };
    await expect(panel.api.tokens.update(record.id, change, AUTHOR)).rejects.toThrow(StaleToken);
  });

  test('is refused if it is based on a version before, and returns the token as it is now', async () => {
    const record = await create();
    const { previous } = (await panel.api.tokens.rotate(record.id, { graceSeconds: 300 }, AUTHOR))!;
    const extension = { expiresAt: record.expiresAt! + DAY };
    const outcome = await extend(record.id, { ...extension, version: record.version }).catch(
      (error) => error,
    );
    expect(outcome).toBeInstanceOf(StaleToken);
    expect(outcome.current).toEqual({ ...previous, readAt: expect.any(Number) });
    expect(await panel.api.tokens.get(record.id)).toEqual({ ...previous, readAt: expect.any(Number) });
    expect(await extend(record.id, { ...extension, version: previous.version })).toMatchObject(extension);
  });

  test('returns null if the token does not exist', async () => {
    for (const id of [999_999_999, 0]) expect(await extend(id, { expiresAt: null })).toBeNull();
  });
});
