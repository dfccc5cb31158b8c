import type { Knex } from 'knex';
import { InvalidInput, type TokenRequest } from '../../../index';
import { describeEachEngine, describeOneEngine } from '../../fixture/databases';
import { type Item, type ListPanel, pathOf, startListPanel } from '../../fixture/listPanel';
import { AUTHOR } from '../../fixture/panel';
import { createPanelTables } from '../../fixture/panelTables';
import { seed } from '../../prove/input/seed';
import { isWhole } from '../../prove/scale';

function addressOf({ size_bytes: quota_bytes, name: address, ...item }: Item) {
  return { ...item, type: 'mailbox', address, quota_bytes };
}

/** Numbers from 0 to below 1, the same for the same seed. */
function randomNumbers(): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

interface Account {
  readonly id: number;
  username: string;
  status: 'active' | 'suspended';
  owner_id: number | null;
  created_at: string;
}

interface Binding {
  readonly ids: readonly number[];
  readonly owner: boolean;
  readonly token: string;
  /** The creation of each account when the token was bound to it. */
  readonly created: ReadonlyMap<number, string>;
}

const ROWS = 300;
const LISTS = ['databases', 'email', 'jobs'];
const [ROUNDS, IDS] = [isWhole ? 5 : 3, 12];

describeEachEngine("Tokens of one, several and a reseller's accounts", (engine) => {
  const chance = randomNumbers();
  const pick = <T>(of: readonly T[]): T => of[Math.floor(chance() * of.length)]!;
  let list: ListPanel;
  let knex: Knex;
  let accounts: Account[];
  const rows: Record<string, Item[]> = {};
  let created = 0;

  const newAccount = (id: number): Account => {
    created += 1;
    const owner_id = pick([null, 1, 1, 2, id]);
    const second = String(created % 60).padStart(2, '0');
    const minute = String(Math.floor(created / 60)).padStart(2, '0');
    return {
      id,
      username: `user${created}`,
      status: 'active',
      owner_id,
      created_at: `2024-01-01 00:${minute}:${second}`,
    };
  };

  beforeAll(async () => {
    accounts = Array.from({ length: IDS }, (_, index) => newAccount(index + 1));
    const row = (_: unknown, index: number) => ({
      id: index + 1,
      account_id: pick([null, 99, ...Array.from({ length: IDS }, (_one, id) => id + 1)]),
      status: pick(['active', 'suspended', 'queued']),
      size_bytes: Math.floor(chance() * 1e6),
      name: `${pick(['a', 'b'])}${index}`,
    });
    for (const name of LISTS) rows[name] = Array.from({ length: ROWS }, row);
    list = await startListPanel(
      engine,
      async (handle) => {
        knex = handle;
        await createPanelTables(knex, ['accounts', 'databases', 'jobs', 'email']);
        await knex('accounts').insert(accounts);
        await knex('databases').insert(rows.databases);
        const named = (items: Item[]) =>
          items.map(({ size_bytes: _size, name: type, ...item }) => ({ ...item, type }));
        await knex('jobs').insert(named(rows.jobs!));
      },
      {
        jobs: {
          query: (handle) => handle('jobs as j').leftJoin('accounts as a', 'a.id', 'j.account_id'),
          fields: { id: 'j.id', status: 'j.status', type: 'j.type', account_id: 'j.account_id' },
        },
        email: {
          ids: 'integer',
          fields: ['id', 'status', 'address', 'type', 'account_id', 'quota_bytes'],
          rows: () => rows.email!.map(addressOf) as never,
        },
      },
    );
  });

  const bind = async (
    request: Pick<TokenRequest, 'accountId' | 'accountIds' | 'owner'>,
  ): Promise<Binding> => {
    const ids = (request.accountIds ?? [request.accountId]) as number[];
    const of = ids.map((id): [number, string] => [id, accounts.find((one) => one.id === id)!.created_at]);
    return {
      ids,
      owner: request.owner ?? false,
      token: await list.panel.token(request),
      created: new Map(of),
    };
  };

  /** The accounts whose rows the token may read; a code if there is none. */
  const expectedOf = ({ ids, owner, created: bound }: Binding): ReadonlySet<unknown> | string => {
    const refusals = ids.map((id) => {
      const account = accounts.find((one) => one.id === id);
      if (!account) return 'account_gone';
      if (account.created_at !== bound.get(id)) return 'account_changed';
      return account.status === 'suspended' ? 'account_suspended' : null;
    });
    const served = ids.filter((_, index) => refusals[index] === null);
    if (served.length === 0) return refusals[0]!;
    const owned = owner ? accounts.filter((one) => one.owner_id === ids[0]).map(({ id }) => id) : [];
    return new Set([...served, ...owned]);
  };

  const check = async (name: string, binding: Binding) => {
    const { token } = binding;
    const own = expectedOf(binding);
    if (typeof own === 'string') {
      for (const query of ['', '?count=true', '?limit=2', '?account_id=1'])
        expect([name, query, (await list.get(`${name}.php${query}`, token)).body.error?.code]).toEqual([
          name,
          query,
          own,
        ]);
      return;
    }
    const all = rows[name]!.filter(({ account_id }) => own.has(account_id));
    const idsOf = (items: readonly Item[]) => items.map(({ id }) => id);
    expect([name, await list.keys(`${name}.php`, token)]).toEqual([name, idsOf(all)]);
    expect(idsOf((await list.pages(`${name}.php?limit=23`, token)).flat())).toEqual(idsOf(all));
    expect(await list.keys(`${name}.php?order=desc`, token)).toEqual(idsOf(all).toReversed());
    const wanted = [...own, 99, 5].map(String);
    const asked = all.filter(
      ({ account_id, status }) => wanted.includes(String(account_id)) && status === 'queued',
    );
    const filter = { account_id: wanted.join(), status: 'queued' };
    expect(await list.keys(pathOf(name, filter), token)).toEqual(idsOf(asked));
    const outside = accounts.map(({ id }) => id).filter((id) => !own.has(id));
    expect(await list.keys(pathOf(name, { account_id: outside.join() || '99' }), token)).toEqual([]);
    const countOf = (word: string) => all.filter(({ status }) => status === word).length;
    const words = ['active', 'queued', 'suspended'].map((word) => [word, countOf(word)] as const);
    const counts = Object.fromEntries(words.filter(([, count]) => count > 0));
    // The words of a database's status are not known.
    const query = name === 'databases' ? 'count=true' : 'count=status';
    expect((await list.get(`${name}.php?${query}`, token)).body.data).toMatchObject({
      total: all.length,
      ...(name !== 'databases' && { counts }),
    });
    if (name !== 'jobs') {
      const field = name === 'email' ? 'quota_bytes' : 'size_bytes';
      const { sums } = (await list.get(`${name}.php?sum=${field}&search=a`, token)).body.data;
      const found = all.filter((item) => String(item.name).startsWith('a'));
      expect(sums).toEqual({ [field]: found.reduce((sum, { size_bytes }) => sum + Number(size_bytes), 0) });
    }
    expect(await list.keys(`${name}.php?search=b&limit=1000`, token).catch(() => 'none')).toEqual(
      name === 'jobs' ? 'none' : idsOf(all.filter((item) => String(item.name).startsWith('b'))),
    );
    expect(await list.keys('accounts.php', token)).toEqual(
      accounts.filter(({ id }) => own.has(id)).map(({ id }) => id),
    );
  };

  /** Changes an account, so that one is suspended or active again, deleted, replaced, or in other hands. */
  const change = async () => {
    const account = pick(accounts);
    const kind = pick(['suspend', 'hands', 'hands', 'replace', 'delete']);
    if (kind === 'suspend') account.status = account.status === 'active' ? 'suspended' : 'active';
    if (kind === 'hands') account.owner_id = pick([null, 1, 2]);
    if (kind === 'replace') Object.assign(account, newAccount(account.id));
    if (kind === 'delete' && account.id > 2) {
      accounts = accounts.filter((one) => one !== account);
      await knex('accounts').where({ id: account.id }).delete();
    } else await knex('accounts').where({ id: account.id }).update(account);
  };

  test('read what is theirs at each moment, and nothing tells them of other rows', async () => {
    const bindings = [
      await bind({ accountId: 3 }),
      await bind({ accountIds: [4, 5, 6, 7] }),
      await bind({ accountId: 1, owner: true }),
      await bind({ accountId: 2, owner: true }),
    ];
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const binding of bindings) for (const name of LISTS) await check(name, binding);
      for (let changes = 0; changes < 4; changes += 1) await change();
    }
  });
});

const account = (id: number, owner_id: number | null = null) => ({
  id,
  owner_id,
  username: `user${id}`,
  status: 'active',
  created_at: '2024-01-01 00:00:00',
});

describeOneEngine('A token of several accounts', (engine) => {
  let list: ListPanel;

  beforeAll(async () => {
    list = await startListPanel(engine, async (knex) => {
      await createPanelTables(knex, ['accounts', 'jobs']);
      await knex('accounts').insert([1, 2, 3, 4].map((id) => account(id, id === 3 ? 1 : null)));
      await knex('jobs').insert([1, 2, 3, 4, 1, 2].map((account_id) => ({ account_id, type: 'x' })));
    });
  });

  const create = (request: object) =>
    list.panel.api.tokens.create({ name: 'x', scopes: ['*'], ...request } as TokenRequest, AUTHOR);

  test('says in me.php which they are', async () => {
    const data = async (request: object) =>
      (await list.get('me.php', (await create(request)).token)).body.data;
    expect(await data({ accountIds: [2, '1', 1] })).toMatchObject({
      account_id: 2,
      account_ids: [2, 1],
      owner: false,
    });
    expect(await data({ accountId: 1, owner: true })).toMatchObject({
      account_id: 1,
      account_ids: [1],
      owner: true,
    });
    expect(await data({})).toMatchObject({ account_id: null, account_ids: [], owner: false });
  });

  const COUNT = 'A token can have 1 to 100 accounts.';
  const FORM = 'The account of a token must be an integer or a string of 1 to 128 characters';
  const TOGETHER = 'Set owner to true or false, together with accountId.';

  test.each([
    [{ accountIds: [] }, 'accountIds', COUNT],
    [{ accountIds: Array.from({ length: 101 }, (_, id) => id) }, 'accountIds', COUNT],
    [{ accountIds: '1' }, 'accountIds', COUNT],
    [{ accountIds: undefined }, 'accountIds', COUNT],
    [{ accountIds: [1, null] }, 'accountId', FORM],
    [{ accountIds: [1, 99] }, 'accountId', 'The list of accounts has no account 99.'],
    [{ accountId: 1, accountIds: [2] }, 'accountIds', 'Set either accountId or accountIds, not both.'],
    [{ accountIds: [1], owner: true }, 'owner', TOGETHER],
    [{ owner: true }, 'owner', TOGETHER],
    [{ accountId: 1, owner: 'yes' }, 'owner', TOGETHER],
    [{ accountId: 1, owner: undefined }, 'owner', TOGETHER],
    [{ accountId: null, owner: true }, 'accountId', FORM],
  ])('is refused as %j', async (request, input, words) => {
    const message = expect.stringContaining(words);
    await expect(create(request)).rejects.toMatchObject({ name: 'InvalidInput', input, message });
  });

  test('needs the owner of an account in the list of accounts to be one of a reseller', async () => {
    const ownerless = await list.beside({ accounts: { fields: { owner_id: false } } });
    await expect(ownerless.panel.token({ accountId: 1, owner: true })).rejects.toThrow(
      'The list of accounts does not say which account owns an account.',
    );
    const token = await list.panel.token({ accountId: 1, owner: true });
    expect((await ownerless.get('jobs.php', token)).status).toBe(503);
  });

  describe('of a reseller, with a function that returns all accounts', () => {
    const rows: object[] = ['a', 'null', 'null2'].map((id) => ({ ...account(0), id }));
    let token: string;
    let reading: ListPanel;

    beforeAll(async () => {
      rows.push({ ...account(0), id: 'owned', owner_id: 'null' });
      const fields = ['id', 'username', 'status', 'created_at', 'owner_id'] as const;
      reading = await list.beside({ accounts: { fields, rows: () => rows as never } });
      token = await reading.panel.token({ accountId: 'null', owner: true });
    });

    test('reads no account without an owner, even if its id is the text null', async () => {
      expect(await reading.keys('accounts.php', token)).toEqual(['null', 'owned']);
    });

    test('is not told of a fault in the row of another account', async () => {
      rows.push({ owner_id: 'a' }, { ...account(0), id: 'a' });
      expect(await reading.keys('accounts.php', token)).toEqual(['null', 'owned']);
    });
  });

  test('reads no account without an owner that SQL does not leave out, even if its id is the text null', async () => {
    const { knex } = list.database;
    await knex.schema.createTable('named', (table) => {
      for (const name of ['id', 'username', 'status', 'created_at', 'owner_id']) table.string(name, 40);
    });
    const named = { username: 'x', status: 'active', created_at: '2026-01-01 00:00:00' };
    const owners = { null: null, owned: 'null', free: null };
    for (const [id, owner_id] of Object.entries(owners))
      await knex('named').insert({ ...named, id, owner_id });
    const from = (raw: unknown) => raw;
    const reading = await list.beside({ accounts: { table: 'named', fields: { owner_id: { from } } } });
    const token = await reading.panel.token({ accountId: 'null', owner: true });
    expect((await reading.keys('accounts.php', token)).toSorted()).toEqual(['null', 'owned']);
  });

  test('can have a hundred accounts with ids of any length', async () => {
    const accountless = await list.beside({ accounts: false });
    const ids = Array.from({ length: 100 }, (_, index) => String(index).padEnd(128, '\u{6f22}'));
    const token = await accountless.panel.token({ accountIds: ids });
    expect((await accountless.get('me.php', token)).body.data.account_ids).toEqual(ids);
  });

  test('loses the accounts that its account owns if it is bound to another one', async () => {
    const { record } = await create({ accountId: 1, owner: true });
    const update = (changes: object) => list.panel.api.tokens.update(record.id, changes, AUTHOR);
    await expect(update({ owner: false })).rejects.toThrow(InvalidInput);
    await expect(update({ accountId: null, owner: true })).rejects.toMatchObject({
      input: 'owner',
      message: 'A token of all accounts has no owner.',
    });
    expect(await update({ name: 'y' })).toMatchObject({ accountId: '1', owner: true });
    expect(await update({ accountId: 1 })).toMatchObject({ accountId: '1', owner: false });
    const { username } = account(2);
    expect(await update({ accountIds: [1, 2] })).toMatchObject({
      accountId: '1',
      owner: false,
      accounts: [{ id: '1' }, { id: '2', username }],
    });
    expect(await update({ accountId: null })).toMatchObject({ accountId: null, accounts: [], owner: false });
  });

  test('goes on with a cursor of before, but only in the rows of the accounts that it has now', async () => {
    const token = await list.panel.token({ accountIds: [1, 2] });
    const { next_cursor } = (await list.get('jobs.php?limit=1', token)).body.data;
    await list.database.knex('accounts').where({ id: 2 }).update({ status: 'suspended' });
    expect(await list.keys(`jobs.php?cursor=${next_cursor}`, token)).toEqual([5]);
    const other = await list.panel.token({ accountIds: [1, 3] });
    expect((await list.get(`jobs.php?cursor=${next_cursor}`, other)).status).toBe(400);
    await list.database.knex('accounts').where({ id: 2 }).update({ status: 'active' });
  });

  test('keeps its ETag, whatever other accounts do', async () => {
    const token = await list.panel.token({ accountId: 1, owner: true });
    const etag = async () => (await list.get('jobs.php', token)).headers.get('etag');
    const before = await etag();
    await list.database.knex('jobs').insert({ account_id: 4, type: 'new' });
    await list.database.knex('accounts').insert(account(50, 4));
    expect(await etag()).toBe(before);
  });
});
