import type { Knex } from 'knex';
import { HOUR } from '../../fixture/awayFromHourEnd';
import { caseMappers } from '../../fixture/caseMappers';
import { asCustomer, REQUEST } from '../../fixture/customers';
import { freshDatabase, isMysql, openHandle, type TestDatabase } from '../../fixture/databases';
import { sessionPool } from '../../fixture/handleSettings';
import { AUTHOR, startPanel, type TestPanel } from '../../fixture/panel';
import { setToken } from '../../fixture/tokenRows';

const ME = '/api/v1/me.php';

interface Handle {
  readonly engine: TestDatabase['engine'];
  readonly settings?: Knex.Config;
  /** Options of the driver, in addition to the database's address. */
  readonly driver?: object;
  /** Statements that the panel runs in every new connection. */
  readonly session?: readonly string[];
}

const asBigInt = (field: { type: string; string(): string | null }, next: () => unknown) => {
  if (field.type !== 'LONGLONG' && field.type !== 'LONG') return next();
  const digits = field.string();
  return digits === null ? null : BigInt(digits);
};

const handles: Readonly<Record<string, Handle>> = {
  'MariaDB with the mappers of objection': { engine: 'mariadb', settings: caseMappers },
  'PostgreSQL with the mappers of objection': { engine: 'postgresql', settings: caseMappers },
  'SQLite with the mappers of objection': { engine: 'sqlite', settings: caseMappers },
  'MariaDB with timezone local': { engine: 'mariadb', driver: { timezone: 'local' } },
  'MariaDB with a timezone of +09:00': { engine: 'mariadb', driver: { timezone: '+09:00' } },
  'MariaDB with dates as strings': { engine: 'mariadb', driver: { dateStrings: true } },
  'MariaDB with big numbers as strings': {
    engine: 'mariadb',
    driver: { supportBigNumbers: true, bigNumberStrings: true },
  },
  'MariaDB with a typeCast that returns BigInt': { engine: 'mariadb', driver: { typeCast: asBigInt } },
  'MariaDB with everything as a string': {
    engine: 'mariadb',
    driver: { typeCast: (field: { string(): string | null }) => field.string() },
  },
  'MariaDB with named placeholders': { engine: 'mariadb', driver: { namedPlaceholders: true } },
  'MariaDB with several statements at once': { engine: 'mariadb', driver: { multipleStatements: true } },
  'MariaDB without FOUND_ROWS': { engine: 'mariadb', driver: { flags: ['-FOUND_ROWS'] } },
  'MariaDB in its ANSI mode and in another time zone': {
    engine: 'mariadb',
    session: ["SET sql_mode = 'ANSI,TRADITIONAL'", "SET time_zone = '+13:00'"],
  },
  // It assigns in no order, like the mode SIMULTANEOUS_ASSIGNMENT. MySQL does not have it.
  ...(!isMysql && {
    'MariaDB in its mode ORACLE': { engine: 'mariadb', session: ["SET sql_mode = 'ORACLE'"] },
  }),
  'MariaDB without a strict mode': { engine: 'mariadb', session: ["SET sql_mode = ''"] },
  'PostgreSQL in another time zone': {
    engine: 'postgresql',
    session: ["SET TIME ZONE 'Pacific/Auckland'", "SET datestyle = 'German'"],
  },
  'a handle with a single connection': { engine: 'postgresql', settings: { pool: { min: 0, max: 1 } } },
};

describe.each(Object.entries(handles))('Over %s, the module', (_name, handle) => {
  let database: TestDatabase;
  let knex: Knex;
  let panel: TestPanel;

  beforeAll(async () => {
    database = await freshDatabase(handle.engine);
    knex = openHandle(configuration(database, handle));
    panel = await startPanel({
      db: knex,
      sources: { accounts: false },
      rateLimit: { requests: 2, windowSeconds: HOUR },
    });
  });

  const create = (expiresInSeconds = HOUR) =>
    panel.api.tokens.create({ name: '💶', scopes: ['*'], expiresInSeconds }, AUTHOR);

  const outcome = async (token: string) => {
    const { status, body } = await panel.get(ME, token);
    return [status, body.error?.code];
  };

  test('answers with all properties of the token', async () => {
    const { token, record } = await create();
    const { status, body } = await panel.get(ME, token);
    const rfc3339 = (seconds: number) => `${new Date(seconds * 1000).toISOString().slice(0, 19)}+00:00`;
    expect([status, body.data.token]).toEqual([
      200,
      {
        id: record.id,
        name: '💶',
        prefix: token.slice(0, 10),
        scopes: ['*'],
        created_at: rfc3339(record.createdAt),
        created_by: 'tester',
        expires_at: rfc3339(record.expiresAt!),
        last_used_at: expect.any(String),
      },
    ]);
    expect(Math.abs(record.createdAt - Date.now() / 1000)).toBeLessThan(60);
  });

  test.each([
    [7, 7],
    ['007', '007'],
    ['💶', '💶'],
  ])('keeps the account %p of a token', async (accountId, shown) => {
    const token = await panel.token({ accountId });
    expect((await panel.get(ME, token)).body.data.account_id).toBe(shown);
  });

  test('counts against the limit', async () => {
    const { token } = await create();
    const statuses = [await outcome(token), await outcome(token), await outcome(token)];
    expect(statuses.map(([status]) => status)).toEqual([200, 200, 429]);
  });

  test('refuses a revoked token', async () => {
    const { token, record } = await create();
    expect(await panel.api.tokens.revoke(record.id, AUTHOR)).toMatchObject({ state: 'revoked' });
    expect(await outcome(token)).toEqual([401, 'token_revoked']);
  });

  test('refuses an expired token', async () => {
    const { token, record } = await create();
    const expiry = { expires_at: record.createdAt };
    await database.knex('panel_api_tokens').where({ id: record.id }).update(expiry);
    expect(await outcome(token)).toEqual([401, 'token_expired']);
    expect((await panel.api.tokens.list()).find(({ id }) => id === record.id)?.state).toBe('expired');
  });

  test('names a silent token', async () => {
    const { record } = await create();
    const today = Math.floor(record.createdAt / 86_400);
    const days = Array.from({ length: 60 }, (_, index) => today - 1 - index);
    const rows = days.flatMap((day) => [
      { token_id: 0, day },
      ...(day < today - 4 ? [{ token_id: record.id, day }] : []),
    ]);
    const count = { endpoint: 'domains', status_class: 2, requests: 1 };
    await database.knex('panel_api_usage').insert(rows.map((row) => ({ ...count, ...row })));
    await setToken(database.knex, record.id, { last_used_at: (today - 5) * 86_400 });
    const { tokens } = await panel.api.tokens.page({ filter: 'silent' });
    expect(tokens.map(({ id }) => id)).toEqual([record.id]);
    expect((await panel.api.tokens.attention()).silent?.count).toBe(1);
  });

  test('counts the tokens that an account has created', async () => {
    await panel.api.settings.change({ customerScopes: ['domains.read', '*'], customerTokens: 1 }, AUTHOR);
    const author = asCustomer('💶', 'anna');
    const { record } = await panel.api.tokens.create(REQUEST, author);
    expect(record.origin).toBe('account-section');
    await expect(panel.api.tokens.create(REQUEST, author)).rejects.toThrow('is limited to 1');
    await panel.api.tokens.revoke(record.id, author);
    await expect(panel.api.tokens.create(REQUEST, author)).resolves.toBeDefined();
    const own = (await panel.api.tokens.ofAccount('💶')).tokens.filter(({ isOwn }) => isOwn);
    expect(own.map(({ state }) => state)).toEqual(['active', 'revoked']);
    const [entry] = await panel.api.audit.list({ tokenId: record.id });
    expect(entry?.details.by).toBe('anna');
  });

  test('keeps the audit trail', async () => {
    const { record } = await create();
    await panel.api.tokens.revoke(record.id, AUTHOR);
    const entries = await panel.api.audit.list({ tokenId: record.id });
    expect(entries.map(({ action, actor, tokenId }) => [action, actor, tokenId])).toEqual([
      ['token.revoked', 'tester', record.id],
      ['token.created', 'tester', record.id],
    ]);
  });

  test('keeps its switch', async () => {
    await panel.api.settings.enable(AUTHOR);
    await panel.api.settings.enable(AUTHOR);
    expect(await panel.api.settings.enabled()).toBe(true);
    await panel.api.settings.disable(AUTHOR);
    expect(await panel.api.settings.enabled()).toBe(false);
  });

  test('finds its migrations, its limiter and its database in health', async () => {
    const { token } = await create();
    const { checks } = (await panel.get('/api/v1/health.php', token)).body.data;
    const own = ['database', 'migrations', 'rate_limiter'];
    const found = checks.filter(({ name }: { name: string }) => own.includes(name));
    expect(found.map(({ status }: { status: string }) => status)).toEqual(['pass', 'pass', 'pass']);
  });
});

function configuration({ engine, url }: TestDatabase, { settings, driver, session }: Handle): Knex.Config {
  const client = { mariadb: 'mysql2', postgresql: 'pg', sqlite: 'better-sqlite3' }[engine];
  const connection = engine === 'sqlite' ? { filename: url.slice('sqlite:'.length) } : address(url, driver);
  const pool = session ? { pool: sessionPool(session) } : {};
  return { client, connection, useNullAsDefault: true, ...pool, ...settings };
}

function address(url: string, driver: object = {}): object {
  const { hostname: host, port, username: user, password, pathname } = new URL(url);
  return { host, port: Number(port), user, password, database: pathname.slice(1), ...driver };
}
