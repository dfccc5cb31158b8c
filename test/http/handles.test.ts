import { createHash } from 'node:crypto';
import { knex as connect, type Knex } from 'knex';
import { operations } from '../../routes';
import { caseMappers } from '../fixture/caseMappers';
import { describeEachEngine, type Engine, freshDatabase, type TestDatabase } from '../fixture/databases';
import { handleSettings } from '../fixture/handleSettings';
import { startPanel } from '../fixture/panel';
import { createFilledTables, SHOWN_SETTINGS } from '../fixture/panelTables';

/** Settings that a panel may have on its handle: those of knex, and those of the driver. */
interface Handle {
  readonly knex?: Partial<Knex.Config>;
  readonly driver?: object;
}

interface TypeParsers {
  getTypeParser(type: number): (text: string) => unknown;
  setTypeParser(type: number, parse: (text: string) => unknown): void;
}

// The driver has no types of its own.
const { types }: { types: TypeParsers } = require('pg');

interface Field {
  readonly type: string;
  string(): string | null;
}

/** Underscores before digits too, as objection can be configured: `c0` becomes `c_0`. */
const withDigits = (name: string, wrap: (name: string) => string) =>
  wrap(name.replace(/([a-z])([A-Z]|\d+)/g, '$1_$2').toLowerCase());

const everywhere: Readonly<Record<string, Handle>> = {
  'the mappers of objection': { knex: caseMappers },
  'names with underscores before digits': { knex: { wrapIdentifier: withDigits } },
  'results that are wrapped': { knex: { postProcessResponse: (result) => ({ result }) } },
  'results without nulls': {
    knex: {
      postProcessResponse: (result) =>
        JSON.parse(JSON.stringify(result ?? null, (_, value) => (value === null ? '' : value)) ?? 'null'),
    },
  },
  'stacks of asynchronous calls': { knex: { asyncStackTraces: true } },
  'no errors with values': { knex: { compileSqlOnError: false } },
};

const driven = (driver: object): Handle => ({ driver });

const HANDLES: Readonly<Record<Engine, Readonly<Record<string, Handle>>>> = {
  mariadb: {
    ...everywhere,
    'a typeCast that returns dates and booleans': driven({
      typeCast: (field: Field, next: () => unknown) => {
        if (field.type === 'TINY') return field.string() === '1';
        return /DATE|TIME/.test(field.type) ? new Date(String(field.string())) : next();
      },
    }),
    'a typeCast that returns texts': driven({ typeCast: (field: Field) => field.string() }),
    'no typeCast': driven({ typeCast: false }),
    decimalNumbers: driven({ decimalNumbers: true }),
    dateStrings: driven({ dateStrings: true }),
    'dateStrings of one type': driven({ dateStrings: ['DATE'] }),
    supportBigNumbers: driven({ supportBigNumbers: true }),
    bigNumberStrings: driven({ supportBigNumbers: true, bigNumberStrings: true }),
    jsonStrings: driven({ jsonStrings: true }),
    namedPlaceholders: driven({ namedPlaceholders: true }),
    nestTables: driven({ nestTables: true }),
    'nestTables with a mark': driven({ nestTables: '_' }),
    rowsAsArray: driven({ rowsAsArray: true }),
    'a timezone': driven({ timezone: '+09:00' }),
    'another collation': driven({ charset: 'utf8mb4_bin' }),
    multipleStatements: driven({ multipleStatements: true }),
    'no FOUND_ROWS': driven({ flags: ['-FOUND_ROWS'] }),
    stringifyObjects: driven({ stringifyObjects: true }),
    disableEval: driven({ disableEval: true, decimalNumbers: true }),
  },
  postgresql: {
    ...everywhere,
    // knex itself reads the server's version, which is a text.
    'parsers of its own': driven({
      types: { getTypeParser: (type: number) => (text: string) => (type === 25 ? text : { text }) },
    }),
    'a date style': driven({
      options: '-c datestyle=German -c timezone=Pacific/Auckland -c bytea_output=escape',
    }),
    'floats with fewer digits': driven({ options: '-c extra_float_digits=-5' }),
  },
  sqlite: {
    ...everywhere,
    safeIntegers: driven({ options: { safeIntegers: true } }),
    'nulls for what is not given': { knex: { useNullAsDefault: false } },
  },
};

const PATHS = [
  ...operations.flatMap(({ name, kind }) => (kind === 'list' && name !== 'services' ? [`${name}.php`] : [])),
  'databases.php?limit=1',
  'settings.php?limit=1',
  'openapi.php',
  'databases.php?account_id=90071992547409931',
  'databases.php?updated_since=2026-06-12',
  'websites.php?status=active&account_id=1',
  'accounts.php?two_factor_enabled=true',
];

describeEachEngine('The answers are the same to the byte over a handle', (engine) => {
  let database: TestDatabase;
  let expected: readonly unknown[];

  beforeAll(async () => {
    database = await freshDatabase(engine);
    await createFilledTables(database.knex);
    await database.knex.schema.createTable('odd_boxes', (table) => {
      // SQLite keeps no digits of a decimal that a float lacks.
      table.specificType('number', engine === 'sqlite' ? 'integer' : 'decimal(20, 0)').primary();
      table.bigInteger('bytes');
      table.timestamp('changed_at');
      table.date('expires_on');
      table.boolean('is_on');
      table.double('share');
      table.json('names');
    });
    await database.knex('odd_boxes').insert(
      ['90071992547409931', '90071992547409932'].map((number) => ({
        number,
        bytes: number,
        changed_at: '2026-06-12 23:30:00',
        expires_on: '2026-06-12',
        is_on: true,
        share: 0.1,
        names: '["a","b"]',
      })),
    );
    expected = await answers(database.knex);
    expect(JSON.stringify(expected)).toContain('90071992547409932');
    expect(JSON.stringify(expected)).toContain('2026-06-12T23:30:00+00:00');
  });

  const answers = async (db: Knex) => {
    const panel = await startPanel({
      db,
      rateLimit: { requests: 100_000 },
      sources: {
        settings: { keys: SHOWN_SETTINGS },
        // A panel's queries use the names of its own handle.
        websites: {
          query: (knex) => knex('websites as w').leftJoin('accounts as a', 'a.id', 'w.account_id'),
          fields: { id: 'w.id', domain: 'w.domain', account_id: 'w.account_id', status: 'w.status' },
        },
        databases: {
          table: 'odd_boxes',
          fields: {
            id: 'number',
            account_id: 'number',
            name: 'share',
            engine: { value: 'mariadb' },
            users: 'names',
            size_bytes: 'bytes',
            created_at: 'expires_on',
            updated_at: 'changed_at',
            remote_access: 'is_on',
          },
        },
      },
    });
    try {
      const token = await panel.token();
      const data: unknown[] = [];
      for (const path of PATHS) {
        const { status, text: answer } = await panel.get(`/api/v1/${path}`, token);
        expect([path, status]).toEqual([path, 200]);
        const text = answer.replace(/"(?:next_run_at|timestamp)":"[^"]*"/g, '');
        // A difference between two documents is too long to print.
        data.push([path, path === 'openapi.php' ? digest(text) : text]);
      }
      const { checks } = (await panel.get('/api/v1/health.php', token)).body.data;
      data.push(checks.map(({ name, status }: Record<string, unknown>) => [name, status]));
      return data;
    } finally {
      await panel.close();
    }
  };

  test.each(Object.entries(HANDLES[engine]))('with %s', async (_name, { knex: settings, driver }) => {
    const plain = handleSettings(database);
    const knex = connect({ ...plain, connection: withDriver(database, plain, driver), ...settings });
    try {
      expect(await answers(knex)).toEqual(expected);
    } finally {
      await knex.destroy();
    }
  });

  if (engine === 'postgresql') {
    test('while pg has parsers for the whole process', async () => {
      const TYPES = [16, 17, 20, 21, 23, 25, 114, 701, 1043, 1082, 1114, 1184, 1700];
      const before = TYPES.map((type) => types.getTypeParser(type));
      for (const type of TYPES) types.setTypeParser(type, (text) => ({ text }));
      try {
        expect(await answers(database.knex)).toEqual(expected);
      } finally {
        for (const [index, type] of TYPES.entries()) types.setTypeParser(type, before[index]!);
      }
    });
  }
});

const digest = (text: string) => createHash('sha256').update(text).digest('hex');

function withDriver({ engine, url }: TestDatabase, { connection }: Knex.Config, driver: object = {}) {
  if (engine === 'sqlite') return { ...(connection as object), ...driver };
  const { hostname: host, port, username: user, password, pathname } = new URL(url);
  return { host, port: Number(port), user, password, database: pathname.slice(1), ...driver };
}
