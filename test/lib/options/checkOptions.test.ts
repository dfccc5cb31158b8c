import { type Knex, knex } from 'knex';
import { createPanelApi } from '../../../index';
import { recordingLogger } from '../../fixture/recordingLogger';

describe('An option at the mount', () => {
  const db = knex({ client: 'pg' });
  const { logger } = recordingLogger();

  test.each<[string, object, string]>([
    ['unknown', { ratelimit: {} }, 'createPanelApi: unknown option ratelimit.'],
    [
      'unknown inside another',
      { rateLimit: { request: 1 } },
      'createPanelApi: unknown option rateLimit.request.',
    ],
    [
      'for an unknown resource',
      { sources: { domain: false } },
      'createPanelApi: unknown option sources.domain.',
    ],
    [
      'for an unknown field',
      { sources: { domains: { fields: { domian: 'x' } } } },
      'createPanelApi: unknown option sources.domains.fields.domian.',
    ],
    ['of the wrong type', { migrate: 'yes' }, 'createPanelApi: the option migrate must be boolean.'],
    [
      'out of its limits',
      { rateLimit: { requests: 0 } },
      'createPanelApi: the option rateLimit.requests must be >= 1.',
    ],
    [
      'for days that cannot be kept',
      { usage: { keepDays: 3651 } },
      'createPanelApi: the option usage.keepDays must be <= 3650.',
    ],
    ['of no use', { enabled: 'true' }, 'createPanelApi: the option enabled must be'],
    [
      'that switches a required field off',
      { sources: { domains: { fields: { domain: false } } } },
      'sources.domains.fields.domain',
    ],
    [
      'that is a fallback of nothing',
      { rateLimit: { fallback: 'memory' } },
      'only if its store is a Redis client',
    ],
    [
      'that only looks like a Redis client',
      { rateLimit: { store: new Map() } },
      'a client of ioredis or node-redis',
    ],
    ['that names no store', { rateLimit: { store: 'redis' } }, 'rateLimit.store'],
    ['without a handle', { db: {} }, 'createPanelApi: the option db must be'],
    [
      'with half a logger',
      { logger: { info() {} } },
      'createPanelApi: the option logger must have the methods info, warn and error.',
    ],
    [
      'that would break a table name',
      { tablePrefix: 'a-b' },
      'createPanelApi: the option tablePrefix must be 1 to 32 lower-case letters',
    ],
  ])('%s is refused and named', (_, option, message) => {
    expect(() => createPanelApi({ db, logger, ...option } as never)).toThrow(message);
  });

  test.each(['db', 'logger'])('%s that is missing is named', (name) => {
    const options = { db, logger, [name]: undefined };
    expect(() => createPanelApi(options as never)).toThrow(`createPanelApi: the option ${name} is missing.`);
  });

  test('may be omitted, except db and logger', () => {
    expect(() => createPanelApi({ db, logger })).not.toThrow();
  });

  test('is not changed', () => {
    const options = Object.freeze({ db, logger, rateLimit: Object.freeze({ requests: 5 }) });
    createPanelApi(options);
    expect(options).toEqual({ db, logger, rateLimit: { requests: 5 } });
  });

  test('that is lent to the module is not copied', async () => {
    const counting = {
      lines: 0,
      info() {
        this.lines += 1;
      },
      warn() {},
      error() {},
    };
    const itself = Object.assign(counting, { itself: counting });
    expect(() => createPanelApi({ db, logger: itself })).not.toThrow();
  });
});

describe('A knex handle at the mount', () => {
  const { logger } = recordingLogger();
  const handleOf = (client: string | typeof Knex.Client) => knex({ client, useNullAsDefault: true });

  test.each([
    ['mariadb', 'mariadb'],
    ['mysql', 'mysql'],
    ['sqlite3', 'sqlite3'],
    ['pgnative', 'pgnative'],
    ['cockroachdb', 'cockroachdb'],
    ['redshift', 'pg-redshift'],
    ['mssql', 'mssql'],
    ['oracledb', 'oracledb'],
  ])('is refused by name if its client is %s', (client, driver) => {
    const db = handleOf('pg');
    const refusal = (option: string) =>
      `createPanelApi: the option ${option} must be a knex handle with one of the clients mysql2, pg, better-sqlite3, not ${driver}.`;
    expect(() => createPanelApi({ db: handleOf(client), logger })).toThrow(refusal('db'));
    expect(() => createPanelApi({ db, readDb: handleOf(client), logger })).toThrow(refusal('readDb'));
  });

  test.each([
    ['a Prisma client', { $connect() {}, $disconnect() {} }],
    ['a Drizzle database', { $with() {}, select() {} }],
    ['a TypeORM data source', { getRepository() {}, createQueryRunner() {}, query() {} }],
    ['a Sequelize instance', { authenticate() {}, define() {}, query() {} }],
    ['a Mongoose connection', { model() {}, startSession() {} }],
    ['a pool or connection of a driver', { connect() {}, query() {} }],
    ['a pool of a driver', { getConnection() {}, query() {} }],
    [undefined, {}],
    [undefined, 'mysql://panel'],
  ])('is refused by what it is, with the page that helps: %s', (name, db) => {
    expect(() => createPanelApi({ db, logger } as never)).toThrow(
      `createPanelApi: the option db must be a knex handle${name ? `, not ${name}` : ''}; for other data layers see docs/how-to/other-data-layers.md.`,
    );
  });

  test.each(['mysql2', 'pg', 'postgres', 'postgresql', 'better-sqlite3'])(
    'is accepted if its client is %s',
    (client) => {
      expect(() => createPanelApi({ db: handleOf(client), logger })).not.toThrow();
    },
  );

  test.each(['mysql2', 'postgres', 'better-sqlite3'])(
    'is accepted if the panel extended its client, of the dialect %s',
    (dialect) => {
      const Client: typeof Knex.Client = require(`knex/lib/dialects/${dialect}`);
      class OwnClient extends Client {}
      expect(() => createPanelApi({ db: handleOf(OwnClient), logger })).not.toThrow();
    },
  );
});
