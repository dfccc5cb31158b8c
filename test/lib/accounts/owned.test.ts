import type { Knex } from 'knex';
import type { PanelApiOptions } from '../../../index';
import { describeEachEngine, describeOneEngine, type Engine, openHandle } from '../../fixture/databases';
import { type ListPanel, startListPanel } from '../../fixture/listPanel';
import { createPanelTables } from '../../fixture/panelTables';

const [OLD, NEW] = ['2024-01-01 00:00:00', '2026-01-01 00:00:00'];

const account = (id: number, owner_id: number | null = null) => ({
  id,
  owner_id,
  username: `user${id}`,
  status: 'active',
  created_at: OLD,
});

/** Two resellers, 1 and 2, with the customers 3 and 4, and 5. Each account has one job with its id. */
async function setUp(knex: Knex): Promise<void> {
  await createPanelTables(knex, ['accounts', 'jobs']);
  await knex('accounts').insert([account(1), account(2), account(3, 1), account(4, 1), account(5, 2)]);
  const job = (id: number) => ({ id, account_id: id, type: 'x', status: 'active' });
  await knex('jobs').insert([...[1, 2, 3, 4, 5].map(job), { ...job(6), account_id: null }]);
}

describeEachEngine('A reseller of 20,000 customers', (engine) => {
  const COUNTED = { website_count: { count: 'websites' } } as const;
  let list: ListPanel;
  let token: string;

  beforeAll(async () => {
    list = await startListPanel(
      engine,
      async (knex) => {
        await createPanelTables(knex, ['accounts', 'jobs', 'websites', 'databases']);
        const of = (owner: number) => (_: unknown, index: number) => account(owner * 100_000 + index, owner);
        const owned = Array.from({ length: 20_000 }, of(1));
        await knex.batchInsert('accounts', [account(1), account(2), ...owned, of(2)(0, 0)], 150);
        const ids = [1, 2, 100_000, 119_999, 200_000];
        await knex('jobs').insert(ids.map((account_id) => ({ account_id, type: 'x', status: 'queued' })));
        await knex('databases').insert(ids.map((account_id) => ({ account_id, name: 'x', size_bytes: 10 })));
      },
      { accounts: { fields: COUNTED } },
    );
    token = await list.panel.token({ accountId: 1, owner: true });
  });

  test('has their rows in pages and whole, counted and added up', async () => {
    expect(await list.keys('jobs.php', token)).toEqual([1, 3, 4]);
    const pages = await list.pages('jobs.php?limit=2&order=desc', token);
    expect(pages.map((page) => page.map(({ id }) => id))).toEqual([[4, 3], [1]]);
    expect(await list.keys('jobs.php?account_id=2,119999,200000', token)).toEqual([4]);
    const figures = async (path: string) => (await list.get(path, token)).body.data;
    expect(await figures('jobs.php?count=status')).toMatchObject({ total: 3, counts: { queued: 3 } });
    expect(await figures('databases.php?sum=size_bytes&search=X')).toMatchObject({
      total: 3,
      sums: { size_bytes: 30 },
    });
    expect(await figures('accounts.php?count=true')).toMatchObject({ total: 20_001 });
    expect(await list.keys('accounts.php?limit=2&order=desc', token)).toEqual([119_999, 119_998]);
  });

  test('is told why a list that is read by their ids is refused', async () => {
    const queried = await list.beside({
      accounts: { fields: COUNTED },
      jobs: {
        query: (knex) => knex('jobs'),
        fields: { id: 'id', type: 'type', status: 'status', account_id: 'account_id' },
      },
    });
    const { status, body } = await queried.get('jobs.php', token);
    expect([status, body.error]).toMatchObject([501, { code: 'resource_unavailable', reason: body.message }]);
    expect(body.message).toContain('more than 10,000 accounts');
    expect((await queried.get('databases.php', token)).status).toBe(200);
    expect((await queried.get('me.php', token)).body.data.owner).toBe(true);
  });
});

describeEachEngine('While the rows of a reseller are read', (engine) => {
  let list: ListPanel;
  let token: string;
  let panel: Knex;
  /** What happens before the statement that reads the rows, and after it. */
  let before: () => Promise<unknown>;
  let after: () => Promise<unknown>;

  beforeEach(async () => {
    before = after = async () => undefined;
    list = await startListPanel(engine, async (knex) => {
      await setUp(knex);
      const { client } = knex;
      panel = openHandle(client.config);
      const send = client.query;
      client.query = async function (this: unknown, connection: unknown, given: { readonly sql?: string }) {
        const isRows = /jobs.*panel_api_owned/s.test(given.sql ?? String(given));
        if (isRows) await before();
        const answer = await send.call(this, connection, given);
        if (isRows) await after();
        return answer;
      };
    });
    token = await list.panel.token({ accountId: 1, owner: true });
    expect(await list.keys('jobs.php', token)).toEqual([1, 3, 4]);
  });

  const PATHS = ['jobs.php', 'jobs.php?limit=9', 'jobs.php?limit=9&order=desc'];

  /** Account 3 goes to the other reseller, 4 is deleted and its id given to a customer of the other, and 5 comes. */
  const change = async () => {
    await panel('accounts').where({ id: 3 }).update({ owner_id: 2 });
    await panel('accounts').where({ id: 4 }).delete();
    await panel('accounts').insert({ ...account(4, 2), created_at: NEW, username: 'other' });
    await panel('jobs').where({ account_id: 4 }).update({ id: 44 });
    await panel('accounts').where({ id: 5 }).update({ owner_id: 1 });
  };

  test('the customers are those of the moment at which they are read', async () => {
    before = change;
    for (const path of PATHS) {
      expect([path, (await list.keys(path, token)).toSorted()]).toEqual([path, [1, 5]]);
      before = async () => undefined;
    }
    expect((await list.get('jobs.php?count=true', token)).body.data.total).toBe(2);
  });

  test('no row is another one of a customer who goes after that', async () => {
    after = change;
    expect(await list.keys('jobs.php?limit=9', token)).toEqual([1, 3, 4]);
    expect(await list.keys('jobs.php', token)).toEqual([1, 5]);
  });

  test('the id of the reseller may go to another one, which refuses the answer', async () => {
    for (const path of [...PATHS, 'jobs.php?count=true']) {
      await panel('accounts').where({ id: 1 }).update({ created_at: OLD });
      before = () => panel('accounts').where({ id: 1 }).update({ created_at: NEW });
      expect([path, (await list.get(path, token)).body.error]).toMatchObject([
        path,
        { code: 'account_changed' },
      ]);
    }
  });
});

/** Columns of which some take different values for equal. */
const TWINS: Record<Engine, readonly [id: string, reference: string]> = {
  mariadb: ['varchar(20) collate utf8mb4_bin', 'varchar(20) collate utf8mb4_general_ci'],
  postgresql: ['text', 'text'],
  sqlite: ['text', 'text collate nocase'],
};

describeEachEngine('A reseller whose id differs in its case alone', (engine) => {
  test('has no row of the other one and of its customers', async () => {
    const [id, reference] = TWINS[engine];
    const list = await startListPanel(engine, async (knex) => {
      await createPanelTables(knex, ['accounts', 'jobs']);
      for (const [name, column, type] of [
        ['accounts', 'id', id],
        ['accounts', 'owner_id', reference],
        ['jobs', 'account_id', reference],
      ] as const) {
        await knex.schema.alterTable(name, (table) => table.dropColumn(column));
        await knex.schema.alterTable(name, (table) => table.specificType(column, type));
      }
      const twin = (one: string, owner_id: string | null) => ({
        ...account(1),
        id: one,
        owner_id,
        username: one,
      });
      await knex('accounts').insert([twin('a', null), twin('A', null), twin('x', 'a'), twin('X', 'A')]);
      await knex('jobs').insert(['a', 'A', 'x', 'X'].map((account_id) => ({ account_id, type: 'x' })));
    });
    const token = await list.panel.token({ accountId: 'a', owner: true });
    expect(await list.keys('jobs.php', token)).toEqual([1, 3]);
    expect((await list.get('jobs.php?count=true', token)).body.data.total).toBe(2);
    expect(await list.keys('accounts.php', token)).toEqual(['a', 'x']);
  });
});

describeOneEngine('The condition for the customers of a reseller', (engine) => {
  let list: ListPanel;

  beforeAll(async () => {
    list = await startListPanel(engine, setUp);
  });

  test.each<NonNullable<PanelApiOptions['sources']>>([
    { jobs: { fields: { account_id: { column: 'account_id', null: 3 } } } },
    { accounts: { fields: { owner_id: { column: 'owner_id', null: 1 } } } },
    { jobs: { fields: { account_id: { values: { 3: 2, 5: 4 } } } } },
  ])('does not bypass what a description changes: %j', async (sources) => {
    const described = await list.beside(sources);
    const token = await list.panel.token({ accountId: 1, owner: true });
    const ids = (await described.items('jobs.php')).filter(({ account_id: id }) =>
      (sources.accounts ? [1] : [1, 3, 4]).includes(Number(id)),
    );
    expect(await described.keys('jobs.php', token)).toEqual(ids.map(({ id }) => id));
  });

  test('takes no column of the rows for one that the accounts have no longer', async () => {
    const fallen = await startListPanel(engine, setUp);
    const { knex } = fallen.database;
    await knex.schema.alterTable('jobs', (table) => table.integer('owner_id').defaultTo(1));
    await knex('jobs').update({ owner_id: 1 });
    const token = await fallen.panel.token({ accountId: 1, owner: true });
    expect(await fallen.keys('jobs.php', token)).toEqual([1, 3, 4]);
    await knex.schema.alterTable('accounts', (table) => table.dropColumn('owner_id'));
    expect((await fallen.get('jobs.php', token)).status).toBe(503);
  });
});
