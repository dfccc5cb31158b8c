import type { Knex } from 'knex';
import { mysql } from '../../../lib/database/dialects/mysql';
import { freshDatabase, isMysql, openHandle } from '../../fixture/databases';
import { handleSettings, sessionPool } from '../../fixture/handleSettings';
import { AUTHOR, startPanel } from '../../fixture/panel';
import { createPanelTables } from '../../fixture/panelTables';
import { until } from '../../fixture/until';
import '../../fixture/tryAgain';

// A session may limit the rows of every statement.
const ALL = 'sql_select_limit = 18446744073709551615';

// What the driver knows of the server.
const MARIADB = { _handshakePacket: { serverVersion: '5.5.5-12.1.2-MariaDB' } };
const MYSQL = { _handshakePacket: { serverVersion: '8.4.7' } };

const limited = (sql: string, server = MYSQL) => mysql.limit?.(sql, 1500, server);

describe('The limit of a statement', () => {
  test('is a variable for MariaDB', () => {
    expect(limited('select 1', MARIADB)).toBe(
      `/*M!100500 SET STATEMENT max_statement_time = 1.5, ${ALL} FOR */ select 1`,
    );
  });

  test('is hints for MySQL, and a variable for a MariaDB behind a proxy', () => {
    expect(limited('select `id` from `t`')).toBe(
      `/*M!100500 SET STATEMENT max_statement_time = 1.5, ${ALL} FOR */ ` +
        `select /*+ MAX_EXECUTION_TIME(1500) SET_VAR(${ALL}) SET_VAR(lock_wait_timeout = 2) */ \`id\` from \`t\``,
    );
  });

  test.each(['INSERT INTO t VALUES (1)', 'update `t` set `a` = 1', 'delete from `t`'])(
    'bounds only the wait for a table on MySQL if it changes rows: %s',
    (sql) => {
      expect(limited(sql)).toContain(' /*+ SET_VAR(lock_wait_timeout = 2) */ ');
    },
  );

  test.each([
    ['with `a` as (select 1) select', ' * from `a`'],
    [
      "with recursive `select` as ((select 1) union (select ')' from (select 2) as b)) select",
      ' * from `select`',
    ],
    ['WITH a AS (SELECT "(select" FROM b), c AS (SELECT 2) SELECT', ' * FROM a, c'],
  ])('is in the main query of one that begins with WITH on MySQL: %s', (beginning, rest) => {
    expect(limited(beginning + rest)).toMatch(/\*\/ with .* \/\*\+ .*\*\/ /i);
    expect(limited(beginning + rest)).toContain(
      `${beginning} /*+ MAX_EXECUTION_TIME(1500) SET_VAR(${ALL}) SET_VAR(lock_wait_timeout = 2) */${rest}`,
    );
  });

  test.each(['START TRANSACTION', 'COMMIT', "with `a` as (select '\\\\') select * from `a`"])(
    'is for MariaDB alone if MySQL takes no hints there: %s',
    (sql) => {
      expect(limited(sql)).toBe(`/*M!100500 SET STATEMENT max_statement_time = 1.5, ${ALL} FOR */ ${sql}`);
    },
  );

  test('joins the variables that the statement sets itself', () => {
    const sql = mysql.causalReads?.wait('select 1') ?? '';
    expect(limited(sql)).toBe(
      `/*M!100500 SET STATEMENT max_statement_time = 1.5, ${ALL}, wsrep_sync_wait = 1 FOR */ ` +
        `select /*+ MAX_EXECUTION_TIME(1500) SET_VAR(${ALL}) SET_VAR(lock_wait_timeout = 2) */ 1`,
    );
  });
});

describe('A panel', () => {
  const statements = async () => {
    const { knex } = await freshDatabase('mariadb');
    const { client } = knex;
    const query = client._query;
    const sent: { readonly sql: string; readonly lockWait: number }[] = [];
    client._query = async (connection: unknown, statement: { readonly sql: string }) => {
      const { response } = await query.call(client, connection, {
        sql: 'select @@lock_wait_timeout as wait',
      });
      sent.push({ sql: statement.sql, lockWait: response[0][0].wait });
      return query.call(client, connection, statement);
    };
    const panel = await startPanel({ db: knex, deadlineMs: 200_000 });
    await panel.token();
    return sent;
  };

  test('sends hints to MySQL alone', async () => {
    const sent = await statements();
    const limited = sent.filter(({ sql }) => sql.includes('max_statement_time'));
    expect(limited.length).toBeGreaterThan(0);
    expect(limited.some(({ sql }) => sql.includes('/*+'))).toBe(isMysql);
  });

  // All statements on a table wait behind one that waits to change it.
  test('bounds the wait of a change of a table alone, and leaves its connections as they were', async () => {
    const sent = await statements();
    const changes = sent.filter(({ sql }) => / FOR \*\/ (?:alter|create) table /.test(sql));
    expect(new Set(changes.map(({ lockWait }) => lockWait))).toEqual(new Set([60]));
    expect(sent.at(-1)?.lockWait).toBe(sent[0]?.lockWait);
    expect(sent[0]?.lockWait).toBeGreaterThan(60);
  });
});

/** A list that is read from a query that begins with WITH. */
const fromWith = (condition: string) => ({
  jobs: {
    query: (knex: Knex) => knex.with('every', knex('domains').select('*')).from('every').whereRaw(condition),
    fields: { id: 'id', type: 'domain', status: 'domain' },
  },
});

test('A query that begins with WITH ends with its request', async () => {
  const { knex } = await freshDatabase('mariadb');
  await createPanelTables(knex, ['domains']);
  const domains = Array.from({ length: 300 }, (_, index) => ({ id: index + 1, domain: `${index}.example` }));
  await knex('domains').insert(domains);
  const sources = fromWith(
    '0 < (select count(*) from domains as a, domains as b, domains as c, domains as d where a.id > every.id)',
  );
  const panel = await startPanel({ db: knex, deadlineMs: 1000, sources });
  expect((await panel.get('/api/v1/jobs.php?limit=1', await panel.token())).status).toBe(503);
  await until(async () => {
    const [running] = await knex.raw(
      "select id from information_schema.processlist where info like '%with `every`%' and id <> connection_id()",
    );
    return running.length === 0;
  });
});

test('A session that limits the rows of each statement cuts nothing of the module', async () => {
  const database = await freshDatabase('mariadb');
  const pool = sessionPool(['set session sql_select_limit = 1']);
  const knex = openHandle({ ...handleSettings(database), pool });
  await createPanelTables(database.knex, ['domains']);
  for (const id of [1, 2, 3]) await database.knex('domains').insert({ id, domain: `${id}.example` });
  const { api, get } = await startPanel({ db: knex });
  const made = [];
  for (const name of ['a', 'b', 'c']) made.push(await api.tokens.create({ name, scopes: ['*'] }, AUTHOR));
  expect((await api.tokens.list()).map(({ name }) => name)).toEqual(['c', 'b', 'a']);
  expect(await knex('panel_api_tokens')).toHaveLength(1);
  const { record } = (await api.tokens.rotate(made[0]!.record.id, { graceSeconds: 300 }, AUTHOR)) ?? {};
  expect(await api.tokens.lineage(record?.id ?? 0)).toHaveLength(2);
  const answers = await Promise.all(made.map(({ token }) => get('/api/v1/domains.php', token)));
  expect(answers.map(({ body }) => body.data.items.length)).toEqual([3, 3, 3]);
  const ids = made.map(({ record: { id } }) => id);
  await api.settings.change({ rateLimitRequests: 50, rateLimitWindowSeconds: 20 }, AUTHOR);
  expect(await api.settings.read()).toMatchObject({ rateLimitRequests: 50, rateLimitWindowSeconds: 20 });
  await api.usage.flush();
  expect([...(await api.usage.today(ids)).values()]).toEqual([1, 1, 1]);
});
