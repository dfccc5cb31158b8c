import type { Knex } from 'knex';
import { tableNames } from '../../../lib/database/migrations/tables';
import { type Engine, engines, freshDatabase, openHandle } from '../../fixture/databases';
import { expectAllDone } from '../../fixture/expectAllDone';
import { handleSettings, sessionPool } from '../../fixture/handleSettings';
import { HANDLES, settingsOf } from '../../fixture/handles';
import { tablesOf } from '../../fixture/migrations/schemaOf';
import { OWN_SWITCH } from '../../fixture/ownSwitch';
import { AUTHOR, startPanel } from '../../fixture/panel';
import { createFilledTables, SHOWN_SETTINGS } from '../../fixture/panelTables';
import { figure } from '../figure';
import { isWhole } from '../scale';

/** Each changes how MariaDB reads statements, or what it stores. */
const SQL_MODES = [
  '',
  'ANSI',
  'ANSI_QUOTES',
  'EMPTY_STRING_IS_NULL',
  'HIGH_NOT_PRECEDENCE',
  'IGNORE_SPACE',
  'MSSQL',
  'NO_AUTO_VALUE_ON_ZERO',
  'NO_BACKSLASH_ESCAPES',
  'NO_UNSIGNED_SUBTRACTION',
  'NO_ZERO_DATE,NO_ZERO_IN_DATE',
  'ONLY_FULL_GROUP_BY',
  'ORACLE',
  'PAD_CHAR_TO_FULL_LENGTH',
  'PIPES_AS_CONCAT',
  'POSTGRESQL',
  'SIMULTANEOUS_ASSIGNMENT',
  'STRICT_ALL_TABLES',
  'TRADITIONAL',
];

const COLLATIONS: readonly (readonly [Engine, string])[] = [
  ...[
    'utf8mb4_general_ci',
    'utf8mb4_bin',
    'utf8mb4_unicode_ci',
    'utf8mb4_turkish_ci',
    'utf8mb4_nopad_bin',
    'utf8mb3_general_ci',
    'latin1_swedish_ci',
    'latin1_german2_ci',
    'ascii_bin',
    'ucs2_general_ci',
  ].map((collation) => ['mariadb', `COLLATE ${collation}`] as const),
  ...[
    "LC_COLLATE 'C' LC_CTYPE 'C'",
    "LC_COLLATE 'C.UTF-8' LC_CTYPE 'C.UTF-8'",
    "LOCALE_PROVIDER icu ICU_LOCALE 'de-u-kn' LC_COLLATE 'C' LC_CTYPE 'C'",
    "LOCALE_PROVIDER icu ICU_LOCALE 'tr' LC_COLLATE 'C' LC_CTYPE 'C'",
  ].map((locale) => ['postgresql', `TEMPLATE template0 ENCODING 'UTF8' ${locale}`] as const),
];

const OVER = engines.flatMap((engine) =>
  Object.entries(HANDLES[engine]).map(([name, handle]) => [engine, name, handle] as const),
);

/** In a fast run only those in which these words are. */
const some = <T>(all: readonly T[], fast: RegExp) =>
  all.filter((one) => isWhole || fast.test(typeof one === 'string' ? one : JSON.stringify(one)));

describe('The API does all that it can do', () => {
  let circumstances = 0;
  afterAll(() => figure('circumstances of databases', circumstances));

  /** Mounts the API over a handle with these settings, and does everything. */
  async function expectAllDoneOver(
    settings: Knex.Config,
    options: { readonly tablePrefix?: string } = {},
  ): Promise<void> {
    const panel = await startPanel({
      db: openHandle(settings),
      ...OWN_SWITCH,
      ...options,
      sources: { settings: { keys: SHOWN_SETTINGS } },
    });
    await expectAllDone(panel);
    circumstances += 1;
  }

  test.each(some(SQL_MODES, /NO_BACKSLASH|SIMULTANEOUS/))('on MariaDB in the sql_mode "%s"', async (mode) => {
    const database = await freshDatabase('mariadb');
    await createFilledTables(database.knex);
    const pool = sessionPool([`SET sql_mode = '${mode}'`]);
    await expectAllDoneOver({ ...handleSettings(database), pool });
  });

  test.each(some(COLLATIONS, /latin1_swedish|tr'/))(
    'on %s in a database with %s',
    async (engine, options) => {
      const database = await freshDatabase(engine, options);
      await createFilledTables(database.knex);
      await expectAllDoneOver(handleSettings(database));
    },
  );

  test.each(some(OVER, /rowsAsArray|safeIntegers|floats/))(
    'on %s over a handle with %s',
    async (engine, _name, handle) => {
      const database = await freshDatabase(engine);
      await createFilledTables(database.knex);
      await expectAllDoneOver(settingsOf(database, handle));
    },
  );

  test.each(
    engines.flatMap((engine) =>
      ['a', 'order_2_', `${'p'.repeat(31)}_`].map((prefix) => [engine, prefix] as const),
    ),
  )('on %s with tables whose names begin with %s', async (engine, tablePrefix) => {
    const database = await freshDatabase(engine);
    await createFilledTables(database.knex);
    const before = await tablesOf(database);
    await expectAllDoneOver(handleSettings(database), { tablePrefix });
    const created = (await tablesOf(database)).filter((name) => !before.includes(name));
    expect(created.toSorted()).toEqual(Object.values(tableNames(tablePrefix)).toSorted());
  });

  test.each([
    ['own', 'public'],
    ['Own Schema', 'public'],
    ['$user', 'own', 'public'],
  ])('on PostgreSQL with the search path %s, %s', async (...searchPath) => {
    const database = await freshDatabase('postgresql');
    await createFilledTables(database.knex);
    const own = searchPath.find((name) => /own/i.test(name))!;
    await database.knex.raw('create schema ??', [own]);
    await expectAllDoneOver({ ...handleSettings(database), searchPath });
    const { rows } = await database.knex.raw(
      "select distinct schemaname as name from pg_tables where tablename like 'panel_api_%'",
    );
    expect(rows).toEqual([{ name: own }]);
  });
});

describe.each(engines)('Two mounts in one process (%s)', (engine) => {
  const ME = '/api/v1/me.php';

  test('over one database share tokens, the limit, revocations and the switch', async () => {
    const database = await freshDatabase(engine);
    const [one, other] = [
      await startPanel({ db: database.knex, ...OWN_SWITCH }),
      await startPanel({ db: openHandle(handleSettings(database)), ...OWN_SWITCH }),
    ];
    await one.api.settings.enable(AUTHOR);
    const token = await one.token({ rateLimit: 4 });
    const statuses: number[] = [];
    for (const panel of [one, other, one, other, one, other])
      statuses.push((await panel.get(ME, token)).status);
    expect(statuses).toEqual([200, 200, 200, 200, 429, 429]);
    const { token: second, record } = await other.api.tokens.create({ name: 'x', scopes: ['*'] }, AUTHOR);
    expect((await one.get(ME, second)).status).toBe(200);
    await one.api.tokens.revoke(record.id, AUTHOR);
    expect((await other.get(ME, second)).body.error.code).toBe('token_revoked');
    await other.api.settings.disable(AUTHOR);
    expect((await one.get(ME, second)).body.error.code).toBe('api_disabled');
  });

  test('over two databases share nothing', async () => {
    const panels = await Promise.all(
      [1, 2].map(async () => startPanel({ db: (await freshDatabase(engine)).knex, ...OWN_SWITCH })),
    );
    const [one, other] = panels as [(typeof panels)[0], (typeof panels)[0]];
    await one.api.settings.enable(AUTHOR);
    const token = await one.token();
    expect((await other.get(ME, token)).body.error.code).toBe('api_disabled');
    await other.api.settings.enable(AUTHOR);
    const another = await other.token();
    expect((await other.get(ME, token)).body.error.code).toBe('token_unknown');
    expect((await one.get(ME, another)).body.error.code).toBe('token_unknown');
    expect([(await one.get(ME, token)).status, (await other.get(ME, another)).status]).toEqual([200, 200]);
  });
});
