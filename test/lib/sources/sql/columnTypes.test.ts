import { knex as connect, type Knex } from 'knex';
import type { Sources } from '../../../../index';
import { describeEachEngine, type Engine } from '../../../fixture/databases';
import { handleSettings } from '../../../fixture/handleSettings';
import { sourcePanels } from '../../../fixture/sources/sourcePanels';

type Done = (error: Error | undefined, connection: unknown) => void;

interface PgConnection {
  query(sql: string, done: Done): void;
}

const IDS = [10, 9, 100];
const CHANGED = ['2026-06-12 10:00:00', '2026-06-01 10:00:00', '2026-05-01 10:00:00'];

/** Queries whose columns are of no table that the query names, under the alias `d`. */
const DERIVED: Readonly<Record<string, (db: Knex, engine: Engine) => Knex.QueryBuilder>> = {
  'a subquery': (db) => db.from(db('work').select('*').as('d')),
  'raw SQL': (db) => db.from(db.raw('(select * from work where id > ?) as d', [0])),
  'raw SQL that is joined': (db) =>
    db('tags as t').joinRaw('inner join (select * from work) as d on t.work_id = d.id'),
  'a query with a name': (db) => db.with('d', db('work').select('*')).from('d'),
  'a query with a name in raw SQL': (db) => db.with('d', db.raw('select * from work')).from('d'),
  'a view': (db) => db('work_view as d'),
  'a lateral join': (db, engine) =>
    engine === 'postgresql'
      ? db('tags as t').joinRaw('cross join lateral (select * from work where work.id = t.work_id) as d')
      : db('tags as t').join(db('work').as('d'), 't.work_id', 'd.id'),
};

describeEachEngine('A column of a query', (engine) => {
  // Before its table goes.
  afterEach(() => panels.knex.raw('drop view if exists work_view'));
  const panels = sourcePanels(engine);

  beforeEach(async () => {
    await panels.table(
      'work',
      {
        id: 'bigInteger',
        done: 'boolean',
        owner: 'bigInteger',
        name: 'string',
        updated: 'datetime',
        ...(engine === 'postgresql' ? { names: 'native text[]' } : {}),
      },
      IDS.map((id, index) => ({
        id,
        done: index === 0,
        owner: index === 0 ? '9007199254740993' : 7,
        name: `n${id}`,
        updated: String(CHANGED[index]),
        ...(engine === 'postgresql' ? { names: ['a', 'b'] } : {}),
      })),
    );
    await panels.table(
      'tags',
      { work_id: 'integer' },
      IDS.map((work_id) => ({ work_id })),
    );
    await panels.knex.raw('create view work_view as select * from work');
  });

  const email = (query: (db: Knex, engine: Engine) => Knex.QueryBuilder): Sources => ({
    email: {
      query: (db) => query(db, engine),
      fields: {
        id: 'd.id',
        type: { column: 'd.done', from: (done) => `${typeof done} ${done}` },
        status: { column: 'd.done', values: { true: 'active', false: 'suspended' } },
        account_id: 'd.owner',
        updated_at: 'd.updated',
        address: 'd.name',
      },
    } as Sources['email'],
  });

  test.each(Object.entries(DERIVED))('of %s has the type that it has in its table', async (_, query) => {
    const { items, get, panel } = await panels.start(email(query));
    const ids = async (parameters: string) => (await items('email', parameters)).map(({ id }) => id);
    expect((await items('email')).map(({ id, type, status }) => [id, type, status])).toEqual([
      [9, 'number 0', 'suspended'],
      [10, 'number 1', 'active'],
      [100, 'number 0', 'suspended'],
    ]);
    expect(await ids('?account_id=7')).toEqual([9, 100]);
    expect(await ids('?account_id=9007199254740993')).toEqual([10]);
    expect(await ids('?status=active')).toEqual([10]);
    expect(await ids('?updated_since=2026-06-05T00:00:00Z')).toEqual([10]);
    const first = (await get('email.php?limit=2')).body.data;
    expect(first.items.map(({ id }: { id: number }) => id)).toEqual([9, 10]);
    expect(await ids(`?limit=2&cursor=${first.next_cursor}`)).toEqual([100]);
    const bound = await panel.token({ accountId: '7' });
    const own = (await get('email.php', bound)).body.data.items;
    expect(own.map(({ id }: { id: number }) => id)).toEqual([9, 100]);
  });

  test('is described as a whole number by the document of the API', async () => {
    const { get } = await panels.start(email(DERIVED['raw SQL'] as (db: Knex) => Knex.QueryBuilder));
    const { document } = (await get('openapi.php')).body.data;
    expect(JSON.stringify(document)).toMatch(/"account_id":\{"type":\["integer","null"\]/);
  });

  test('that two of its tables have needs an alias', async () => {
    const query = (db: Knex) => db('work as d').joinRaw('inner join tags as t on t.work_id = d.id');
    const { inspected } = await panels.start({
      jobs: { query, fields: { id: 'id', type: 'name', status: 'name' } },
    });
    expect((await inspected('jobs')).detail).toBe(
      'Several tables of the query have a column id: prefix it with the alias of its table (field id).',
    );
  });

  test('that groups its rows may be one that it groups by', async () => {
    const { items } = await panels.start({
      jobs: {
        query: (db) => db('work as d').join('tags as t', 't.work_id', 'd.id').groupBy('d.owner', 'd.name'),
        fields: { id: 'd.name', type: { value: 'x' }, status: 'd.owner' },
      },
    });
    expect((await items('jobs')).map(({ id, status }) => [id, status])).toEqual([
      ['n10', '9007199254740993'],
      ['n100', '7'],
      ['n9', '7'],
    ]);
  });
});

describe('A table of another schema', () => {
  const panels = sourcePanels('postgresql');

  beforeEach(async () => {
    await panels.knex.raw('create schema panel');
    await panels.knex.raw('create table panel.work (id bigint, name text, owner int, names text[])');
    await panels.knex.raw(
      `insert into panel.work values (10, 'a', 1, '{x,y}'), (9, 'b', 2, null), (100, 'c', 2, null)`,
    );
  });

  afterEach(() => panels.knex.raw('drop schema panel cascade'));

  const fields = { id: 'id', type: { value: 'x' }, status: 'name', account_id: 'owner' } as const;
  const SOURCES: Readonly<Record<string, Sources['jobs']>> = {
    'named by a source of a table': { table: 'panel.work', fields },
    'named in a query': { query: (db) => db('panel.work'), fields },
    'that a query names for all its tables': { query: (db) => db.withSchema('panel').from('work'), fields },
    'with an alias': {
      query: (db) => db.withSchema('panel').from('work as w'),
      fields: { ...fields, id: 'w.id', account_id: 'w.owner' },
    },
  };

  test.each(Object.entries(SOURCES))('%s is read, filtered and paged', async (_, jobs) => {
    const { items, get } = await panels.start({ jobs } as Sources);
    const ids = async (parameters = '') => (await items('jobs', parameters)).map(({ id }) => id);
    expect(await ids()).toEqual([9, 10, 100]);
    expect(await ids('?account_id=2')).toEqual([9, 100]);
    const { next_cursor } = (await get('jobs.php?limit=1')).body.data;
    expect(await ids(`?limit=5&cursor=${next_cursor}`)).toEqual([10, 100]);
  });

  test('that is not there is named', async () => {
    const { inspected } = await panels.start({
      jobs: { query: (db) => db.withSchema('panel').from('gone'), fields },
      cron: { table: 'panel.gone' },
    });
    expect((await inspected('jobs')).detail).toBe('The table gone does not exist.');
    expect((await inspected('cron')).detail).toBe('The table panel.gone does not exist.');
  });
});

describe('A value of a subquery that a function receives', () => {
  const panels = sourcePanels('postgresql');

  test('is a list for an array of PostgreSQL', async () => {
    await panels.table('work', { names: 'native text[]', flags: 'native boolean' }, [
      { names: ['a', 'b'], flags: false },
    ]);
    const { items } = await panels.start({
      email: {
        query: (db) => db.from(db.raw('(select * from work) as d')),
        fields: {
          id: 'd.id',
          address: { value: 'a@b.example' },
          type: { value: 'alias' },
          status: { column: 'd.flags', from: (raw) => (raw ? 'active' : 'suspended') },
          forward_to: 'd.names',
        },
      },
    });
    expect((await items('email'))[0]).toMatchObject({ status: 'suspended', forward_to: ['a', 'b'] });
  });
});

describe('Columns of which some may not be read', () => {
  const panels = sourcePanels('postgresql');
  let db: Knex;
  let role: string;

  beforeEach(async () => {
    role = `reader_${panels.database.url.split('_').at(-1)}`;
    await panels.knex.raw(`create role ${role}`);
    const afterCreate = (connection: PgConnection, done: Done) => connection.query(`set role ${role}`, done);
    db = connect({ ...handleSettings(panels.database), pool: { min: 0, afterCreate } });
  });

  afterEach(async () => {
    await db.destroy();
    await panels.knex.raw(`drop owned by ${role}`);
    await panels.knex.raw(`drop role ${role}`);
  });

  test('do not affect the others', async () => {
    await panels.table('work', { name: 'string', hidden: 'string' }, [{ name: 'a', hidden: 's' }]);
    await panels.knex.raw(`grant select (id, name) on work to ${role}`);
    await panels.knex.raw(`grant usage, create on schema public to ${role}`);
    const { items, inspected } = await panels.start(
      {
        jobs: {
          query: (knex) => knex.from(knex.raw('work as w')),
          fields: { id: 'w.id', type: 'w.name', status: 'w.name', actor: 'w.hidden' },
        },
        accounts: { table: 'closed' },
      },
      { db },
    );
    expect(await items('jobs')).toEqual([{ id: 1, type: 'a', status: 'a' }]);
    expect((await inspected('jobs')).detail).toContain(
      'The database user may not read the column w.hidden (42501): grant the user SELECT (field actor).',
    );
    await panels.table('closed', { name: 'string' });
    expect((await inspected('accounts')).detail).toBe(
      'The database user may not read the table closed (42501): grant the user SELECT.',
    );
  });
});

describeEachEngine('A column of which only the panel knows that it holds whole numbers', (engine) => {
  const panels = sourcePanels(engine);
  const query = (db: Knex) => db.from(db.raw('(select id * 1.0 as id, name, owner from work) as d'));

  beforeEach(() =>
    panels.table(
      'work',
      { id: 'integer', name: 'string', owner: 'string' },
      [10, 9, 100].map((id) => ({ id, name: `n${id}`, owner: `${id}` })),
    ),
  );

  const jobs = {
    query,
    fields: {
      id: { column: 'd.id', integer: true },
      type: 'd.name',
      status: { value: 'queued' },
      account_id: { column: 'd.owner', integer: true },
    },
  } satisfies Sources['jobs'];

  test('is a key in the order of its values', async () => {
    const { items, get } = await panels.start({ jobs });
    expect((await items('jobs')).map(({ id, account_id }) => [id, account_id])).toEqual([
      [9, 9],
      [10, 10],
      [100, 100],
    ]);
    const first = (await get('jobs.php?limit=2')).body.data;
    const second = (await get(`jobs.php?limit=2&cursor=${first.next_cursor}`)).body.data;
    expect([...first.items, ...second.items]).toEqual(await items('jobs'));
    expect(second.next_cursor).toBeNull();
    expect(await items('jobs', '?id=10')).toHaveLength(1);
    expect(await items('jobs', '?account_id=100')).toHaveLength(1);
  });

  test('has the schema of an integer', async () => {
    const { get } = await panels.start({ jobs });
    const { document } = (await get('openapi.php')).body.data;
    const { properties } = document.components.schemas.Job;
    expect([properties.id.type, properties.account_id.type]).toEqual(['integer', ['integer', 'null']]);
  });

  test('is no key if it holds texts, which sort digit by digit', async () => {
    const fields = {
      id: { column: 'owner', integer: true },
      type: 'name',
      status: { value: 'queued' },
    } as const;
    const { inspected } = await panels.start({ jobs: { table: 'work', fields } });
    expect((await inspected('jobs')).detail).toMatch(
      /^The column owner of the table work has the type .*, which does not sort whole numbers by value: cast it to an integer in a view\.$/,
    );
  });
});

describe('Columns and tables that a user of MariaDB may not read', () => {
  const panels = sourcePanels('mariadb');
  const user = `reader_${process.pid}`;
  let db: Knex | undefined;

  afterEach(async () => {
    await db?.destroy();
    await panels.knex.raw(`drop user if exists ${user}`);
  });

  test('are named', async () => {
    await panels.table('work', { name: 'string', hidden: 'string' });
    await panels.table('closed', { name: 'string' });
    await panels.start({});
    await panels.knex.raw(`create user ${user} identified by 'x'`);
    await panels.knex.raw(`grant select (id, name) on work to ${user}`);
    const [tables] = await panels.knex.raw("show tables like 'panel_api%'");
    for (const table of tables.flatMap(Object.values)) {
      await panels.knex.raw(`grant all on ${table} to ${user}`);
    }
    const { href } = Object.assign(new URL(panels.database.url), { username: user, password: 'x' });
    db = connect({ ...handleSettings(panels.database), connection: href });
    const fields = { type: 'name', status: { value: 'queued' }, actor: 'hidden' } as const;
    const { inspected } = await panels.start(
      { jobs: { table: 'work', fields }, accounts: { table: 'closed' } },
      { db },
    );
    expect((await inspected('jobs')).detail).toBe(
      'The database user may not read the column hidden (ER_COLUMNACCESS_DENIED_ERROR): grant the user SELECT (field actor).',
    );
    expect((await inspected('accounts')).detail).toBe(
      'The database user may not read the table closed (ER_TABLEACCESS_DENIED_ERROR): grant the user SELECT, or set the source to false if there is no such table.',
    );
  });
});
