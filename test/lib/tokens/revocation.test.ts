import { type Author, InvalidInput } from '../../../index';
import { describeEachEngine, freshDatabase, type TestDatabase } from '../../fixture/databases';
import { AUTHOR, startPanel, type TestPanel } from '../../fixture/panel';

describeEachEngine('Revoking a token', (engine) => {
  let database: TestDatabase;
  let panel: TestPanel;

  beforeAll(async () => {
    database = await freshDatabase(engine);
    panel = await startPanel({ db: database.knex });
  });

  const create = () => panel.api.tokens.create({ name: 'doomed', scopes: ['*'] }, AUTHOR);

  const outcome = async (token: string) => {
    const { status, body } = await panel.get('/api/v1/me.php', token);
    return [status, body.error?.code];
  };

  test('returns its record and leaves one entry in the audit trail', async () => {
    const { record } = await create();
    const revoked = await panel.api.tokens.revoke(record.id, { actor: 'anna', origin: 'api-section' });
    expect(revoked).toMatchObject({ id: record.id, state: 'revoked', revokedBy: 'anna' });
    const [entry] = await panel.api.audit.list({ tokenId: record.id });
    expect(entry).toMatchObject({
      at: revoked?.revokedAt,
      action: 'token.revoked',
      actor: 'anna',
      origin: 'api-section',
      details: { name: 'doomed', account_id: null, accounts: [], owner: null },
    });
  });

  test('changes nothing the second time', async () => {
    const { record } = await create();
    const first = await panel.api.tokens.revoke(record.id, { actor: 'anna', origin: 'panel' });
    const second = await panel.api.tokens.revoke(record.id, { actor: 'berta', origin: 'panel' });
    expect(second).toEqual({ ...first, readAt: second?.readAt });
    expect(await panel.api.audit.list({ tokenId: record.id })).toHaveLength(2);
  });

  test('leaves one entry when several do it at once', async () => {
    const { record } = await create();
    const outcomes = await Promise.all(
      Array.from({ length: 10 }, () => panel.api.tokens.revoke(record.id, AUTHOR)),
    );
    expect(outcomes.map((revoked) => revoked?.state)).toEqual(Array.from({ length: 10 }, () => 'revoked'));
    expect(await panel.api.audit.list({ tokenId: record.id })).toHaveLength(2);
  });

  test.each([999_999_999, 0, -1, 2 ** 31, 2 ** 53])(
    'returns null for %p, which is no token, and leaves no entry',
    async (id) => {
      await create();
      const before = await panel.api.audit.list();
      expect(await panel.api.tokens.revoke(id, AUTHOR)).toBeNull();
      expect(await panel.api.audit.list()).toEqual(before);
    },
  );

  test.each([1.5, Number.NaN, '1' as unknown as number])(
    'refuses the id %p, which is no whole number, and the token stays active',
    async (id) => {
      const { record } = await create();
      await expect(panel.api.tokens.revoke(id, AUTHOR)).rejects.toThrow(InvalidInput);
      expect((await panel.api.tokens.get(record.id))?.state).toBe('active');
    },
  );

  test('refuses an author that the audit trail cannot store, and the token stays active', async () => {
    const { token, record } = await create();
    for (const author of [{}, { actor: '', origin: 'panel' }, { actor: 'a', origin: 'x' }]) {
      const failure = await panel.api.tokens.revoke(record.id, author as Author).catch((error) => error);
      expect([author, failure]).toEqual([author, expect.any(InvalidInput)]);
    }
    expect(await outcome(token)).toEqual([200, undefined]);
  });

  test('does not happen when its audit entry cannot be written', async () => {
    const { token, record } = await create();
    await database.knex.schema.renameTable('panel_api_audit_log', 'elsewhere');
    await expect(panel.api.tokens.revoke(record.id, AUTHOR)).rejects.toThrow('tokens.revoke failed');
    await database.knex.schema.renameTable('elsewhere', 'panel_api_audit_log');
    expect(await outcome(token)).toEqual([200, undefined]);
    expect(await panel.api.tokens.get(record.id)).toMatchObject({ state: 'active', revokedBy: null });
  });

  test('is not undone by a new token of the same name', async () => {
    const { token, record } = await create();
    await panel.api.tokens.revoke(record.id, AUTHOR);
    const { token: successor } = await create();
    expect(await outcome(token)).toEqual([401, 'token_revoked']);
    expect(await outcome(successor)).toEqual([200, undefined]);
  });

  test('is still possible once the token has expired, and then it is revoked', async () => {
    const { token, record } = await create();
    await database.knex('panel_api_tokens').where({ id: record.id }).update({ expires_at: record.createdAt });
    expect(await panel.api.tokens.get(record.id)).toMatchObject({ state: 'expired' });
    expect(await outcome(token)).toEqual([401, 'token_expired']);
    expect(await panel.api.tokens.revoke(record.id, AUTHOR)).toMatchObject({ state: 'revoked' });
    expect(await outcome(token)).toEqual([401, 'token_revoked']);
  });
});
