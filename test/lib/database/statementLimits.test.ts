import { mysql } from '../../../lib/database/dialects/mysql';
import { freshDatabase, openHandle } from '../../fixture/databases';
import { handleSettings, sessionPool } from '../../fixture/handleSettings';
import { AUTHOR, startPanel } from '../../fixture/panel';
import { createPanelTables } from '../../fixture/panelTables';

// A session may limit the rows of every statement.
const ALL = 'sql_select_limit = 18446744073709551615';

// What the driver knows of the server.
const MARIADB = { _handshakePacket: { serverVersion: '5.5.5-12.1.2-MariaDB' } };
const MYSQL = { _handshakePacket: { serverVersion: '8.4.7' } };

const limited = (sql: string, server = MYSQL) => mysql.limit?.(sql, { limitMs: 1500 }, server);

// The tests have no server of MySQL.
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

  test.each(['START TRANSACTION', 'COMMIT', 'with `a` as (select 1) select * from `a`'])(
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

  test('also bounds the wait for a table that is changed, because others wait behind it', () => {
    expect(mysql.limit?.('select 1', { limitMs: 600_000 }, MARIADB)).not.toContain(', lock_wait_timeout');
    expect(
      mysql.limit?.('alter table `t` add `a` int', { limitMs: 600_000, changesTable: true }, MARIADB),
    ).toBe(
      `/*M!100500 SET STATEMENT max_statement_time = 600, ${ALL}, lock_wait_timeout = 60 FOR */ alter table \`t\` add \`a\` int`,
    );
  });
});

test('A panel sends MariaDB no hints, and bounds the wait of a change of a table alone', async () => {
  const { knex } = await freshDatabase('mariadb');
  const { client } = knex;
  const query = client._query;
  const sent: string[] = [];
  client._query = (connection: unknown, statement: { readonly sql: string }) => {
    sent.push(statement.sql);
    return query.call(client, connection, statement);
  };
  const panel = await startPanel({ db: knex, deadlineMs: 200_000 });
  await panel.token();
  const limited = sent.filter((sql) => sql.includes('max_statement_time'));
  expect(sent.filter((sql) => sql.includes('/*+'))).toEqual([]);
  const isDefinition = (sql: string) => / FOR \*\/ (?:alter|create) table /.test(sql);
  expect(limited.filter(isDefinition).length).toBeGreaterThan(0);
  for (const sql of limited)
    expect([sql, sql.includes(', lock_wait_timeout = 60 FOR')]).toEqual([sql, isDefinition(sql)]);
});

test('A session of MariaDB that limits the rows of each statement cuts nothing of the module', async () => {
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
  const { record } = (await api.tokens.rotate(made[0]!.record.id, { graceSeconds: 60 }, AUTHOR)) ?? {};
  expect(await api.tokens.lineage(record?.id ?? 0)).toHaveLength(2);
  const answers = await Promise.all(made.map(({ token }) => get('/api/v1/domains.php', token)));
  expect(answers.map(({ body }) => body.data.items.length)).toEqual([3, 3, 3]);
  const ids = made.map(({ record: { id } }) => id);
  await api.settings.change({ rateLimitRequests: 50, rateLimitWindowSeconds: 20 }, AUTHOR);
  expect(await api.settings.read()).toMatchObject({ rateLimitRequests: 50, rateLimitWindowSeconds: 20 });
  await api.usage.flush();
  expect([...(await api.usage.today(ids)).values()]).toEqual([1, 1, 1]);
});
