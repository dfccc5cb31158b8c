import type { Sources } from '../../../index';
import { checkSources } from '../../fixture/command/checkSources';
import { describeEachEngine } from '../../fixture/databases';
import { sourcePanels } from '../../fixture/sources/sourcePanels';

const site = { domain: 'domain', status: { value: 'active' } } as const;

describeEachEngine('panel-api check', (engine) => {
  const panels = sourcePanels(engine);
  const warningsOf = async (sources: Sources, options = {}) =>
    (await checkSources({ db: panels.knex, sources }, options)).flatMap(({ warnings }) => warnings);

  test('reads the first thousand rows of each part, and all of them with --all', async () => {
    await panels.table('sites', { domain: 'string' });
    const rows = Array.from({ length: 1601 }, (_, index) => ({
      domain: index < 1500 ? 'a.example' : 'none',
    }));
    await panels.knex.batchInsert('sites', rows, 300);
    const websites = [
      { table: 'sites', fields: site },
      { table: 'sites', fields: site },
    ];
    expect(await warningsOf({ websites })).toEqual([]);
    const found = await checkSources({ db: panels.knex, sources: { websites } }, { all: true });
    expect(found.find(({ resource }) => resource === 'websites')).toMatchObject({
      rows: 3202,
      all_rows: true,
      warnings: [0, 1].map((part) => ({
        code: 'domain_name',
        field: 'domain',
        sentence: expect.stringContaining(
          `Part ${part}: The field domain (column domain) is no domain name alone in 101 of 1601 rows, such as in the row 1501${part}:`,
        ),
      })),
    });
  });

  test('tells columns of local times from columns of instants', async () => {
    await panels.table('sites', { domain: 'string', local: 'datetime', instant: 'native timestamp' });
    const at = '2025-06-12 10:00:00';
    await panels.knex('sites').insert({ domain: 'a.example', local: at, instant: at });
    const websites = {
      table: 'sites',
      fields: { ...site, created_at: 'local', updated_at: 'instant' },
    } as const;
    const found = await warningsOf({ websites });
    // Only that of MariaDB is an instant.
    const local = engine === 'mariadb' ? ['created_at'] : ['created_at', 'updated_at'];
    expect(found.map(({ code, field }) => [code, field])).toEqual(local.map((field) => ['zone', field]));
  });

  test('finds rows that are marked as deleted, unless the query looks at the mark', async () => {
    await panels.table('sites', { domain: 'string', is_deleted: 'boolean', deleted_at: 'datetime' }, [
      { domain: 'a.example', is_deleted: false },
      { domain: 'b.example', is_deleted: true },
    ]);
    const fields = { id: 's.id', domain: 's.domain', status: { value: 'active' } } as const;
    const all = { query: (knex: typeof panels.knex) => knex('sites as s'), fields };
    const kept = {
      query: (knex: typeof panels.knex) => knex('sites as s').where('s.is_deleted', false),
      fields,
    };
    expect(await warningsOf({ websites: all })).toEqual([
      {
        code: 'deleted_rows',
        field: 'id',
        sentence:
          'The column s.is_deleted marks 1 of 2 rows as deleted, and the source does not look at it: leave them out with a `where` on s.is_deleted.',
      },
    ]);
    expect(await warningsOf({ websites: kept })).toEqual([]);
    expect(
      await warningsOf({
        websites: { ...all, fields: { ...fields, id: { column: 's.id', confirm: true } } },
      }),
    ).toEqual([]);
  });

  test('finds texts with bytes that are no UTF-8', async () => {
    const broken = Buffer.from([0x6d, 0xfc, 0x6c]);
    const rows = [
      { id: '1', name: 'shop', engine: 'mariadb', users: ['anna', broken] },
      { id: '2', name: broken, engine: 'mariadb', users: ['müller'] },
    ];
    const fields = ['id', 'name', 'engine', 'users'] as const;
    const found = await warningsOf({ databases: { fields, rows: () => rows as never } });
    expect(found.filter(({ code }) => code === 'charset')).toEqual(
      ['name', 'users'].map((field, index) => ({
        code: 'charset',
        field,
        sentence: `The field ${field} contains U+FFFD in place of bytes that are no UTF-8 in 1 of 2 rows, such as in the row ${2 - index}: convert them to UTF-8, in MySQL and MariaDB with \`CONVERT(… USING utf8mb4)\`.`,
      })),
    );
    // PostgreSQL refuses such texts.
    if (engine === 'postgresql') return;
    await panels.table('sites', { domain: 'string', server: 'native blob' });
    await panels.knex.raw("insert into sites (domain, server) values ('a.example', x'6dfc6c')");
    const websites = { table: 'sites', fields: { ...site, web_server: 'server' } } as const;
    expect((await warningsOf({ websites })).map(({ code, field }) => [code, field])).toEqual([
      ['charset', 'web_server'],
    ]);
  });

  test('looks references up in the list that they refer to, wherever that comes from', async () => {
    await panels.table('sites', { domain: 'string', owner: 'string' }, [
      { domain: 'a.example', owner: 'anna' },
      { domain: 'b.example', owner: 'bert' },
      { domain: 'c.example', owner: null },
    ]);
    const accounts = {
      fields: ['id', 'username', 'owner_id'],
      rows: () => [{ id: 'anna', username: 'anna', owner_id: 'carla' }],
    } as const;
    const websites = { table: 'sites', fields: { ...site, account_id: 'owner' } } as const;
    const found = await warningsOf({ accounts, websites });
    expect(
      found.map(({ code, field, sentence }) => [code, field, /in \d of \d rows/.exec(sentence)?.[0]]),
    ).toEqual([
      ['reference', 'owner_id', 'in 1 of 1 rows'],
      ['reference', 'account_id', 'in 1 of 2 rows'],
    ]);
    // The names may be confidential.
    expect(JSON.stringify(found)).not.toMatch(/bert|carla/);
    const confirmed = { ...accounts, confirm: ['owner_id'] } as const;
    expect((await warningsOf({ accounts: confirmed, websites })).map(({ field }) => field)).toEqual([
      'account_id',
    ]);
  });
});
