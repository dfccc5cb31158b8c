import { type Dialect, LOCK_PATIENCE_MS } from '../Dialect';

// LAST_INSERT_ID carries one number out of the upsert, on MariaDB and MySQL alike, so it holds two: the count and,
// in its lowest bits, the seconds until the window ends (at most a day, 86,400 < 2^17).
const SECONDS_RANGE = 2 ** 17;

const clock = 'UNIX_TIMESTAMP()';

const rows: Dialect['rows'] = (result) => (result as [Record<string, unknown>[]])[0];

export const mysql: Dialect = {
  name: 'mysql',
  now: clock,
  exactValues: { supportBigNumbers: true, dateStrings: true },
  selectSql: ({ type }) => (type === 'timestamp' ? 'UNIX_TIMESTAMP(??)' : '??'),
  columnsSql: `SELECT COLUMN_NAME AS name, DATA_TYPE AS type FROM information_schema.columns
    WHERE table_schema = DATABASE() AND table_name = ?`,
  rows,
  countHit: {
    sql(table) {
      const window = `${clock} - ${clock} % :window`;
      const sameWindow = `window_start BETWEEN ${window} AND ${window} + :window`;
      const hits = `IF(${sameWindow}, hits + 1, 1)`;
      const start = `IF(${sameWindow}, window_start, ${window})`;
      const carryOut = (count: string, from: string) =>
        `LAST_INSERT_ID((${count}) * ${SECONDS_RANGE} + ${from} + :window - ${clock})`;
      // MySQL assigns from left to right: hits still sees the old window_start.
      return `INSERT INTO ${table} (token_id, window_start, hits)
        VALUES (:token, ${window}, 1 + 0 * ${carryOut('1', window)})
        ON DUPLICATE KEY UPDATE
          hits = ${hits} + 0 * ${carryOut(hits, start)},
          window_start = ${start}`;
    },
    read(result) {
      const packed = Number((result as [{ insertId: number | string }])[0].insertId);
      return { hits: Math.floor(packed / SECONDS_RANGE), secondsLeft: packed % SECONDS_RANGE };
    },
  },
  begin: 'START TRANSACTION',
  // DDL commits by itself here, so there is no transaction that could hold a lock.
  async withLock(session, lock, task) {
    const result = await session.run(
      (knex) => knex.raw('SELECT GET_LOCK(?, ?) AS got', [lock, LOCK_PATIENCE_MS / 1000]),
      LOCK_PATIENCE_MS + 1000,
    );
    if (Number(rows(result)[0]?.got) !== 1)
      throw Object.assign(new Error('The lock is held.'), { code: 'LOCK_HELD' });
    try {
      return await task();
    } finally {
      await session.run((knex) => knex.raw('SELECT RELEASE_LOCK(?)', [lock]));
    }
  },
  // The database's default may be a character set that cannot hold every name.
  tableOptions: (table) => table.charset('utf8mb4'),
  hashType: 'binary(32)',
  versionSql: 'SELECT VERSION() AS version',
};
