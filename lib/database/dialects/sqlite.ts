import type { Dialect } from '../Dialect';
import { returningHits } from './returningHits';

const now = "CAST(strftime('%s', 'now') AS INTEGER)";
const rows: Dialect['rows'] = (result) => result as Record<string, unknown>[];

// An immediate transaction is SQLite's lock against every other writer.
const begin = 'BEGIN IMMEDIATE';

export const sqlite: Dialect = {
  name: 'sqlite',
  now,
  exactValues: { safeIntegers: true },
  selectSql: () => '??',
  columnsSql: 'SELECT name, type FROM pragma_table_xinfo(?)',
  rows,
  countHit: returningHits(now, rows),
  begin,
  withLock: (session, _lock, task) => session.transaction(begin, task),
  tableOptions: () => undefined,
  hashType: 'blob',
  versionSql: 'SELECT sqlite_version() AS version',
};
