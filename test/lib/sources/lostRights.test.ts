import type { Knex } from 'knex';
import type { Sources } from '../../../index';
import { closeAtEnd } from '../../fixture/closeAtEnd';
import { describeEachEngine, freshDatabase, openHandle, type TestDatabase } from '../../fixture/databases';
import { handleSettings } from '../../fixture/handleSettings';
import { laterBy } from '../../fixture/laterBy';
import { startPanel } from '../../fixture/panel';

const OTHERS = [
  'accounts',
  'websites',
  'email',
  'databases',
  'ssl',
  'backups',
  'cron',
  'settings',
  'services',
];

/** Every list but those of these tests. */
const NONE_OTHER = Object.fromEntries(OTHERS.map((name) => [name, false])) as Sources;

async function start(db: Knex, migrate = true, sources: Sources = {}) {
  const panel = await startPanel({
    db,
    migrate,
    sources: { ...NONE_OTHER, ...sources },
    rateLimit: { requests: 10_000 },
  });
  const token = await panel.token();
  const get = (path: string) => panel.get(`/api/v1/${path}`, token);
  return {
    panel,
    /** The status and the error of a list. */
    async list(name = 'jobs') {
      const { status, body } = await get(`${name}.php`);
      return [status, body.error?.code ?? null];
    },
    async health() {
      const { data } = (await get('health.php')).body;
      const checks = data.checks as readonly { name: string; status: string; detail: string | null }[];
      return { status: data.status, check: checks.find(({ name }) => name === 'source:jobs') };
    },
    code: async () => (await get('health.php?status=code')).status,
    paths: async () => Object.keys((await get('openapi.php')).body.data.document.paths),
  };
}

async function createJobs(knex: Knex, name = 'jobs'): Promise<void> {
  await knex.schema.createTable(name, (table) => {
    table.increments('id');
    for (const column of ['type', 'status', 'actor']) table.string(column);
  });
  await knex(name).insert({ type: 'deploy', status: 'queued' });
}

const SERVED = [200, null];
const ABSENT = [501, 'resource_unavailable'];
const UNREADABLE = [503, 'unavailable'];

describe.each(['mariadb', 'postgresql'] as const)(
  'A list that the database user may not read (%s)',
  (engine) => {
    let database: TestDatabase;
    let user: string;
    let db: Knex;
    const isMariadb = engine === 'mariadb';

    const run = async (...statements: readonly string[]) => {
      for (const statement of statements)
        await database.knex.raw(statement.replaceAll('USER', isMariadb ? `'${user}'@'%'` : user));
    };

    beforeEach(async () => {
      database = await freshDatabase(engine);
      user = `reader_${new URL(database.url).pathname.slice(-12)}`;
      await createJobs(database.knex);
      const owner = await startPanel({ db: database.knex });
      await owner.api.settings.read();
      const tables = [
        'migrations',
        'settings',
        'tokens',
        'audit_log',
        'rate_limits',
        'usage',
        'usage_tokens',
        'refusals',
      ];
      await run(isMariadb ? "create user USER identified by 'x'" : "create role USER login password 'x'");
      for (const table of tables) await run(`grant all on panel_api_${table} to USER`);
      if (!isMariadb) await run('grant usage on all sequences in schema public to USER');
      await run('grant select on jobs to USER');
      const { href } = Object.assign(new URL(database.url), { username: user, password: 'x' });
      db = openHandle({ ...handleSettings(database), connection: href });
      closeAtEnd(async () => {
        await db.destroy();
        await (isMariadb ? run('drop user USER') : run('drop owned by USER cascade', 'drop role USER'));
      });
    });

    test('answers 503 and fails in health.php until the right is back, and hides no other endpoint', async () => {
      const { list, health, code, paths, panel } = await start(db, false);
      expect(await list()).toEqual(SERVED);
      await run('revoke select on jobs from USER');
      panel.tablesChanged();
      expect(await list()).toEqual(UNREADABLE);
      expect(await list()).toEqual(UNREADABLE);
      expect(await health()).toMatchObject({
        status: 'fail',
        check: {
          status: 'fail',
          detail: expect.stringMatching(/may not read the table jobs .*grant the user SELECT/),
        },
      });
      expect(await code()).toBe(503);
      expect(await paths()).toContain('/api/v1/me.php');
      await run('grant select on jobs to USER');
      panel.tablesChanged();
      laterBy(5000);
      expect(await list()).toEqual(SERVED);
    });

    test('answers 503 also to a process that never had the right', async () => {
      await run('revoke select on jobs from USER');
      const { list, health } = await start(db, false);
      expect(await list()).toEqual(UNREADABLE);
      expect((await health()).status).toBe('fail');
    });

    test('answers 503 if only the column of a required field may not be read', async () => {
      await run('revoke select on jobs from USER', 'grant select (id, type) on jobs to USER');
      const { list, health } = await start(db, false);
      expect(await list()).toEqual(UNREADABLE);
      expect((await health()).check).toMatchObject({
        status: 'fail',
        detail: expect.stringContaining('may not read the column status'),
      });
    });

    test('is served without the column of an optional field that may not be read', async () => {
      await run('revoke select on jobs from USER', 'grant select (id, type, status) on jobs to USER');
      expect(await (await start(db, false)).list()).toEqual(SERVED);
    });

    test('answers 501 if its table does not exist and the user may read the whole database', async () => {
      const all = isMariadb ? `${new URL(database.url).pathname.slice(1)}.*` : 'all tables in schema public';
      await run(`grant select on ${all} to USER`);
      const { list, health } = await start(db, false);
      expect(await list('domains')).toEqual(ABSENT);
      expect((await health()).status).toBe('warn');
    });
  },
);

describe('A list in a schema of PostgreSQL', () => {
  test('answers 503 while the user may not use the schema, and 501 if there is no such table', async () => {
    const database = await freshDatabase('postgresql');
    const user = `reader_${new URL(database.url).pathname.slice(-12)}`;
    const run = (sql: string) => database.knex.raw(sql.replaceAll('USER', user));
    await run('create schema hosting');
    await run('set search_path to hosting');
    await createJobs(database.knex);
    await run('set search_path to public');
    await run("create role USER login password 'x'");
    await run('grant create, usage on schema public to USER');
    await run('grant select on hosting.jobs to USER');
    await run('alter role USER set search_path = public, hosting');
    closeAtEnd(async () => {
      await run('drop owned by USER cascade');
      await run('drop role USER');
    });
    const { href } = Object.assign(new URL(database.url), { username: user, password: 'x' });
    const db = openHandle({ ...handleSettings(database), connection: href });
    closeAtEnd(() => db.destroy());
    const { list, health, panel } = await start(db);
    expect(await list()).toEqual(UNREADABLE);
    expect((await health()).check).toMatchObject({
      status: 'fail',
      detail: expect.stringContaining('exists, but'),
    });
    expect(await list('domains')).toEqual(ABSENT);
    await run('grant usage on schema hosting to USER');
    panel.tablesChanged();
    laterBy(5000);
    expect(await list()).toEqual(SERVED);
  });
});

describeEachEngine('A list that is read from a query of the panel', (engine) => {
  const startQuery = async (condition: string) => {
    const { knex } = await freshDatabase(engine);
    await createJobs(knex);
    const jobs = {
      query: (db: Knex) => db('jobs').whereRaw(condition),
      fields: { id: 'id', type: 'type', status: 'status' },
    };
    return start(knex, true, { jobs });
  };

  test.each(['no_such_function(id) = 1', 'id = = 1'])(
    'answers 503 if the database refuses it for another reason than an absence: %s',
    async (condition) => {
      const { list, health } = await startQuery(condition);
      expect(await list()).toEqual(UNREADABLE);
      expect((await health()).check).toMatchObject({
        status: 'fail',
        detail: expect.stringMatching(/^The database refuses the query \(\w+\)\.$/),
      });
    },
  );

  test.each(['gone = 1', 'id in (select id from gone)'])(
    'answers 501 if it names what does not exist: %s',
    async (condition) => {
      const { list, health } = await startQuery(condition);
      expect(await list()).toEqual(ABSENT);
      expect((await health()).check).toMatchObject({
        status: 'warn',
        detail: expect.stringContaining('names a table or column that does not exist ('),
      });
    },
  );
});

// PostgreSQL drops no table that a view needs.
describe.each(['mariadb', 'sqlite'] as const)('A list that is read from a view (%s)', (engine) => {
  test('answers 503 if a table of the view is gone, and 501 if the view is gone', async () => {
    const { knex } = await freshDatabase(engine);
    await createJobs(knex, 'work');
    await knex.raw('create view jobs as select * from work');
    const { list, health } = await start(knex);
    expect(await list()).toEqual(SERVED);
    await knex.schema.dropTable('work');
    expect(await list()).toEqual(UNREADABLE);
    expect(await health()).toMatchObject({
      status: 'fail',
      check: { status: 'fail', detail: expect.stringMatching(/^The table jobs exists, but cannot be read/) },
    });
    await knex.raw('drop view jobs');
    laterBy(5000);
    expect(await list()).toEqual(ABSENT);
  });
});
