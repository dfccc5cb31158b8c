import { InvalidInput } from '../../../index';
import { newToken } from '../../../lib/tokens/tokenFormat';
import { describeOneEngine, freshDatabase, type TestDatabase } from '../../fixture/databases';
import { AUTHOR, startPanel, type TestPanel } from '../../fixture/panel';

describeOneEngine('A token in a text', (engine) => {
  let panel: TestPanel;
  let database: TestDatabase;

  beforeAll(async () => {
    database = await freshDatabase(engine);
    panel = await startPanel({ db: database.knex });
  });

  test('is found wherever it stands in the text, active or ended, and that is no use of it', async () => {
    const { token, record } = await panel.api.tokens.create({ name: 'x', scopes: ['*'] }, AUTHOR);
    for (const text of [
      token,
      ` ${token}\n`,
      `curl -H "Authorization: Bearer ${token}" https://panel`,
      `?key=${token}&x`,
      `the token: ${token.slice(0, 20)}\r\n  ${token.slice(20)}\nor so`,
    ])
      expect(await panel.api.tokens.find(text)).toEqual({ ...record, readAt: expect.any(Number) });
    await panel.api.tokens.revoke(record.id, AUTHOR);
    expect(await panel.api.tokens.find(token)).toMatchObject({
      id: record.id,
      state: 'revoked',
      lastUsedAt: null,
    });
    expect(await panel.api.tokens.find(newToken('pnl'))).toBeNull();
  });

  test('is found behind letters of an escape, and among others, first if it is active', async () => {
    const create = () => panel.api.tokens.create({ name: 'x', scopes: ['*'] }, AUTHOR);
    const [first, second] = [await create(), await create()];
    const text = `{"log":"${newToken('pnl')}\\n${first.token}%0a${second.token}"}`;
    const found = async () => {
      const record = (await panel.api.tokens.find(text))!;
      await panel.api.tokens.revoke(record.id, AUTHOR);
      return record;
    };
    const [one, other, last] = [await found(), await found(), await found()];
    expect([one, other, last].map(({ state }) => state)).toEqual(['active', 'active', 'revoked']);
    expect(one.id + other.id).toBe(first.record.id + second.record.id);
  });

  test.each([
    ['no text', undefined],
    ['an empty text', ''],
    ['a token that lacks its end', newToken('pnl').slice(0, -1)],
    ['a token with a typing error', newToken('pnl').replace(/.$/, '_')],
    ['a hash', 'a'.repeat(64)],
  ])('is not found in %s', async (_what, text) => {
    const error = await panel.api.tokens.find(text as string).catch((refused) => refused);
    expect(error).toBeInstanceOf(InvalidInput);
    expect(error.message).toBe('The text contains no whole token.');
  });
});

describeOneEngine('All tokens of an account', (engine) => {
  let panel: TestPanel;
  let database: TestDatabase;

  beforeEach(async () => {
    database = await freshDatabase(engine);
    panel = await startPanel({ db: database.knex });
  });

  const create = async (request: object) =>
    (await panel.api.tokens.create({ name: 'x', scopes: ['profile.read'], ...request }, AUTHOR)).record.id;

  test('are revoked together, those of no other, each with its audit entry, which names all accounts', async () => {
    const [first, second] = [await create({ accountId: 7 }), await create({ accountId: '7' })];
    const several = await create({ accountIds: [8, 7] });
    const others = [
      await create({ accountId: '07' }),
      await create({ accountIds: [77, 8] }),
      await create({}),
    ];
    const before = await create({ accountId: 7 });
    await panel.api.tokens.revoke(before, { actor: 'ada', origin: 'panel' });
    const revoked = await panel.api.tokens.revokeAllOf(7, AUTHOR);
    expect(revoked.map(({ id, state }) => [id, state])).toEqual([
      [several, 'revoked'],
      [second, 'revoked'],
      [first, 'revoked'],
    ]);
    for (const id of others) expect((await panel.api.tokens.get(id))?.state).toBe('active');
    expect((await panel.api.tokens.get(before))?.revokedBy).toBe('ada');
    const entries = await panel.api.audit.list({ action: 'token.revoked', actor: AUTHOR.actor });
    expect(entries.map(({ tokenId }) => tokenId)).toEqual([first, second, several]);
    const named = { name: 'x', owner: null };
    expect(entries[0]?.details).toEqual({ ...named, account_id: '7', accounts: ['7'] });
    expect(entries[2]?.details).toEqual({ ...named, account_id: '8', accounts: ['8', '7'] });
    expect(await panel.api.tokens.revokeAllOf(7, AUTHOR)).toEqual([]);
  });

  test('stay valid if the audit trail cannot be written, and for an id that is none', async () => {
    const id = await create({ accountId: 7 });
    for (const account of [undefined, null, '', ' 7', 0.5, Number.NaN, ['7'], 'x'.repeat(129)])
      await expect(panel.api.tokens.revokeAllOf(account as string, AUTHOR)).rejects.toThrow(InvalidInput);
    await database.knex.schema.renameTable('panel_api_audit_log', 'elsewhere');
    await expect(panel.api.tokens.revokeAllOf(7, AUTHOR)).rejects.toThrow('tokens.revokeAllOf failed');
    expect((await panel.api.tokens.get(id))?.state).toBe('active');
  });
});
