import type { Knex } from 'knex';
import type { PanelApiOptions } from '../../index';
import { describeEachEngine, type Engine } from '../fixture/databases';
import { type Item, type ListPanel, pathOf, startListPanel } from '../fixture/listPanel';
import { isWhole } from '../prove/scale';

type Sources = NonNullable<PanelApiOptions['sources']>;

const TOKEN = 'Zx81Kq0VnT3mWbY7uLr5cEoP9dHsA2fGiJ4kN6tQvXy';
const NATIVE: Readonly<Record<string, string>> = {
  mariadb: 'datetime',
  postgresql: 'timestamp without time zone',
  sqlite: 'datetime',
};

/** Both spellings of a name, as two panels store it, and another name. */
const NAMES = ['bücher.example', 'xn--bcher-kva.example', 'shop.example'];

/** The rows of each list. The columns have the names of the fields. */
const ROWS: Readonly<Record<string, readonly Item[]>> = {
  accounts: [
    {
      username: 'anna',
      primary_domain: NAMES[0],
      name: '',
      plan: '',
      owner_id: '',
      suspend_reason: `See https://anna:S3cret@billing.example/bill?token=abc, Bearer ${TOKEN}`,
      disk_used_bytes: '1536.5',
      ip_addresses: '192.0.2.1, 2001:db8::7, 192.0.2.1',
      nameservers: 'ns.bücher.example ns.xn--bcher-kva.example ns.shop.example',
    },
    {
      username: 'berta',
      primary_domain: NAMES[1],
      name: 'Berta',
      plan: 'big',
      owner_id: '1',
      suspend_reason: '',
      nameservers: '[]',
    },
    {
      username: 'carl',
      name: null,
      plan: null,
      owner_id: null,
      suspend_reason: null,
      disk_used_bytes: '1.4',
    },
  ],
  domains: NAMES.map((domain) => ({
    domain,
    registration_expires_at: '2026-12-31',
    type: 'addon',
    ssl_status: 'none',
    status: 'active',
  })),
  websites: NAMES.map((domain) => ({ domain, aliases: `www.${domain},www.${domain}`, status: 'active' })),
  ssl: NAMES.map((name) => ({
    common_name: `*.${name}`,
    last_error: `401 from mysql://root:S3cret@db/x ${name}`,
    status: 'failed',
  })),
  email: NAMES.map((name) => ({
    address: `info@${name}`,
    forward_to: 'a@x.example;a@x.example',
    type: 'list',
    status: 'active',
  })),
  backups: [
    'C:\\Backups\\shop.zip',
    '\\\\nas\\shop\\shop.zip',
    '/backup/odd\\name.zip',
    's3://key:S3cret@bucket/shop.zip?sig=abc',
    '/backup/',
    '',
  ].map((file_name) => ({
    file_name,
    error: `Cannot write ${file_name}: the key ${TOKEN} has expired`,
    status: 'failed',
  })),
  jobs: [
    { type: 'deploy', status: 'failed', error: `git clone https://${TOKEN}@git.example/shop: exit code 128` },
  ],
  cron: [
    { schedule: '@every 90m', last_run_at: '2026-06-12 10:00:00', enabled: '1' },
    { schedule: '@Every 2d', last_run_at: '2026-06-12 10:00:00', enabled: '1' },
    { schedule: '@every 30s', last_run_at: '2026-06-12 10:00:00', enabled: '0' },
    { schedule: '@every 30s', last_run_at: '', enabled: '1' },
    { schedule: '@every 0h', last_run_at: '2026-06-12 10:00:00', enabled: '1' },
    { schedule: '@every 1h30m', last_run_at: '2026-06-12 10:00:00', enabled: '1' },
  ],
};

type Kind = 'table' | 'query' | 'function' | 'parts';

/** The kinds of sources to test on each engine. A whole proof tests all of them. */
const KINDS: Readonly<Record<Engine, readonly Kind[]>> = {
  mariadb: ['table', 'parts'],
  postgresql: ['table', 'query'],
  sqlite: ['query', 'function'],
};

function fieldsOf(name: string): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.keys(Object.assign({}, ...(ROWS[name] ?? []))).map((one) => [one, one]));
}

/** A source of one kind for each of the lists. */
function sourcesOf(kind: Kind): Sources {
  const part = (name: string) => {
    const fields = { id: 'id', ...fieldsOf(name) };
    const rows = (ROWS[name] ?? []).map((row, index) => ({ id: index + 1, ...row }));
    switch (kind) {
      case 'table':
        return { table: name };
      case 'query':
        return { query: (knex: Knex) => knex(name), fields };
      case 'function':
        return { ids: 'integer', fields: Object.keys(fields), rows: () => rows };
      case 'parts':
        return [
          { query: (knex: Knex) => knex(name).where('id', '<', 2), fields, uniqueIds: true },
          { ids: 'integer', uniqueIds: true, fields: Object.keys(fields), rows: () => rows.slice(1) },
        ];
    }
  };
  return Object.fromEntries(Object.keys(ROWS).map((name) => [name, part(name)])) as Sources;
}

describeEachEngine('As the fields are defined,', (engine) => {
  const kinds = isWhole ? [...new Set(Object.values(KINDS).flat())] : KINDS[engine];
  let list: ListPanel;
  const panels = new Map<string, ListPanel>();

  beforeAll(async () => {
    list = await startListPanel(
      engine,
      async (knex) => {
        for (const [name, rows] of Object.entries(ROWS)) {
          await knex.schema.createTable(name, (table) => {
            table.increments('id');
            for (const column of Object.keys(fieldsOf(name))) table.string(column);
          });
          await knex(name).insert(rows);
        }
        await knex.schema.createTable('moments', (table) => {
          table.increments('id');
          table.string('username');
          table.specificType('created_at', NATIVE[engine] ?? '');
          table.string('updated_at');
          table.date('last_login_at');
          table.date('expires_at');
        });
        const local = ['2026-10-25 02:30:00', '2026-03-29 02:30:00', '2026-06-12 02:00:00'];
        const days = ['2018-11-04', '2011-12-30', '2018-11-03'];
        await knex('moments').insert(
          local.map((time, index) => ({
            username: `m${index}`,
            created_at: time,
            updated_at: `${time}.9`,
            last_login_at: days[index],
            expires_at: days[index],
          })),
        );
        await knex.schema.createTable('words', (table) => {
          table.increments('id');
          table.string('word');
        });
        await knex('words').insert([{ word: 'odd' }, { word: '' }, { word: null }]);
        await knex.schema.createTable('settings', (table) => {
          table.string('key').primary();
          table.string('value');
          table.string('label');
        });
        await knex('settings').insert({ key: 'panel.motto', value: '', label: '' });
      },
      { settings: { table: 'settings', keys: ['panel.motto'] } },
    );
    for (const kind of kinds) panels.set(kind, await list.beside(sourcesOf(kind)));
  });

  const valuesOf = async (panel: ListPanel, path: string, field: string) =>
    (await panel.items(path)).map((item) => item[field]);

  describe.each(kinds)('with a source of the kind %s,', (kind) => {
    let panel: ListPanel;
    const values = (path: string, field: string) => valuesOf(panel, path, field);

    beforeAll(() => {
      panel = panels.get(kind) as ListPanel;
    });

    test('an optional text that is empty is null, and is not counted', async () => {
      expect(await values('accounts.php', 'name')).toEqual([null, 'Berta', null]);
      expect(await values('accounts.php', 'suspend_reason')).toEqual([expect.any(String), null, null]);
      const { body } = await panel.get('accounts.php?count=plan');
      expect(body.data).toMatchObject({ total: 3, counts: { big: 1 } });
    });

    test('an empty reference is null', async () => {
      const [first, , last] = await values('accounts.php', 'owner_id');
      expect([first, last]).toEqual([null, null]);
    });

    test('a free text of the panel shows no credential', async () => {
      expect((await values('accounts.php', 'suspend_reason'))[0]).toBe(
        'See https://…@billing.example/bill?token=…, Bearer …',
      );
      expect(await values('ssl.php', 'last_error')).toEqual(
        NAMES.map((name) => `401 from mysql://…@db/x ${name}`),
      );
      expect(await values('jobs.php', 'error')).toEqual([
        'git clone https://…@git.example/shop: exit code 128',
      ]);
      const errors = await values('backups.php', 'error');
      expect(errors[0]).toBe('Cannot write C:\\Backups\\shop.zip: the key … has expired');
      expect(errors[3]).toBe('Cannot write s3://…@bucket/shop.zip?sig=abc: the key … has expired');
    });

    test('fractions of a byte are rounded', async () => {
      expect(await values('accounts.php', 'disk_used_bytes')).toEqual([1537, null, 1]);
      expect((await panel.get('accounts.php?sum=disk_used_bytes')).body.data.sums.disk_used_bytes).toBe(1538);
      expect(await panel.keys('accounts.php?disk_used_bytes_min=1537')).toHaveLength(1);
    });

    test('a list has no doubles, and of two spellings of a name the one in ASCII', async () => {
      expect((await values('accounts.php', 'ip_addresses'))[0]).toEqual(['192.0.2.1', '2001:db8::7']);
      expect((await values('accounts.php', 'nameservers'))[0]).toEqual([
        'ns.xn--bcher-kva.example',
        'ns.shop.example',
      ]);
      expect(await values('websites.php', 'aliases')).toEqual(NAMES.map((name) => [`www.${name}`]));
      expect((await values('email.php', 'forward_to'))[0]).toEqual(['a@x.example']);
    });

    test('a file name is the last part of a path, and a backslash separates only in one of Windows', async () => {
      const names = ['shop.zip', 'shop.zip', 'odd\\name.zip', 'shop.zip', 'backup', null];
      expect(await values('backups.php', 'file_name')).toEqual(names);
    });

    test('the next run of an interval is the last run and the interval', async () => {
      expect(await values('cron.php', 'next_run_at')).toEqual([
        '2026-06-12T11:30:00+00:00',
        '2026-06-14T10:00:00+00:00',
        null,
        null,
        null,
        null,
      ]);
    });

    test('a day of expiry is its last second, and a range says the same', async () => {
      const expiries = await values('domains.php', 'registration_expires_at');
      expect(expiries).toEqual(Array(3).fill('2026-12-31T23:59:59+00:00'));
      const found = (query: string) => panel.keys(`domains.php?registration_expires_at_${query}`);
      expect(await found('since=2026-12-31T12:00:00Z')).toHaveLength(3);
      expect(await found('before=2026-12-31T23:59:59Z')).toHaveLength(0);
    });

    test('a filter and a search find a name in either spelling, and counts agree', async () => {
      for (const [name, field, isSearched, before] of [
        ['accounts', 'primary_domain', false, ''],
        ['domains', 'domain', true, ''],
        ['websites', 'domain', true, ''],
        ['ssl', 'common_name', true, '*.'],
        ['email', 'address', true, 'info@'],
        ['email', 'domain', false, ''],
      ] as const) {
        const both = NAMES.slice(0, 2).map((one) => before + one);
        for (const asked of both) {
          for (const query of [{ [field]: asked }, ...(isSearched ? [{ search: asked }] : [])]) {
            expect([name, query, await values(pathOf(name, query), field)]).toEqual([name, query, both]);
            const { body } = await panel.get(pathOf(name, { ...query, count: 'true' }));
            expect([name, query, body.data.total]).toEqual([name, query, 2]);
          }
        }
      }
    });

    test.each([
      ['bü', [0, 1]],
      ['bücher.', [0, 1]],
      ['bücher.exo', []],
      ['BÜCHER.ex', [1]],
      ['xn--b', [0, 1]],
      ['XN--bcher-kva.e', [0, 1]],
      ['xn--bcher-kva.exo', []],
      ['xn--x', []],
      ['xn', [1]],
    ])('a search for %s looks at either spelling, and pages agree', async (search, found) => {
      const pages = await panel.pages(pathOf('domains', { search, limit: '1' }));
      expect(pages.flat().map(({ domain }) => domain)).toEqual(found.map((index) => NAMES[index]));
    });

    test('a cursor of one spelling continues in the other', async () => {
      const page = async (domain: string, cursor: object) =>
        (await panel.get(pathOf('domains', { domain, limit: '1', ...cursor }))).body.data;
      const { next_cursor } = await page('bücher.example', {});
      const { items } = await page('xn--bcher-kva.example', { cursor: next_cursor });
      expect(items.map((item: Item) => item.domain)).toEqual(['xn--bcher-kva.example']);
    });
  });

  describe('in a list from the database,', () => {
    let panel: ListPanel;

    beforeAll(async () => {
      const berlin = { zone: 'Europe/Berlin' };
      panel = await list.beside({
        accounts: {
          table: 'moments',
          fields: {
            created_at: { column: 'created_at', ...berlin },
            updated_at: { column: 'updated_at', time: 'datetime', ...berlin },
            last_login_at: { column: 'last_login_at', zone: 'America/Sao_Paulo' },
          },
        },
        backups: {
          table: 'moments',
          fields: {
            status: { value: 'succeeded' },
            started_at: { column: 'last_login_at', zone: 'Pacific/Apia' },
            expires_at: { column: 'expires_at', zone: 'America/Sao_Paulo' },
          },
        },
        websites: {
          table: 'words',
          fields: {
            domain: { value: 'shop.example' },
            status: { column: 'word', values: { up: 'active' } },
            runtime: { column: 'word', values: { php: 'php' } },
            ssl_enabled: { cases: [{ when: { word: 'odd' }, is: true }], otherwise: false },
            system_user: { value: '' },
          },
        },
        email: {
          table: 'words',
          fields: {
            address: { value: 'info@shop.example' },
            type: { cases: [{ when: { word: 'box' }, is: 'mailbox' }] },
            status: { value: 'active' },
          },
        },
        jobs: {
          table: 'words',
          fields: {
            status: { value: 'failed' },
            type: { value: 'deploy' },
            error: { columns: { word: 'word' }, compute: ({ word }) => word && `${word}: ${TOKEN}` },
          },
        },
        cron: {
          table: 'words',
          fields: {
            schedule: { value: '@daily' },
            enabled: { value: true },
            type: { cases: [{ when: { word: 'sh' }, is: 'script' }] },
          },
        },
      });
    });

    test('a local time that came twice is the earlier one, and one that never was is null', async () => {
      const times = ['2026-10-25T00:30:00+00:00', null, '2026-06-12T00:00:00+00:00'];
      expect(await valuesOf(panel, 'accounts.php', 'created_at')).toEqual(times);
      // Fractions of a second are cut.
      expect(await valuesOf(panel, 'accounts.php', 'updated_at')).toEqual(times);
      expect(
        await panel.keys('accounts.php?created_at_since=2026-03-29&created_at_before=2026-03-30'),
      ).toEqual([]);
    });

    test('a day is its first second, also if its midnight never was, and one that never was is null', async () => {
      expect(await valuesOf(panel, 'accounts.php', 'last_login_at')).toEqual([
        '2018-11-04T03:00:00+00:00',
        '2011-12-30T02:00:00+00:00',
        '2018-11-03T03:00:00+00:00',
      ]);
      expect((await valuesOf(panel, 'backups.php', 'started_at'))[1]).toBeNull();
    });

    test('a day of expiry is its last second in the zone', async () => {
      expect(await valuesOf(panel, 'backups.php', 'expires_at')).toEqual([
        '2018-11-05T01:59:59+00:00',
        '2011-12-31T01:59:59+00:00',
        '2018-11-04T02:59:59+00:00',
      ]);
      expect(await panel.keys('backups.php?expires_at_since=2018-11-05T01:00:00Z')).toEqual([1]);
    });

    test('unknown is never a value that is missing in an optional field, and filters agree', async () => {
      expect(await valuesOf(panel, 'websites.php', 'status')).toEqual(['unknown', 'unknown', 'unknown']);
      expect(await valuesOf(panel, 'websites.php', 'runtime')).toEqual(['unknown', null, null]);
      expect(await valuesOf(panel, 'cron.php', 'type')).toEqual(['unknown', null, null]);
      expect(await panel.keys('cron.php?type=unknown')).toEqual([1]);
      expect((await panel.get('cron.php?count=type')).body.data).toMatchObject({
        total: 3,
        counts: { unknown: 1 },
      });
      expect((await panel.get('websites.php?runtime=unknown&count=true')).body.data.total).toBe(1);
      expect(await panel.keys('websites.php?status=unknown')).toEqual([1, 2, 3]);
      expect(await panel.keys('email.php?type=unknown')).toEqual([1, 2, 3]);
    });

    test('a constant and a computed text follow the same definitions', async () => {
      expect(await valuesOf(panel, 'websites.php', 'system_user')).toEqual([null, null, null]);
      expect(await valuesOf(panel, 'jobs.php', 'error')).toEqual(['odd: …', null, null]);
    });
  });

  test('the value of a setting stays empty, and its label does not', async () => {
    expect(await list.items('settings.php')).toMatchObject([{ value: '', label: null }]);
  });
});
