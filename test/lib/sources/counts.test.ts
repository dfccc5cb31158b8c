import type { Sources } from '../../../index';
import { describeEachEngine, describeOneEngine } from '../../fixture/databases';
import { type SourcePanel, sourcePanels } from '../../fixture/sources/sourcePanels';

type Accounts = NonNullable<Exclude<Sources['accounts'], false>>;
type Item = Readonly<Record<string, unknown>>;

/** Each count, and the query of the list that must return the same. */
const COUNTS = {
  website_count: 'websites.php?',
  mailbox_count: 'email.php?type=mailbox&',
  domain_count: 'domains.php?status=active,pending&',
  database_count: 'databases.php?',
} as const;

const COUNTED = {
  website_count: { count: 'websites' },
  mailbox_count: { count: 'email', where: { type: 'mailbox' } },
  domain_count: { count: 'domains', where: { status: ['active', 'pending'] } },
  database_count: { count: 'databases' },
} as const;

const RUNNING = { status: { value: 'active' } } as const;
const MAILBOX = { ...RUNNING, type: { value: 'mailbox' } } as const;
const DOMAIN = { type: { value: 'primary' }, ssl_status: { value: 'none' } } as const;

describeEachEngine('Counts of an account', (engine) => {
  const panels = sourcePanels(engine);

  const tables = async () => {
    const { table } = panels;
    await table(
      'clients',
      { username: 'string' },
      ['anna', 'bert', 'carl'].map((username) => ({ username })),
    );
    await table('staff', { username: 'string' }, [{ username: 'root' }]);
    const owners = [1, 1, 2, 0, null, 9, 1];
    await table(
      'sites',
      { domain: 'string', owner: 'integer' },
      owners.map((owner) => ({ domain: 'a', owner })),
    );
    await table(
      'boxes',
      { address: 'string', owner: 'integer' },
      [2, 2].map((owner) => ({ address: 'a', owner })),
    );
    await table('forwards', { address: 'string', owner: 'integer', kind: 'string' }, [
      { address: 'f', owner: 1, kind: 'forwarder' },
      { address: 'm', owner: 1, kind: 'mailbox' },
      // Collations take it for the same word.
      { address: 'n', owner: 1, kind: 'MAILBOX' },
    ]);
    await table('names', { domain: 'string', owner: 'string', state: 'string' }, [
      { domain: 'a', owner: '1', state: 'on' },
      { domain: 'b', owner: '1', state: 'off' },
      { domain: 'c', owner: '3', state: 'new' },
      { domain: 'd', owner: '03', state: 'new' },
    ]);
  };

  const sourcesWith = (accounts: Accounts): Sources => ({
    accounts,
    websites: { table: 'sites', fields: { ...RUNNING, account_id: { column: 'owner', null: 0 } } },
    email: [
      { table: 'boxes', fields: { ...MAILBOX, account_id: 'owner' } },
      {
        query: (knex) => knex('forwards as f'),
        fields: { id: 'f.id', address: 'f.address', type: 'f.kind', account_id: 'f.owner', ...RUNNING },
      },
    ],
    domains: {
      table: 'names',
      fields: {
        ...DOMAIN,
        account_id: { column: 'owner', integer: true },
        status: { column: 'state', values: { on: 'active', off: 'suspended', new: 'pending' } },
      },
    },
    databases: {
      fields: ['id', 'name', 'engine', 'account_id'],
      rows: ({ filters }) =>
        [1, 1, 1, 3, null]
          .map((account_id, index) => ({ id: `d${index}`, name: 'd', engine: 'mariadb', account_id }))
          .filter(({ account_id }) => filters.account_id?.includes(String(account_id)) ?? true),
    },
  });

  /** The accounts, after each of their counts was compared with what its list says. */
  const compared = async ({ items, get }: SourcePanel): Promise<readonly Item[]> => {
    const accounts = await items('accounts');
    for (const account of accounts)
      for (const [field, path] of Object.entries(COUNTS)) {
        const { body } = await get(`${path}account_id=${account.id}&count=true`);
        expect([account.id, field, account[field]]).toEqual([account.id, field, body.data.total]);
      }
    return accounts;
  };

  test('are those that each list says, on pages and for a token of one account too', async () => {
    await tables();
    const started = await panels.start(sourcesWith({ table: 'clients', fields: COUNTED }));
    const { items, get, panel } = started;
    const accounts = await compared(started);
    expect(accounts.map((account) => Object.keys(COUNTS).map((field) => account[field]))).toEqual([
      [3, 1, 1, 3],
      [1, 2, 0, 0],
      [0, 0, 1, 1],
    ]);
    const { data } = (await get('accounts.php?limit=2&order=desc')).body;
    expect(data.items).toEqual(accounts.slice(1).toReversed());
    expect(await items('accounts', '?fields=username,mailbox_count')).toEqual(
      accounts.map(({ id, username, mailbox_count }) => ({ id, username, mailbox_count })),
    );
    const bound = await panel.token({ accountId: '1' });
    expect((await get('accounts.php', bound)).body.data.items).toEqual(accounts.slice(0, 1));
    expect((await get('accounts.php?count=true')).body.data.total).toBe(3);
  });

  test('follow the ids of accounts that have several parts', async () => {
    await tables();
    const sources = sourcesWith([
      { table: 'clients', fields: COUNTED },
      { table: 'staff', fields: { website_count: COUNTED.website_count } },
    ]);
    const started = await panels.start({
      ...sources,
      websites: [
        { table: 'sites', fields: { ...RUNNING, account_id: 'owner' } },
        { table: 'names', fields: { ...RUNNING, account_id: { column: 'owner', integer: true, part: 1 } } },
      ],
    });
    const accounts = await started.items('accounts');
    expect(
      accounts.map(({ id, website_count, mailbox_count }) => [id, website_count, mailbox_count]),
    ).toEqual([
      [10, 3, 1],
      [20, 1, 2],
      [30, 0, 0],
      [11, 2, null],
    ]);
    const { body } = await started.get('websites.php?account_id=11&count=true');
    expect(body.data.total).toBe(2);
  });

  test('cost a page of 100 accounts one statement each, which uses an index', async () => {
    const { knex, table, start } = panels;
    const many = (rows: number) => Array.from({ length: rows }, (_, index) => index);
    const names = many(150).map((index) => ({ username: `u${index}` }));
    await table('clients', { username: 'string' });
    await knex.batchInsert('clients', names, 75);
    for (const name of ['sites', 'boxes', 'bases']) {
      await table(name, { domain: 'string', address: 'string', name: 'string', owner: 'integer' });
      await knex.batchInsert(
        name,
        many(400).map((index) => ({ domain: 'a', owner: 1 + (index % 40) })),
        100,
      );
      await knex.schema.alterTable(name, (altered) => altered.index('owner', `${name}_owner`));
    }
    const counted = { table: 'clients', fields: { ...COUNTED, domain_count: false } } as const;
    const { get } = await start({
      accounts: counted,
      websites: { table: 'sites', fields: { ...RUNNING, account_id: 'owner' } },
      email: { table: 'boxes', fields: { ...MAILBOX, address: 'domain', account_id: 'owner' } },
      databases: {
        table: 'bases',
        fields: { name: 'domain', engine: { value: 'mysql' }, account_id: 'owner' },
      },
    });
    const sent: { sql: string; bindings: readonly never[] }[] = [];
    knex.on('query', (query) => sent.push(query));
    /** The statements for rows of these tables, and those of them that count. */
    const statementsFor = async (path: string) => {
      sent.length = 0;
      expect((await get(path)).status).toBe(200);
      const rows = sent.filter(({ sql }) => / AS c\d.* from \W(?:clients|sites|boxes|bases)\W/.test(sql));
      return { all: rows.length, counts: rows.filter(({ sql }) => / n0 /.test(sql)) };
    };
    // The first page of a process is read in two pieces, because the length of its rows is not known.
    expect((await statementsFor('accounts.php?limit=100')).counts).toHaveLength(3);
    expect((await statementsFor('accounts.php?limit=100&fields=username')).all).toBe(1);
    const { all, counts } = await statementsFor('accounts.php?limit=100');
    expect([all, counts.length]).toEqual([4, 3]);
    for (const { sql, bindings } of counts) {
      // biome-ignore lint/suspicious/noExplicitAny: every driver has a form of its own.
      const explained: any = await knex.transaction(async (run) => {
        if (engine === 'postgresql') await run.raw('SET LOCAL enable_seqscan = off');
        const plan = engine === 'sqlite' ? 'EXPLAIN QUERY PLAN' : 'EXPLAIN';
        return run.raw(`${plan} ${sql.replace(/\$\d+/g, '?')}`, bindings);
      });
      expect(JSON.stringify(explained.rows ?? explained)).toMatch(/_owner/);
    }
  });
});

describeOneEngine('A count of an account', (engine) => {
  const panels = sourcePanels(engine);
  const accounts = { table: 'clients', fields: { website_count: { count: 'websites' } } } as const;
  const beside = { ...RUNNING, domain: { value: 'a' } } as const;

  test('is null, and check says why, if its list cannot be read or filtered', async () => {
    await panels.table('clients', { username: 'string' }, [{ username: 'anna' }]);
    await panels.table('sites', {}, [{}]);
    for (const [websites, why] of [
      [{ table: 'gone' }, 'the list websites cannot be read.'],
      [{ table: 'sites', fields: beside }, 'the list websites cannot be filtered by account_id.'],
    ] as const) {
      const { items, inspected } = await panels.start({ accounts, websites });
      expect(await items('accounts')).toEqual([expect.objectContaining({ id: 1, website_count: null })]);
      const { detail } = await inspected('accounts');
      expect(detail).toContain(`The field website_count is null, because ${why}`);
    }
  });

  test('fails with its request if the function of its list fails', async () => {
    await panels.table('clients', { username: 'string' }, [{ username: 'anna' }]);
    const rows = () => Promise.reject(new Error('down'));
    const fields = ['id', 'domain', 'status', 'account_id'] as const;
    const { get } = await panels.start({ accounts, websites: { rows, fields } });
    const [websites, failed] = [await get('websites.php'), await get('accounts.php')];
    expect([failed.status, failed.body.error.code]).toEqual([websites.status, websites.body.error.code]);
    expect((await get('accounts.php?fields=username')).status).toBe(200);
  });

  test('counts every row of a whole list of more than a thousand accounts', async () => {
    await panels.table('clients', { username: 'string' });
    await panels.table('sites', { owner: 'integer' });
    const ids = Array.from({ length: 2300 }, (_, index) => index + 1);
    await panels.knex.batchInsert(
      'clients',
      ids.map((id) => ({ username: `u${id}` })),
      500,
    );
    await panels.knex.batchInsert(
      'sites',
      [...ids, 1, 2300].map((owner) => ({ owner })),
      500,
    );
    const websites = { table: 'sites', fields: { ...beside, account_id: 'owner' } } as const;
    const { items } = await panels.start({ accounts, websites });
    const counts = (await items('accounts')).map(({ website_count }) => website_count);
    expect(counts).toEqual(ids.map((id) => (id === 1 || id === 2300 ? 2 : 1)));
  });
});

describe('A count on MariaDB', () => {
  const panels = sourcePanels('mariadb');

  test('tells accounts apart that its collation takes for one', async () => {
    await panels.knex.raw(
      'CREATE TABLE clients (id VARCHAR(9) COLLATE utf8mb4_bin PRIMARY KEY, username TEXT)',
    );
    await panels.knex('clients').insert(['Anna', 'anna', 'änna'].map((id) => ({ id, username: id })));
    await panels.table('sites', { owner: 'native varchar(9) collate utf8mb4_general_ci' });
    await panels.knex('sites').insert(['anna', 'anna', 'Anna', 'ANNA', 'anna '].map((owner) => ({ owner })));
    const { items } = await panels.start({
      accounts: { table: 'clients', fields: { website_count: { count: 'websites' } } },
      websites: { table: 'sites', fields: { ...RUNNING, domain: { value: 'a' }, account_id: 'owner' } },
    });
    const counts = (await items('accounts')).map(({ id, website_count }) => [id, website_count]);
    await panels.knex.schema.dropTable('clients');
    expect(counts).toEqual([
      ['Anna', 1],
      ['anna', 2],
      ['änna', 0],
    ]);
  });
});
