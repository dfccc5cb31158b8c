import type { Knex } from 'knex';
import { InvalidInput } from '../../../index';
import type { Operation } from '../../../lib/fields/Operation';
import { operations } from '../../../routes';
import { describeEachEngine } from '../../fixture/databases';
import { type ListPanel, pathOf, startListPanel } from '../../fixture/listPanel';
import { createPanelTables } from '../../fixture/panelTables';

/** The endpoints that a token of one account may not read, and those that it reads without restriction. */
const FORBIDDEN = ['services', 'settings', 'health', 'server-health', 'release-audit'];
const OPEN = ['me', 'openapi'];

const OWNERS = [1, 2, 3, 1, 2, 12, 21, null, 0, -1];

const lists = operations.filter(({ name }) => !FORBIDDEN.includes(name) && !OPEN.includes(name));

async function setUp(knex: Knex): Promise<void> {
  await createPanelTables(knex);
  for (const { name, fields } of lists) {
    const rows = OWNERS.map((account_id, index) => ({ id: index + 1, account_id }));
    // Accounts have no `account_id`; account 1 is the reseller of all.
    const accounts = rows.map(({ id }) => ({ id, username: `user${id}`, owner_id: 1 }));
    await knex(name).insert('account_id' in fields ? rows : accounts);
  }
  await knex('settings').insert({ key: 'panel.name', value: 'x' });
}

describeEachEngine('A token of one account', (engine) => {
  let list: ListPanel;
  let token: string;

  beforeAll(async () => {
    list = await startListPanel(engine, setUp, { settings: { keys: ['panel.name'] } });
    token = await list.bound(1);
  });

  const ownerOf = (operation: Operation | undefined) => operation?.owner ?? 'account_id';

  test.each(operations.map(({ name }) => name))(
    'reads only the rows of its account from %s',
    async (name) => {
      const operation = operations.find((known) => known.name === name);
      const { status, body } = await list.get(`${name}.php`, token);
      if (FORBIDDEN.includes(name)) {
        expect([status, body.error]).toEqual([403, { code: 'account_forbidden' }]);
      } else if (OPEN.includes(name)) {
        expect([status, body.data.items]).toEqual([200, undefined]);
      } else {
        const owners = body.data.items.map((item: Record<string, unknown>) => item[ownerOf(operation)]);
        expect([name, status, [...new Set(owners)]]).toEqual([name, 200, [1]]);
      }
    },
  );

  test.each(lists.map(({ name }) => name))('cannot widen %s by any filter', async (name) => {
    const operation = lists.find((known) => known.name === name);
    const owner = ownerOf(operation);
    const own = await list.items(`${name}.php`, token);
    expect(await list.items(pathOf(name, { [owner]: '2' }), token)).toEqual([]);
    expect(await list.items(pathOf(name, { [owner]: '2,3,0,-1', limit: '5' }), token)).toEqual([]);
    expect(await list.items(pathOf(name, { [owner]: '2,1,3' }), token)).toEqual(own);
    expect(await list.items(pathOf(name, { id: '1,2,3,4,5,6,7,8,9,10' }), token)).toEqual(own);
  });

  test('asks the database nothing about the rows of other accounts', async () => {
    const statements: string[] = [];
    const note = ({ sql }: { sql: string }) => statements.push(sql);
    list.database.knex.on('query', note);
    expect(await list.items('jobs.php?account_id=2', token)).toEqual([]);
    expect((await list.get('jobs.php?account_id=2&count=true', token)).body.data.total).toBe(0);
    list.database.knex.off('query', note);
    expect(statements.length).toBeGreaterThan(0);
    expect(statements.filter((sql) => /\bjobs\b/.test(sql))).toEqual([]);
  });

  test.each(lists.map(({ name }) => name))('walks %s page by page', async (name) => {
    const own = await list.items(`${name}.php`, token);
    const pages = await list.pages(`${name}.php?limit=1`, token);
    expect(pages.flat()).toEqual(own);
    expect(pages).toHaveLength(own.length);
  });

  test('reads only its own rows if it asks for other fields than the account', async () => {
    expect(await list.items('jobs.php?fields=id', token)).toEqual([{ id: 1 }, { id: 4 }]);
    expect(await list.items('accounts.php?fields=username&owner_id=1', token)).toEqual([
      { id: 1, username: 'user1' },
    ]);
  });

  test('is refused other endpoints before its parameters are checked', async () => {
    for (const path of ['settings.php?nonsense=1', 'health.php?nonsense=1', 'settings.php?key=panel.name']) {
      expect((await list.get(path, token)).body.error.code).toBe('account_forbidden');
    }
  });

  test.each([
    ['null', []],
    ['', []],
    ['1 ', []],
    ['01', []],
    ['1.0', []],
    ['+1', []],
    ['1,2', []],
    ['%', []],
    ['1 OR 1=1', []],
    ['undefined', []],
    ['0', [9]],
    ['-1', [10]],
    ['12', [6]],
    [`1${'0'.repeat(40)}`, []],
  ] as const)('whose id is %j reads the jobs %j without a list of accounts', async (accountId, ids) => {
    await expect(list.bound(accountId)).rejects.toThrow(InvalidInput);
    if (accountId === '' || accountId === '1 ') return;
    const listless = await list.beside({ accounts: false });
    expect(await listless.keys('jobs.php', await listless.bound(accountId))).toEqual(ids);
  });
});

describeEachEngine('A token of an account whose key is text', (engine) => {
  let list: ListPanel;

  const KEYS = ['a1', 'A1', 'null', 'NULL', 'müller', 'muller', "o'brien", '🐘', '007', '7', 'a,1', '%'];

  beforeAll(async () => {
    list = await startListPanel(engine, async (knex) => {
      await knex.schema.createTable('accounts', (table) => {
        table
          .specificType('id', engine === 'mariadb' ? 'varchar(64) COLLATE utf8mb4_bin' : 'varchar(64)')
          .primary();
        table.string('username');
        table.string('role');
        table.string('status');
      });
      await knex('accounts').insert(KEYS.map((id) => ({ id, username: id })));
      await knex.schema.createTable('jobs', (table) => {
        table.increments('id');
        table.string('type');
        table.string('status');
        table.string('account_id');
      });
      await knex('jobs').insert([...KEYS, null, ''].map((account_id) => ({ account_id })));
    });
  });

  test.each(KEYS)('reads only what belongs to %j, to the letter', async (id) => {
    const token = await list.bound(id);
    expect(await list.keys('accounts.php', token)).toEqual([id]);
    expect((await list.items('jobs.php', token)).map(({ account_id }) => account_id)).toEqual([id]);
    expect((await list.pages('jobs.php?limit=1', token)).flat()).toHaveLength(1);
  });

  test('given as a number reads what belongs to the same text', async () => {
    expect(await list.keys('accounts.php', await list.bound(7))).toEqual(['7']);
  });
});

describeEachEngine('A token of one account at a panel of several kinds of sources', (engine) => {
  let list: ListPanel;
  const asked: unknown[] = [];

  beforeAll(async () => {
    list = await startListPanel(
      engine,
      async (knex) => {
        await createPanelTables(knex, ['accounts', 'domains', 'email', 'cron']);
        await knex('accounts').insert([
          { id: 1, username: 'anna' },
          { id: 2, username: 'bert' },
        ]);
        await knex('domains').insert([1, 2, null].map((account_id) => ({ account_id })));
        await knex.schema.createTable('plain', (table) => {
          table.increments('id');
          for (const column of ['domain', 'type', 'ssl_status', 'status']) table.string(column);
        });
        await knex('plain').insert({ domain: 'unowned.example' });
        await knex('cron').insert([{ account_id: 1 }, { account_id: 2 }]);
      },
      {
        domains: [{ fields: { parent_id: false } }, { table: 'plain', fields: { parent_id: false } }],
        email: { fields: { account_id: { value: 1 } } },
        databases: {
          fields: ['id', 'name', 'engine', 'account_id'],
          rows: ({ filters, accountId }) => {
            asked.push([filters, accountId]);
            return [1, 2, 1, null].map((account_id, id) => ({
              id: `${id}`,
              name: 'x',
              engine: 'x',
              account_id,
            }));
          },
        },
        backups: {
          fields: ['id', 'status', 'account_id'],
          rows: () => [
            { id: 'good', status: 'x', account_id: 1 },
            { account_id: 2, status: 'x' },
          ],
        },
        jobs: { fields: ['id', 'type', 'status'], rows: () => [{ id: 'a', type: 'x', status: 'x' }] },
        cron: { fields: { account_id: { column: 'account_id', from: (raw) => raw } } },
      },
    );
    await list.database.knex('email').insert({ address: 'a@b.example' });
  });

  test('reads from a list of parts the rows that the parts assign to it', async () => {
    expect(
      (await list.items('domains.php', await list.bound(1))).map(({ account_id }) => account_id),
    ).toEqual([1]);
    expect((await list.pages('domains.php?limit=1', await list.bound(2))).flat()).toHaveLength(1);
  });

  test('reads rows that a constant assigns to it', async () => {
    expect(await list.keys('email.php', await list.bound(1))).toEqual([1]);
    expect(await list.keys('email.php', await list.bound(2))).toEqual([]);
  });

  test('reads only its own rows from a function, which receives the account', async () => {
    expect(await list.keys('databases.php', await list.bound(1))).toEqual(['0', '2']);
    expect(asked.at(-1)).toEqual([{ account_id: ['1'] }, '1']);
    expect(await list.keys('databases.php?account_id=1,2', await list.bound(2))).toEqual(['1']);
    expect(asked.at(-1)).toEqual([{ account_id: ['2'] }, '2']);
  });

  test('is not affected by a fault in the row of another account', async () => {
    expect(await list.keys('backups.php', await list.bound(1))).toEqual(['good']);
    expect((await list.get('backups.php', await list.bound(2))).status).toBe(500);
  });

  test.each(['jobs', 'cron'])('is refused %s, which cannot be filtered by account', async (name) => {
    const { status, body } = await list.get(`${name}.php`, await list.bound(1));
    expect([status, body.error]).toEqual([403, { code: 'account_forbidden' }]);
    expect((await list.get(`${name}.php`)).status).toBe(200);
  });
});
