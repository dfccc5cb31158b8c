import { mysql } from '../../../lib/database/dialects/mysql';

const limited = (sql: string) => mysql.limit?.(sql, 1500);

// The tests have no server of MySQL.
describe('The limit of a statement', () => {
  test('is a variable for MariaDB, and hints for MySQL', () => {
    expect(limited('select `id` from `t`')).toBe(
      '/*M!100500 SET STATEMENT max_statement_time = 1.5 FOR */ ' +
        'select /*+ MAX_EXECUTION_TIME(1500) SET_VAR(lock_wait_timeout = 2) */ `id` from `t`',
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
      expect(limited(sql)).toBe(`/*M!100500 SET STATEMENT max_statement_time = 1.5 FOR */ ${sql}`);
    },
  );

  test('joins the variables that the statement sets itself', () => {
    const sql = mysql.causalReads?.wait('select 1') ?? '';
    expect(limited(sql)).toBe(
      '/*M!100500 SET STATEMENT max_statement_time = 1.5, wsrep_sync_wait = 1 FOR */ ' +
        'select /*+ MAX_EXECUTION_TIME(1500) SET_VAR(lock_wait_timeout = 2) */ 1',
    );
  });

  test('also bounds the wait for a table that is changed, because others wait behind it', () => {
    expect(mysql.limit?.('alter table `t` add `a` int', 600_000)).toBe(
      '/*M!100500 SET STATEMENT max_statement_time = 600, lock_wait_timeout = 60 FOR */ alter table `t` add `a` int',
    );
  });
});
