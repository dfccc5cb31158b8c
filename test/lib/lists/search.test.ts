import type { Knex } from 'knex';
import type { FunctionQuery } from '../../../index';
import type { Field } from '../../../lib/fields';
import { operations } from '../../../routes';
import {
  describeEachEngine,
  describeOneEngine,
  type Engine,
  isMysql,
  shareOf,
} from '../../fixture/databases';
import { indexFor } from '../../fixture/indexFor';
import { type Item, type ListPanel, pathOf, startListPanel } from '../../fixture/listPanel';
import { createFilledTables, createPanelTables, SHOWN_SETTINGS } from '../../fixture/panelTables';
import { isWhole } from '../../prove/scale';

const NAMES = [
  'anna',
  'Anna',
  'ANNA.Smith',
  'annabel@example.org',
  'joanna',
  'info@shop.example',
  'INFO@SHOP.example',
  'info@other.example',
  'a%b',
  'a_b',
  'aXb',
  'a\\b',
  'a!b',
  "a'b",
  '%',
  '_x',
  ' anna',
  'anna ',
  'über.example',
  'Über.example',
  'uber.example',
  'ı.example',
  'I.example',
  'i.example',
  'straße',
  'STRASSE',
  '🐘.example',
  '1.example',
  'ZZZ',
  'zzz',
  '{',
];

const SEARCHES = [
  ...NAMES,
  ...NAMES.slice(0, 8).map((name) => name.toUpperCase()),
  ...NAMES.map((name) => name.slice(0, 2)),
  'a',
  'A',
  'ann',
  'INF',
  'info@s',
  'annab',
  'a%',
  'a_',
  'a\\',
  'a!',
  '\\',
  '!',
  "'",
  '.',
  'x',
  '\u{fffd}',
  'z',
  '🐘',
  'absent',
  'x'.repeat(256),
  '🐘'.repeat(128),
  '%%',
  '\\%',
  '!%',
  'anna  ',
  'ss',
  'ue',
];

const folded = (text: string) => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
const begins = (value: unknown, text: string) =>
  typeof value === 'string' && folded(value).startsWith(folded(text));

const TYPES: Readonly<Record<Engine, readonly string[]>> = {
  mariadb: [
    'varchar(255)',
    'varchar(255) COLLATE utf8mb4_bin',
    'varchar(255) COLLATE utf8mb4_turkish_ci',
    ...(isMysql
      ? ['varchar(255) COLLATE utf8mb4_0900_ai_ci', 'varchar(255) COLLATE utf8mb4_tr_0900_ai_ci']
      : ['varchar(255) COLLATE utf8mb4_uca1400_ai_ci']),
    'varchar(255) CHARACTER SET latin1',
    'varchar(255) CHARACTER SET ucs2',
    'char(60)',
    'text',
    'varbinary(255)',
  ],
  postgresql: ['varchar(255)', 'text COLLATE "C"', 'text COLLATE vague', 'character(60)', 'name', 'bytea'],
  sqlite: ['varchar(255)', 'text COLLATE NOCASE', 'text COLLATE RTRIM', 'blob', ''],
};

async function createAccounts(knex: Knex): Promise<void> {
  await createPanelTables(knex, ['accounts', 'jobs']);
  await knex('accounts').insert([
    { username: 'anna', email: 'boss@example.org', name: 'Zoë', role: 'customer' },
    { username: 'berta', email: 'ANNA@example.org', name: null, role: 'customer' },
    { username: 'carl', email: null, name: 'Anna Smith', role: 'admin' },
    { username: 'joanna', email: 'hanna@example.org', name: 'Hannah', role: 'admin' },
  ]);
}

describeEachEngine('A search', (engine) => {
  let list: ListPanel;

  beforeAll(async () => {
    list = await startListPanel(engine, createAccounts);
  });

  test.each(TYPES[engine].map((type, index) => [type, index] as const))(
    'finds the names that begin with the text, in a column %s',
    async (type, index) => {
      const { knex } = list.database;
      const table = `names_${index}`;
      if (type.includes('vague'))
        await knex.raw(
          "CREATE COLLATION vague (provider = icu, locale = 'und-u-ks-level1', deterministic = false)",
        );
      await knex.raw(`CREATE TABLE ${table} (id integer PRIMARY KEY, domain ${type}, status varchar(9))`);
      const names = type.includes('latin1')
        ? NAMES.filter((name) => /^[\0-\xff]*$/.test(name))
        : NAMES.filter((name) => !type.includes('ucs2') || !name.includes('🐘'));
      const isBytes = /binary|bytea|blob/.test(type);
      await knex(table).insert(
        names.map((name, id) => ({
          id: id + 1,
          domain: isBytes ? Buffer.from(name) : name,
          status: 'active',
        })),
      );
      const panel = await list.beside({ websites: { table } });
      const all = await panel.items('websites.php');
      expect(all.length).toBeGreaterThan(20);
      const checkSearch = async (search: string) => {
        const expected = all.filter(({ domain }) => begins(domain, search)).map(({ domain }) => domain);
        const found = (await panel.items(pathOf('websites', { search }))).map(({ domain }) => domain);
        expect([search, found]).toEqual([search, expected]);
      };
      // Each text is searched for in columns of a third of the types, and in a whole proof in all.
      const searches = [...new Set(SEARCHES)].filter((_, at) => isWhole || at % 3 === index % 3);
      for (let at = 0; at < searches.length; at += 10)
        await Promise.all(searches.slice(at, at + 10).map(checkSearch));
    },
  );

  test.each<[string, readonly number[]]>([
    ['search=anna', [1, 2, 3]],
    ['search=ANNA', [1, 2, 3]],
    ['search=anna&role=admin', [3]],
    ['search=hanna', [4]],
    ['search=Zo', [1]],
    ['search=admin', []],
    ['search=anna&order=desc', [3, 2, 1]],
    ['search=anna&fields=role', [1, 2, 3]],
    ['search=anna%20s', [3]],
    ['search=anna+s', [3]],
  ])('looks in every field that is a name: %s', async (query, ids) => {
    expect(await list.keys(`accounts.php?${query}`)).toEqual(ids);
    expect((await list.pages(`accounts.php?${query}&limit=1`)).flat().map(({ id }) => id)).toEqual(ids);
  });

  test('is counted', async () => {
    const { total, counts } = (await list.get('accounts.php?search=anna&count=role')).body.data;
    expect([total, counts]).toEqual([3, { admin: 1, customer: 2 }]);
  });

  test('of a token of one account finds only its own', async () => {
    expect(await list.keys('accounts.php?search=anna', await list.bound(2))).toEqual([2]);
  });
});

describeOneEngine('The parameter search', (engine) => {
  let list: ListPanel;

  beforeAll(async () => {
    list = await startListPanel(engine, createAccounts);
  });

  const EXPECTED = 'search must be the beginning of a name, 1 to 256 characters without NUL.';
  test.each([
    ['search=', EXPECTED],
    ['search=%00', EXPECTED],
    ['search=a%00', EXPECTED],
    [`search=${'x'.repeat(257)}`, EXPECTED],
    [`search=${'x'.repeat(10_000)}`, EXPECTED],
    ['search=%', 'search must be percent-encoded: a percent sign is %25.'],
    ['search=100%&role=x', 'search must be percent-encoded: a percent sign is %25.'],
    ['role=x&search=%2', 'search must be percent-encoded: a percent sign is %25.'],
    ['search=a&search=b', 'search must be set only once.'],
  ])('is refused: %s', async (query, message) => {
    const { status, body } = await list.get(`accounts.php?${query}`);
    expect([status, body.error?.parameter, body.message]).toEqual([400, 'search', message]);
  });

  test('is unknown to a list without names', async () => {
    const { body } = await list.get('jobs.php?search=a');
    expect([body.message, body.error.supported]).toEqual([
      'Unknown parameter search.',
      expect.not.arrayContaining(['search']),
    ]);
  });

  test('is part of the cursor', async () => {
    const cursor = (await list.get('accounts.php?search=anna&limit=1')).body.data.next_cursor;
    for (const query of ['search=ann', 'role=admin']) {
      const { status, body } = await list.get(`accounts.php?${query}&cursor=${cursor}`);
      expect([status, body.error?.parameter]).toEqual([400, 'cursor']);
    }
    expect(await list.keys(`accounts.php?search=anna&cursor=${cursor}`)).toEqual([2, 3]);
  });
});

const INDEXES: readonly { readonly engine: Engine; readonly type: string; readonly index?: string }[] = [
  { engine: 'mariadb', type: 'varchar(255)' },
  { engine: 'mariadb', type: 'varchar(255) COLLATE utf8mb4_bin' },
  { engine: 'mariadb', type: 'varchar(255) CHARACTER SET latin1' },
  { engine: 'postgresql', type: 'text', index: 'domain text_pattern_ops' },
  { engine: 'postgresql', type: 'varchar(255)', index: 'domain varchar_pattern_ops' },
  { engine: 'postgresql', type: 'text COLLATE "C"' },
  { engine: 'sqlite', type: 'varchar(255)' },
  { engine: 'sqlite', type: 'text COLLATE NOCASE' },
];

test.each(INDEXES)("The panel's index serves a search: $engine, $type", async ({ engine, type, index }) => {
  const list = await startListPanel(engine, async (knex) => {
    await knex.raw(`CREATE TABLE websites (id integer PRIMARY KEY, domain ${type}, status varchar(9))`);
    await knex.raw(`CREATE INDEX served ON websites (${index ?? 'domain'})`);
    const rows = Array.from({ length: 500 }, (_, id) => ({
      id,
      domain: `${id % 9}${id}.example`,
      status: 'active',
    }));
    for (let at = 0; at < rows.length; at += 100) await knex('websites').insert(rows.slice(at, at + 100));
    await knex('websites').insert({ id: 1000, domain: 'Shop.example', status: 'active' });
  });
  for (const search of ['s', 'shop.', 'SHOP.EXAMPLE']) {
    expect(await list.keys(`websites.php?search=${search}`)).toEqual([1000]);
    expect([search, await indexFor(list, `websites.php?search=${search}`)]).toEqual([search, 'served']);
  }
});

describeEachEngine('The names of every list', (engine) => {
  let list: ListPanel;

  beforeAll(async () => {
    list = await startListPanel(engine, createFilledTables, { settings: { keys: SHOWN_SETTINGS } });
  });

  const NAMES_OF: Readonly<Record<string, readonly string[]>> = {
    accounts: ['username', 'email', 'name'],
    domains: ['domain'],
    websites: ['domain'],
    email: ['address'],
    databases: ['name'],
    ssl: ['common_name'],
    cron: ['name'],
    services: ['name'],
  };

  test('are what is declared', () => {
    const declared = operations.map(({ name, fields }) => [
      name,
      Object.entries<Field>(fields).flatMap(([field, { searchable }]) => (searchable ? [field] : [])),
    ]);
    expect(Object.fromEntries(declared.filter(([, fields]) => fields?.length))).toEqual(NAMES_OF);
  });

  const lists = operations.filter(({ kind, name }) => kind === 'list' && name !== 'services');
  test.each(
    shareOf(
      engine,
      lists.map(({ name }) => name),
    ),
  )('are found by their beginning: %s', async (name) => {
    const { supported } = (await list.get(`${name}.php?x=1`)).body.error;
    expect(supported.includes('search')).toBe(name in NAMES_OF);
    const all = await list.items(`${name}.php`);
    for (const field of NAMES_OF[name] ?? []) {
      for (const item of all) {
        const search = String(item[field] ?? 'x').slice(0, 3);
        const expected = all.filter((one: Item) =>
          NAMES_OF[name]?.some((other) => begins(one[other], search)),
        );
        expect(await list.items(pathOf(name, { search }))).toEqual(expected);
      }
    }
  });
});

test('A search is passed on to a function, and applied to its rows and to every part', async () => {
  const received: FunctionQuery['search'][] = [];
  const list = await startListPanel(
    'sqlite',
    async (knex) => {
      await createPanelTables(knex, ['domains']);
      await knex('domains').insert({
        domain: 'shop.example',
        type: 'primary',
        status: 'active',
        ssl_status: 'none',
      });
    },
    {
      domains: [
        { fields: { parent_id: false } },
        {
          fields: ['id', 'domain', 'type', 'status', 'ssl_status'],
          rows: ({ search }) => {
            received.push(search);
            return ['Shop.test', 'other.test'].map((domain, id) => ({
              id,
              domain,
              type: 'alias',
              status: 'active',
              ssl_status: 'none',
            }));
          },
          ids: 'integer',
        },
      ],
      websites: { table: 'domains', fields: { domain: { from: (raw) => raw } } },
    },
  );
  const found = (await list.items('domains.php?search=SHOP')).map(({ domain }) => domain);
  expect([found, received]).toEqual([['shop.example', 'Shop.test'], ['SHOP']]);
  expect((await list.get('websites.php?search=a')).body.message).toBe('Unknown parameter search.');
});
