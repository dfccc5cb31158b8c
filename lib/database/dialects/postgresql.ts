import { type Dialect, LOCK_PATIENCE_MS } from '../Dialect';
import { returningHits } from './returningHits';

// NOW() would stand still for a whole transaction, CLOCK_TIMESTAMP() not even for one statement.
const now = 'CAST(FLOOR(EXTRACT(EPOCH FROM STATEMENT_TIMESTAMP())) AS BIGINT)';
const rows: Dialect['rows'] = (result) => (result as { rows: Record<string, unknown>[] }).rows;
const asWritten = (text: string) => text;

export const postgresql: Dialect = {
  name: 'postgresql',
  now,
  exactValues: { types: { getTypeParser: () => asWritten } },
  selectSql({ type }) {
    if (/^(?:timestamp|date)/.test(type)) return 'EXTRACT(EPOCH FROM ??)';
    return type.endsWith('[]') ? 'TO_JSON(??)' : '??';
  },
  columnsSql: `SELECT attname AS name, FORMAT_TYPE(atttypid, NULL) AS type FROM pg_attribute
    WHERE attrelid = TO_REGCLASS(QUOTE_IDENT(?)) AND attnum > 0 AND NOT attisdropped`,
  rows,
  countHit: returningHits(now, rows),
  begin: 'BEGIN',
  withLock(session, lock, task) {
    return session.transaction('BEGIN', async () => {
      await session.run(
        (knex) => knex.raw('SELECT pg_advisory_xact_lock(hashtext(?))', [lock]),
        LOCK_PATIENCE_MS,
      );
      return task();
    });
  },
  tableOptions: () => undefined,
  hashType: 'bytea',
  versionSql: 'SHOW server_version',
};
