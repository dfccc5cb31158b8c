import { Database } from '../../../../lib/database/Database';
import { mysql } from '../../../../lib/database/dialects/mysql';
import { createInstallation } from '../../../../lib/Installation';
import { operations } from '../../../../routes';
import { describeEachEngine, freshDatabase, type TestDatabase } from '../../../fixture/databases';
import { HISTORY } from '../../../fixture/migrations/history';
import { OWN_TABLES } from '../../../fixture/migrations/ownTables';
import { schemaOf, tablesOf } from '../../../fixture/migrations/schemaOf';
import { OWN_SWITCH } from '../../../fixture/ownSwitch';
import { AUTHOR, startPanel } from '../../../fixture/panel';
import { startHost } from '../../../fixture/processes/hostProcess';
import { recordingLogger } from '../../../fixture/recordingLogger';
import { isWhole } from '../../../prove/scale';

const ME = '/api/v1/me.php';
const PROCESSES = isWhole ? 4 : 2;

describeEachEngine("The module's tables", (engine) => {
  let database: TestDatabase;

  beforeEach(async () => {
    database = await freshDatabase(engine);
  });

  const mount = (options: Partial<Parameters<typeof startPanel>[0]> = {}) =>
    startPanel({ db: database.knex, ...options });

  const migrationsOf = (tablePrefix = 'panel_api_') =>
    createInstallation({ db: database.knex, logger: recordingLogger().logger, tablePrefix }, operations)
      .migrations;

  const named = (prefix: string) => OWN_TABLES.map((name) => prefix + name);

  test('are created at the first use, not at the mount', async () => {
    const panel = await mount(OWN_SWITCH);
    expect(await tablesOf(database)).toEqual([]);
    expect((await panel.get(ME)).body.error.code).toBe('api_disabled');
    expect(await tablesOf(database)).toEqual(named('panel_api_'));
  });

  test('are not created with migrate: false, and every request is 503 until they exist', async () => {
    const panel = await mount({ migrate: false, ...OWN_SWITCH });
    for (let request = 0; request < 2; request += 1) {
      const { status, body } = await panel.get(ME);
      expect([status, body.error.code]).toEqual([503, 'unavailable']);
    }
    await expect(panel.token()).rejects.toThrow();
    expect(await tablesOf(database)).toEqual([]);
    await migrationsOf().up();
    await panel.api.settings.enable(AUTHOR);
    expect((await panel.get(ME, await panel.token())).status).toBe(200);
  });

  test('are created once when several processes start at the same moment, and all of them answer', async () => {
    const hosts = await Promise.all(Array.from({ length: PROCESSES }, () => startHost(database)));
    const created = await Promise.all(hosts.map((host) => host.create()));
    const answers = await Promise.all(hosts.map((host, index) => host.get(ME, created[index]!.token)));
    expect(answers.map(({ status }) => status)).toEqual(hosts.map(() => 200));
    expect(new Set(created.map(({ record }) => record.id)).size).toBe(PROCESSES);
    const history = await database.knex('panel_api_migrations').orderBy('name').pluck('name');
    expect(history).toEqual(HISTORY);
  });

  test('do not change when the migrations run again', async () => {
    const migrations = migrationsOf();
    expect(await migrations.up()).toEqual(HISTORY);
    const panel = await mount();
    const token = await panel.token();
    const [schema, history] = [await schemaOf(database), await migrations.history()];
    expect(await migrations.up()).toEqual([]);
    expect(await migrationsOf().up()).toEqual([]);
    expect(await schemaOf(database)).toEqual(schema);
    expect(await migrations.history()).toEqual(history);
    expect((await panel.get(ME, token)).status).toBe(200);
  });

  test('of the version before get the last use of each token, and keep its count', async () => {
    const panel = await mount();
    const create = () => panel.api.tokens.create({ name: 'x', scopes: ['*'] }, AUTHOR);
    const [counted, used, unused] = [await create(), await create(), await create()];
    await panel.get(ME, counted.token);
    await database.knex.schema.alterTable('panel_api_rate_limits', (table) =>
      table.dropColumns('last_used_at', 'last_used_address'),
    );
    await database.knex('panel_api_migrations').where({ name: HISTORY[1] }).delete();
    const before = { last_used_at: 7, last_used_address: '192.0.2.7' };
    await database.knex('panel_api_tokens').whereIn('id', [counted.record.id, used.record.id]).update(before);
    expect(await migrationsOf().up()).toEqual([HISTORY[1]]);
    const lastUses = [counted, used, unused].map(async (one) => {
      const token = await panel.api.tokens.get(one.record.id);
      return [token?.lastUsedAt, token?.lastUsedAddress];
    });
    expect(await Promise.all(lastUses)).toEqual([
      [7, '192.0.2.7'],
      [7, '192.0.2.7'],
      [null, null],
    ]);
    const hits = await database.knex('panel_api_rate_limits').orderBy('token_id').pluck('hits');
    expect(hits.map(Number)).toEqual([1, 0]);
    await panel.get(ME, used.token);
    await database.knex('panel_api_migrations').where({ name: HISTORY[1] }).delete();
    expect(await migrationsOf().up()).toEqual([HISTORY[1]]);
    expect((await panel.api.tokens.get(used.record.id))?.lastUsedAddress).toBe('127.0.0.1');
  });

  test('of the version before get the requests of all tokens together', async () => {
    const panel = await mount();
    await panel.get(ME, await panel.token());
    await panel.api.usage.flush();
    const [today] = await database.knex('panel_api_usage').pluck('day');
    const row = { day: today, endpoint: 'domains', status_class: 2 };
    await database.knex('panel_api_usage').where({ token_id: 0 }).delete();
    for (const token_id of [7, 8])
      await database.knex('panel_api_usage').insert({ ...row, token_id, requests: 3 });
    for (let times = 0; times < 2; times += 1) {
      await database.knex('panel_api_migrations').where({ name: HISTORY[1] }).delete();
      expect(await migrationsOf().up()).toEqual([HISTORY[1]]);
      expect((await panel.api.usage.totals()).month).toEqual({ requests: 7, errors: 0 });
    }
  });

  test('are dropped without a trace, and those of the panel are not', async () => {
    await database.knex.schema.createTable('knex_migrations', (table) => {
      table.increments();
      table.string('name');
    });
    await database.knex('knex_migrations').insert({ name: '2024_the_panel.js' });
    await database.knex.schema.createTable('panel_api_keys', (table) => table.increments());
    const before = await schemaOf(database);
    const panel = await mount();
    await panel.get(ME, await panel.token());
    await migrationsOf().down();
    expect(await schemaOf(database)).toEqual(before);
    expect(await database.knex('knex_migrations').pluck('name')).toEqual(['2024_the_panel.js']);
  });

  test('can be dropped twice and created again', async () => {
    const migrations = migrationsOf();
    await migrations.up();
    const schema = await schemaOf(database);
    await migrations.down();
    await migrations.down();
    await migrations.ready();
    expect(await schemaOf(database)).toEqual(schema);
  });

  test('are created while another database of the same server holds its lock', async () => {
    const other = await freshDatabase(engine);
    let release: () => void = () => undefined;
    const held = Database.of(other.knex, 5000).locked(
      'test',
      'panel_api_migrations',
      () =>
        new Promise<void>((resolve) => {
          release = resolve;
        }),
    );
    try {
      await new Promise((resolve) => setTimeout(resolve, 100));
      expect(await migrationsOf().up()).toEqual(HISTORY);
    } finally {
      release();
      await held;
    }
  }, 20_000);

  test('with another prefix can exist beside them', async () => {
    const [one, other] = [await mount(), await mount({ tablePrefix: 'second_' })];
    const [token, otherToken] = [await one.token(), await other.token()];
    expect((await tablesOf(database)).toSorted()).toEqual([...named('panel_api_'), ...named('second_')]);
    expect((await one.get(ME, token)).status).toBe(200);
    expect((await other.get(ME, otherToken)).status).toBe(200);
    expect((await other.get(ME, token)).body.error.code).toBe('token_unknown');
    await migrationsOf('second_').down();
    expect(await tablesOf(database)).toEqual(named('panel_api_'));
    expect((await one.get(ME, token)).status).toBe(200);
  });

  test('store a hash as 32 bytes, and refuse a second one with the same bytes', async () => {
    const panel = await mount();
    await panel.token();
    const { hash: type } = await database.knex('panel_api_tokens').columnInfo();
    expect(type).toMatchObject({ type: { mariadb: 'binary', postgresql: 'bytea', sqlite: 'blob' }[engine] });
    if (engine === 'mariadb') expect(Number(type?.maxLength)).toBe(32);
    const { id: _, ...row } = await database.knex('panel_api_tokens').first();
    const outcome = await database
      .knex('panel_api_tokens')
      .insert(row)
      .catch(({ message }) => message);
    expect(outcome).toMatch(/unique|duplicate/i);
  });
});

test('Processes on two nodes of Galera, which no lock keeps apart, create the tables once', async () => {
  const [database, expected] = [await freshDatabase('mariadb'), await freshDatabase('mariadb')];
  const migrate = ({ knex: db }: TestDatabase) =>
    createInstallation({ db, logger: recordingLogger().logger }, operations).migrations.up();
  await migrate(expected);
  jest.spyOn(mysql, 'withLock').mockImplementation(async (_session, _lock, task) => task());
  try {
    await Promise.all(Array.from({ length: 4 }, () => migrate(database)));
  } finally {
    jest.restoreAllMocks();
  }
  expect(await schemaOf(database)).toEqual(await schemaOf(expected));
  expect(await database.knex('panel_api_migrations').orderBy('name').pluck('name')).toEqual(HISTORY);
});
