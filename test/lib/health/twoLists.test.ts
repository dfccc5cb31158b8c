import type { Sources } from '../../../index';
import { checkSources } from '../../fixture/command/checkSources';
import { freshDatabase, type TestDatabase } from '../../fixture/databases';

type Rows = readonly Readonly<Record<string, unknown>>[];

/** A list of a function that returns these rows. */
const listOf = (rows: Rows, confirm: object = {}) => ({
  ids: 'integer',
  fields: Object.keys(rows[0] ?? {}),
  confirm,
  rows: () => rows,
});

const times = (count: number, row: (index: number) => object): Rows =>
  Array.from({ length: count }, (_, index) => ({ id: index + 1, ...row(index) }));

const accounts = listOf(times(3, (index) => ({ username: `user${index}`, role: 'customer' })));

const site = (index: number) => ({
  domain: `a${index}.example`,
  status: 'active',
  account_id: 1,
  ssl_enabled: true,
});
const domain = (index: number) => ({
  domain: `a${index}.example`,
  type: 'primary',
  ssl_status: 'active',
  status: 'active',
  account_id: 1,
  website_id: index + 1,
});

describe('Two lists that contradict each other', () => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await freshDatabase('sqlite');
  });

  const found = async (sources: object) => {
    const lists = await checkSources({ db: database.knex, sources: sources as Sources });
    return lists.flatMap(({ resource, warnings }) =>
      warnings.map(({ field, code }) => `${resource}.${field} ${code}`),
    );
  };

  const panel = (
    change: (index: number) => object,
    { rows = 10, confirm = {}, changeSite = (() => ({})) as (index: number) => object } = {},
  ) => ({
    accounts,
    websites: listOf(times(rows, (index) => ({ ...site(index), ...changeSite(index) }))),
    domains: listOf(
      times(rows, (index) => ({ ...domain(index), ...change(index) })),
      confirm,
    ),
  });

  test('say nothing if they agree', async () => {
    expect(await found(panel(() => ({})))).toEqual([]);
  });

  test.each([
    ['account_id', 'owner_differs', { account_id: 2 }],
    ['status', 'suspended_differs', { status: 'suspended' }],
    ['ssl_status', 'https_missing', { ssl_status: 'none' }],
  ])('are named at the field %s, unless this code is confirmed', async (field, code, change) => {
    expect(await found(panel(() => change, { rows: 9 }))).toEqual([`domains.${field} ${code}`]);
    expect(await found(panel(() => change, { rows: 9, confirm: { [field]: code } }))).toEqual([]);
  });

  test('are no finding in two rows, and are one in three', async () => {
    const other = (rows: number) => (index: number) => (index < rows ? { account_id: 2 } : {});
    expect(await found(panel(other(2)))).toEqual([]);
    expect(await found(panel(other(3)))).toEqual(['domains.account_id owner_differs']);
  });

  test('are no finding in a small share of the rows', async () => {
    const other = (index: number) => (index < 3 ? { account_id: 2 } : {});
    expect(await found(panel(other, { rows: 40 }))).toEqual([]);
  });

  test('say with their share which field contradicts which', async () => {
    const [first] = (
      await checkSources({
        db: database.knex,
        sources: panel((index) => (index % 2 ? { account_id: 2 } : {})) as Sources,
      })
    ).flatMap(({ warnings }) => warnings);
    expect(first?.sentence).toBe(
      'The field account_id contradicts account_id of its website or domain in 5 of 10 rows, such as "2" in the row 2: correct the column, the words or the reference of one of them.',
    );
  });

  test('a website whose domain has another name, or leads to another website', async () => {
    const renamed = panel(() => ({ type: 'addon' }), {
      changeSite: (index) => ({ domain: `b${index}.example` }),
    });
    expect(await found(renamed)).toEqual(['websites.domain website_domain']);
    const moved = panel((index) => ({ type: 'addon', website_id: ((index + 1) % 10) + 1 }));
    expect(await found(moved)).toEqual(['websites.domain website_domain']);
  });

  test('a domain that is looked up by its name, if the database cannot filter it, is not', async () => {
    const { knex } = database;
    await knex.schema.createTable('names', (table) => {
      table.increments('id');
      table.string('name');
    });
    await knex('names').insert(times(5, (index) => ({ name: `other${index}` })));
    const fields = {
      domain: { column: 'name', from: (name: unknown) => `${name}.example` },
      type: { value: 'addon' },
      ssl_status: { value: 'none' },
      status: { value: 'active' },
    };
    const websites = listOf(times(5, site));
    expect(await found({ accounts, websites, domains: { table: 'names', fields } })).toEqual([]);
    expect(
      await found({
        accounts,
        websites,
        domains: { table: 'names', fields: { ...fields, domain: { column: 'name', confirm: true } } },
      }),
    ).toEqual(['websites.domain website_domain']);
  });

  test('addresses that two parts have', async () => {
    const address = (index: number) => ({
      address: `a${index}@a.example`,
      type: 'mailbox',
      status: 'active',
    });
    const part = (rows: number) => listOf(times(rows, address));
    expect(await found({ email: [part(9), part(2)] })).toEqual([]);
    expect(await found({ email: [part(9), part(3)] })).toEqual(['email.address name_shared']);
  });

  test('a count in a column that is not that of the rows', async () => {
    const counting = (website_count: (index: number) => number) => ({
      accounts: listOf(
        times(4, (index) => ({ username: `user${index}`, website_count: website_count(index) })),
      ),
      websites: listOf(times(10, (index) => ({ ...site(index), account_id: 1 + (index % 4) }))),
    });
    expect(await found(counting((index) => (index < 2 ? 3 : 2)))).toEqual([]);
    expect(await found(counting(() => 7))).toEqual(['accounts.website_count count_list']);
  });
});

describe('Two fields of one column', () => {
  test('are named, unless that is confirmed', async () => {
    const { knex } = await freshDatabase('sqlite');
    await knex.schema.createTable('sites', (table) => {
      table.increments('id');
      table.string('domain');
      table.string('user');
    });
    const found = async (fields: object) => {
      const websites = { table: 'sites', fields: { status: { value: 'active' }, ...fields } };
      const lists = await checkSources({ db: knex, sources: { websites } as Sources });
      return lists.flatMap(({ warnings }) => warnings);
    };
    expect(await found({ system_user: 'user', app: 'user' })).toEqual([
      {
        code: 'column_shared',
        field: 'app',
        sentence:
          'The field app is read from the column user, from which system_user is read, too: choose another, or leave one out.',
      },
    ]);
    expect(await found({ system_user: 'user', app: { column: 'user', confirm: 'column_shared' } })).toEqual(
      [],
    );
    expect(await found({ system_user: 'domain' })).toEqual([]);
    expect(await found({ system_user: 'user', app: { column: 'user', values: { a: 'b' } } })).toEqual([]);
  });
});
