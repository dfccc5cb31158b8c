import { knex as connect, type Knex } from 'knex';
import type { Sources } from '../../../../index';
import { caseMappers } from '../../../fixture/caseMappers';
import { describeEachEngine, shareOf } from '../../../fixture/databases';
import { handleSettings } from '../../../fixture/handleSettings';
import { sourcePanels } from '../../../fixture/sources/sourcePanels';

type Query = (db: Knex) => Knex.QueryBuilder;

const constants = { type: { value: 'primary' }, ssl_status: { value: 'none' } } as const;
const fields = {
  id: 'w.site_id',
  domain: 'w.name',
  status: 'w.state',
  account_id: 'g.client_id',
  ...constants,
};

const QUERIES: Readonly<Record<string, Query>> = {
  'a join with aliases': (db) => db('sites as w').leftJoin('groups as g', 'w.group_id', 'g.group_id'),
  'a join in capitals': (db) => db('sites AS w').leftJoin('groups  AS  g', 'w.group_id', 'g.group_id'),
  'objects as aliases': (db) => db({ w: 'sites' }).leftJoin({ g: 'groups' }, 'w.group_id', 'g.group_id'),
  'conditions of a join': (db) =>
    db('sites as w').leftJoin('groups as g', (join) => {
      join.on('w.group_id', 'g.group_id').andOnNotNull('w.name');
    }),
  'a subquery that is joined': (db) =>
    db('sites as w').leftJoin(
      db('groups').select('group_id', 'client_id').as('g'),
      'w.group_id',
      'g.group_id',
    ),
  'a select and an order of its own': (db) =>
    db('sites as w')
      .select('w.secret')
      .leftJoin('groups as g', 'w.group_id', 'g.group_id')
      .orderBy('w.name', 'desc'),
  'whereIn and whereExists': (db) =>
    db('sites as w')
      .leftJoin('groups as g', 'w.group_id', 'g.group_id')
      .whereIn('w.state', ['on', 'off'])
      .whereExists(db('groups as x').select(db.raw('1')).whereRaw('x.group_id > 0')),
  'a table of WITH': (db) =>
    db
      .with('found', db('sites').where('site_id', '>', 0))
      .from('found as w')
      .leftJoin('groups as g', 'w.group_id', 'g.group_id'),
  'groups of which some are left out': (db) =>
    db('sites as w')
      .leftJoin('groups as g', 'w.group_id', 'g.group_id')
      .groupBy('w.site_id', 'w.name', 'w.state', 'g.client_id')
      .havingRaw('count(*) = 1 or count(*) = 2'),
  'a hint and a comment': (db) =>
    db('sites as w')
      .leftJoin('groups as g', 'w.group_id', 'g.group_id')
      .hintComment('NO_ICP(w)')
      .comment('of the panel'),
  'conditions of which one is enough': (db) =>
    db('sites as w')
      .leftJoin('groups as g', 'w.group_id', 'g.group_id')
      .where('w.state', 'on')
      .orWhere('w.state', 'off'),
  'raw SQL of which one condition is enough': (db) =>
    db('sites as w')
      .leftJoin('groups as g', 'w.group_id', 'g.group_id')
      .whereRaw("w.state = 'on' or w.state = 'off'"),
  'a raw condition beside another': (db) =>
    db('sites as w')
      .leftJoin('groups as g', 'w.group_id', 'g.group_id')
      .where('w.id', '>', 0)
      .where(db.raw("w.state = 'on' or w.state = 'off'")),
};

/** How a query is answered whose names are absent, and one that the database refuses for another reason. */
const ABSENT = { all: { code: 501, status: 'warn' }, none: { code: 503, status: 'fail' } };

describeEachEngine('A query', (engine) => {
  const panels = sourcePanels(engine);

  beforeEach(async () => {
    await panels.table(
      'sites',
      {
        id: 'integer',
        site_id: 'integer',
        name: 'string',
        state: 'string',
        group_id: 'integer',
        secret: 'string',
      },
      [
        { id: 7, site_id: 2, name: 'b.example', state: 'off', group_id: 3, secret: 'x' },
        { id: 8, site_id: 1, name: 'a.example', state: 'on', group_id: 4, secret: 'y' },
        { id: 9, site_id: 3, name: 'c.example', state: 'off', group_id: null, secret: 'z' },
      ],
    );
    await panels.table(
      'groups',
      { id: 'integer', group_id: 'integer', client_id: 'integer', name: 'string' },
      [
        { id: 1, group_id: 3, client_id: 30, name: 'three' },
        { id: 2, group_id: 4, client_id: 40, name: 'four' },
      ],
    );
  });

  const domains = (query: Query, given: object = fields) =>
    panels.start({ domains: { query, fields: given } as Sources['domains'] });

  test.each(Object.entries(QUERIES))('with %s returns its rows in the order of the key', async (_, query) => {
    const { items } = await domains(query);
    const found = (await items('domains')).map(({ id, domain, account_id }) => [id, domain, account_id]);
    expect(found).toEqual([
      [1, 'a.example', 40],
      [2, 'b.example', 30],
      [3, 'c.example', null],
    ]);
  });

  test.each(shareOf(engine, Object.entries(QUERIES)))(
    'with %s is read page by page, each row once, filtered, and kept to the account of a token',
    async (_, query) => {
      const { get, items, panel } = await domains(query);
      const ids = async (filter: string) => (await items('domains', filter)).map(({ id }) => id);
      expect(await ids('?account_id=30')).toEqual([2]);
      expect(await ids('?status=off&limit=5')).toEqual([2, 3]);
      expect(await ids('?status=on&account_id=30')).toEqual([]);
      const paged: unknown[] = [];
      let cursor = '';
      do {
        const { body } = await get(`domains.php?limit=1${cursor && `&cursor=${cursor}`}`);
        paged.push(...body.data.items.map(({ id }: { id: unknown }) => id));
        cursor = body.data.next_cursor;
      } while (cursor && paged.length < 5);
      expect(paged).toEqual([1, 2, 3]);
      const token = await panel.token({ accountId: 30 });
      const first = await get('domains.php?limit=1', token);
      expect(first.body.data).toMatchObject({ items: [{ id: 2, account_id: 30 }], next_cursor: null });
      expect((await get('domains.php?status=on&limit=1', token)).body.data.items).toEqual([]);
      expect((await get('domains.php?count=true', token)).body.data.total).toBe(1);
    },
  );

  test.each([
    ['whole numbers', 'w.site_id', [1, 2]],
    ['texts', 'w.name', ['a.example', 'b.example']],
  ])(
    'whose conditions let in rows before the cursor (%s) answers 500 in place of them',
    async (_, id, keys) => {
      const { get, panel } = await panels.start({
        jobs: {
          query: (db) => db('sites as w').whereRaw("w.state = 'on') or (w.state = 'off'"),
          fields: { id, type: { value: 'x' }, status: { value: 'queued' } },
        },
      });
      const first = await get('jobs.php?limit=2&fields=id');
      expect(first.body.data.items).toEqual(keys.map((key) => ({ id: key })));
      const second = await get(`jobs.php?limit=2&fields=id&cursor=${first.body.data.next_cursor}`);
      expect([second.status, second.body.error]).toEqual([500, { code: 'internal_error' }]);
      expect((await panel.requestLines(2))[1]?.fields.cause).toBe('KeyNotUnique');
    },
  );

  test('keeps its hint and its comment in every statement for rows', async () => {
    const { items, statements } = await domains(QUERIES['a hint and a comment'] as Query);
    await items('domains', '?account_id=30');
    const own = statements.filter((sql) => sql.includes('sites'));
    expect(own).not.toEqual([]);
    for (const sql of own) {
      expect(sql).toContain('/* of the panel */');
      expect(sql).toContain('/*+ NO_ICP(w) */');
    }
  });

  test('may join by raw SQL, whose conditions hold', async () => {
    const { items } = await domains(
      (db) => db('sites as w').joinRaw('inner join ?? as g on g.group_id = w.group_id', ['groups']),
      { ...fields, account_id: false },
    );
    expect((await items('domains')).map(({ id }) => id)).toEqual([1, 2]);
  });

  test('serves only the fields that are named', async () => {
    const { items } = await domains(QUERIES['a join with aliases'] as Query);
    expect(Object.keys((await items('domains'))[0])).toEqual([
      'id',
      'domain',
      'type',
      'ssl_status',
      'status',
      'account_id',
    ]);
  });

  test('may name columns without an alias that one table alone has', async () => {
    const { items } = await domains(QUERIES['a join with aliases'] as Query, {
      ...fields,
      id: 'site_id',
      account_id: 'client_id',
    });
    expect((await items('domains', '?account_id=40')).map(({ id }) => id)).toEqual([1]);
  });

  test.each([
    ['a name that two tables have', { domain: 'name' }, 'name', 503],
    ['a column that is not there', { domain: 'w.nome' }, 'w.nome', 501],
    ['an alias that is not there', { domain: 'x.name' }, 'x.name', 501],
  ])('with %s cannot be served, and the column is named', async (_, wrong, column, status) => {
    const { get, inspected } = await domains(QUERIES['a join with aliases'] as Query, {
      ...fields,
      ...wrong,
    });
    expect((await get('domains.php')).status).toBe(status);
    expect((await inspected('domains')).detail).toContain(column.split('.').at(-1));
    expect((await inspected('domains')).detail).toContain('domain');
  });

  test.each<[string, Query, (typeof ABSENT)['all']]>([
    [
      'a condition that does not exist',
      (db) => db('sites as w').leftJoin('groups as g', 'w.group_id', 'g.group_id').where('w.gone', 1),
      ABSENT.all,
    ],
    [
      'a condition of a join that does not exist',
      (db) => db('sites as w').leftJoin('groups as g', 'w.gone', 'g.group_id'),
      ABSENT.all,
    ],
    [
      'an ambiguous condition',
      (db) => db('sites as w').leftJoin('groups as g', 'w.group_id', 'g.group_id').where('name', 'x'),
      ABSENT.none,
    ],
    [
      'a table in raw SQL that does not exist',
      (db) =>
        db('sites as w').leftJoin('groups as g', 'w.group_id', 'g.group_id').joinRaw('join gone on 1 = 1'),
      ABSENT.all,
    ],
  ])('with %s cannot be served, and the release audit says why', async (_, query, { code, status }) => {
    const { get, inspected } = await domains(query);
    expect((await get('domains.php')).status).toBe(code);
    expect(await inspected('domains')).toMatchObject({
      status,
      detail: expect.stringMatching(code === 501 ? /^The query names / : /^The database refuses the query /),
    });
  });

  test('with a joined table that does not exist names the table', async () => {
    const { inspected } = await domains((db) =>
      db('sites as w').leftJoin('gone as g', 'w.group_id', 'g.group_id'),
    );
    expect(await inspected('domains')).toMatchObject({ detail: 'The table gone does not exist.' });
  });

  test('that begins to throw answers 500, and affects no other list', async () => {
    let fails = false;
    const { get, panel } = await panels.start({
      domains: {
        query: (db) => {
          if (fails) throw new RangeError('secret-71');
          return db('sites as w');
        },
        fields: { ...fields, account_id: false },
      },
      jobs: { table: 'groups', fields: { type: 'name', status: 'name' } },
    });
    expect((await get('domains.php')).status).toBe(200);
    fails = true;
    expect((await get('domains.php')).status).toBe(500);
    expect((await get('jobs.php')).status).toBe(200);
    expect((await panel.requestLines(3))[1]?.fields.cause_at).toContain('query.test.ts');
    expect(JSON.stringify(panel.log)).not.toContain('secret-71');
  });

  test('works if its handle renames columns and rows', async () => {
    const db = connect({ ...handleSettings(panels.database), ...caseMappers });
    try {
      const { items } = await panels.start(
        {
          domains: {
            query: (knex) =>
              knex('sites as w')
                .leftJoin('groups as g', 'w.groupId', 'g.groupId')
                .whereIn('w.state', ['on', 'off']),
            fields: { ...fields, status: { column: 'w.state', values: { on: 'active' } } },
          },
        },
        { db },
      );
      expect((await items('domains', '?account_id=40')).map(({ id, status }) => [id, status])).toEqual([
        [1, 'active'],
      ]);
      expect((await items('domains', '?limit=2')).map(({ id }) => id)).toEqual([1, 2]);
    } finally {
      await db.destroy();
    }
  });
});
