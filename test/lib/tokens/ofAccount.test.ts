import { InvalidInput } from '../../../index';
import { ADMIN, asCustomer, BOUNDS, type Customers, REQUEST, startCustomers } from '../../fixture/customers';
import { describeEachEngine, describeOneEngine } from '../../fixture/databases';
import { insertToken, setToken } from '../../fixture/tokenRows';

const DAY = 86_400;

describeEachEngine('The tokens that an account may see', (engine) => {
  let customers: Customers;

  beforeAll(async () => {
    customers = await startCustomers(engine);
  });

  beforeEach(() => set(BOUNDS));

  const set = (values: object) => customers.panel.api.settings.change(values, ADMIN);
  const own = async (id: string, name = 'own') =>
    (await customers.tokens.create({ ...REQUEST, name }, asCustomer(id))).record.id;
  const made = async (request: object) =>
    (await customers.tokens.create({ ...REQUEST, name: 'made', note: 'secret', ...request }, ADMIN)).record
      .id;
  const idsOf = async (id: string) => (await customers.tokens.ofAccount(id)).tokens.map((token) => token.id);

  test('are its own ones and those that administrators have bound to it alone, the newest first', async () => {
    const [id, other] = [await customers.account(), await customers.account()];
    const [first, second] = [await made({ accountId: id }), await own(id)];
    await own(other);
    await made({ accountIds: [id, other] });
    await made({ accountIds: [other, id] });
    await made({});
    const third = await made({ accountId: Number(id) });
    expect(await idsOf(id)).toEqual([third, second, first]);
    expect((await customers.tokens.ofAccount(BigInt(id))).tokens).toHaveLength(3);
  });

  test('are those of the account as it is now, not of one that had its id before', async () => {
    const id = await customers.account();
    await own(id);
    await made({ accountId: id });
    await customers.replace(id);
    expect(await idsOf(id)).toEqual([]);
    const later = await own(id);
    expect(await idsOf(id)).toEqual([later]);
  });

  test('are still those of an account that has another name', async () => {
    const id = await customers.account();
    const first = await own(id);
    await customers.database.knex('accounts').where({ id }).update({ username: 'renamed' });
    expect(await idsOf(id)).toEqual([first]);
  });

  test('show of those of administrators what the setting says, and never who made them', async () => {
    const id = await customers.account();
    const [one, other] = [await own(id), await made({ accountId: id })];
    await customers.tokens.revoke(other, ADMIN);
    const shown = async (administratorsTokens: string) => {
      await set({ administratorsTokens });
      return (await customers.tokens.ofAccount(id)).tokens;
    };
    const hidden = { note: null, createdBy: '', revokedBy: null, state: 'revoked', isOwn: false };
    const ownOne = { id: one, name: 'own', origin: 'account-section', isOwn: true, isRevocable: true };
    expect(await shown('unnamed')).toMatchObject([{ ...hidden, name: '', isRevocable: false }, ownOne]);
    expect(await shown('named')).toMatchObject([{ ...hidden, name: 'made', isRevocable: false }, ownOne]);
    expect(await shown('revocable')).toMatchObject([{ ...hidden, name: 'made', isRevocable: true }, ownOne]);
    expect(JSON.stringify(await shown('revocable'))).not.toMatch(/ann|secret/);
  });

  test('show no address that those of administrators were used from, nor the token that they replace', async () => {
    const id = await customers.account();
    const replaced = await made({ accountId: id });
    const { record } = (await customers.tokens.rotate(replaced, { graceSeconds: 300 }, ADMIN))!;
    const use = { last_used_at: 1_700_000_000, last_used_address: '192.0.2.9' };
    await setToken(customers.database.knex, record.id, use);
    expect((await customers.tokens.get(record.id))?.lastUsedAddress).toBe('192.0.2.9');
    const [shown] = (await customers.tokens.ofAccount(id)).tokens;
    expect(shown).toMatchObject({ id: record.id, lineage: record.id, lastUsedAddress: null });
  });

  test('are those that have not ended, or ended at most 30 days ago', async () => {
    const id = await customers.account();
    const { knex } = customers.database;
    const ids = [];
    for (let count = 0; count < 5; count += 1) ids.push(await made({ accountId: id }));
    const now = Math.floor(Date.now() / 1000);
    const ends = [
      { expires_at: now - 31 * DAY },
      { expires_at: now - 29 * DAY },
      { revoked_at: now - 31 * DAY },
      { revoked_at: now - 29 * DAY },
      { expires_at: now - 31 * DAY, revoked_at: now },
    ];
    for (const [index, end] of ends.entries()) await setToken(knex, ids[index]!, end);
    expect(await idsOf(id)).toEqual([ids[3], ids[1]]);
  });

  test('say whether the account is served, suspended or gone', async () => {
    const id = await customers.account();
    const one = await own(id);
    const account = { id, createdAt: '2024-01-01T00:00:00+00:00', username: `user${id}` };
    const row = () => customers.database.knex('accounts').where({ id });
    expect(await customers.tokens.ofAccount(id)).toMatchObject({ state: 'served', account });
    await row().update({ status: 'suspended' });
    expect(await customers.tokens.ofAccount(id)).toMatchObject({ state: 'suspended', tokens: [{ id: one }] });
    await row().delete();
    const gone = { state: 'gone', account: { id, createdAt: null, username: null }, tokens: [] };
    expect(await customers.tokens.ofAccount(id)).toEqual({ ...gone, bounds: expect.any(Object) });
  });

  test('cost the same statements for an account without tokens and for an unknown one', async () => {
    const [id, empty] = [await customers.account(), await customers.account()];
    await own(id);
    await customers.tokens.ofAccount(id);
    const statements: string[] = [];
    const note = ({ sql }: { sql: string }) => statements.push(sql);
    customers.database.knex.on('query', note);
    const costs = [];
    for (const asked of [id, empty, '999999']) {
      statements.length = 0;
      await customers.tokens.ofAccount(asked);
      costs.push([...statements]);
    }
    customers.database.knex.off('query', note);
    expect(costs[1]).toEqual(costs[0]);
    expect(costs[2]).toEqual(costs[0]);
  });

  test('are found in a page by what they were created through', async () => {
    const id = await customers.account();
    const [one, other] = [await own(id), await made({ accountId: id })];
    const { tokens } = customers;
    const query = { accountId: id, origin: 'account-section' } as const;
    expect((await tokens.page(query)).tokens.map((token) => token.id)).toEqual([one]);
    expect(await tokens.countFilters(query)).toMatchObject({ active: 1 });
    expect((await tokens.page({ accountId: id, origin: 'api-section' })).tokens[0]?.id).toBe(other);
    const { next } = await tokens.page({ limit: 1, origin: 'api-section' });
    await expect(tokens.page({ limit: 1, cursor: next! })).rejects.toBeInstanceOf(InvalidInput);
    for (const origin of ['customer', null, undefined])
      expect([origin, await tokens.page({ origin: origin as never }).catch(({ input }) => input)]).toEqual([
        origin,
        origin === undefined ? expect.any(Object) : 'origin',
      ]);
  });
});

describeEachEngine('The tokens of an account among 501 of several accounts', (engine) => {
  test('are its own ones', async () => {
    const { account, database, tokens } = await startCustomers(engine);
    const [id, other] = [await account({ username: '],["' }), await account()];
    const { record } = await tokens.create(REQUEST, asCustomer(id));
    const shared = await tokens.create({ ...REQUEST, accountIds: [id, other] }, ADMIN);
    const { knex } = database;
    const [{ accounts }] = await knex('panel_api_tokens').where({ id: shared.record.id }).select('accounts');
    const active = { name: 'shared', scopes: 'domains.read', accounts, created_at: 1 };
    for (let count = 0; count < 500; count += 1) await insertToken(knex, active);
    const found = await tokens.ofAccount(id);
    expect(found.tokens.map((token) => token.id)).toEqual([record.id]);
    expect(found.bounds).toMatchObject({ scopes: BOUNDS.customerScopes, customerTokens: 5 });
  });
});

describeOneEngine('The tokens of an account with many', (engine) => {
  test('are at most 500, and the active ones are among them', async () => {
    const { account, database, tokens } = await startCustomers(engine);
    const id = await account();
    const { record } = await tokens.create(REQUEST, asCustomer(id));
    const [{ accounts }] = await database.knex('panel_api_tokens').select('accounts');
    const now = Math.floor(Date.now() / 1000);
    const ended = { name: 'ended', scopes: 'domains.read', accounts, created_at: now, revoked_at: now };
    for (let count = 0; count < 600; count += 1) await insertToken(database.knex, ended);
    const found = (await tokens.ofAccount(id)).tokens;
    expect(found).toHaveLength(500);
    expect(found.at(-1)?.id).toBe(record.id);
  });

  test('are refused for what is no account, and if the list of accounts cannot be read', async () => {
    const { panel } = await startCustomers(engine, {
      sources: {
        accounts: { fields: ['id', 'username'], rows: () => Promise.reject(new Error('secret')) },
      },
    });
    for (const id of ['', ' 7', 1.5, null, undefined])
      await expect(panel.api.tokens.ofAccount(id as never)).rejects.toMatchObject({ input: 'accountId' });
    await expect(panel.api.tokens.ofAccount(1)).rejects.toThrow(
      'The list of accounts cannot be read at the moment.',
    );
  });
});
