import type { Knex } from 'knex';
import {
  ALWAYS,
  anyOf,
  type Column,
  type Comparison,
  isIntegerColumn,
  isTimeColumn,
  type SqlCondition,
  type TimeComparison,
  widened,
} from '../columns';
import type { Dialect } from '../Dialect';
import { describeColumns } from '../Statement';
import {
  asInteger,
  asText,
  asWritten,
  beginningsOf,
  between,
  bindInteger,
  dayTexts,
  unixTimes,
  writtenTimes,
} from './conditions';
import { onConflictAdd, returningHits } from './countHits';

const now = "CAST(strftime('%s', 'now') AS INTEGER)";
const rows: Dialect['rows'] = (result) => result as Record<string, unknown>[];

export const sqlite: Dialect = {
  name: 'sqlite',
  now,
  exactValues: () => ({ safeIntegers: true }),
  selectSql: () => '??',
  groupSql: () => '?? COLLATE BINARY',
  // Columns of any type hold values of any type.
  sumsIntegers: false,
  lengthSql: 'LENGTH(CAST(?? AS BLOB))',
  // The driver prepares the statement and runs nothing.
  describe: (query) =>
    describeColumns<readonly DescribedColumn[]>(query, (columns) => columns.map(sqliteColumn), {
      _query: async (connection, sent) =>
        Object.assign(sent, { response: (connection as Connection).prepare(sent.sql).columns() }),
    }),
  columnsSql: 'SELECT name FROM pragma_table_xinfo(?)',
  rows,
  countHits: returningHits(now, rows),
  onConflictAdd,
  deleteBelow(knex, table, { column, bound, most }) {
    // Few builds of SQLite take a LIMIT in a DELETE: a subquery chooses the rows.
    const chosenRows = knex(table).select('rowid').where(column, '<', bound).limit(most);
    return knex(table).whereIn('rowid', chosenRows).delete();
  },
  // An immediate transaction is SQLite's lock against every other writer.
  begin: () => ['BEGIN IMMEDIATE'],
  // A transaction begins with its first read.
  beginSnapshot: ['BEGIN', 'SELECT 1 FROM sqlite_master LIMIT 1'],
  snapshotBlocksNone: "SELECT 1 FROM pragma_journal_mode WHERE journal_mode = 'wal'",
  compare,
  compareKey,
  compareTime,
  during(column, times) {
    if (!isIntegerColumn(column) && !isTimeColumn(column))
      return anyOf([writtenTimes(column, times), isBytes(column)]);
    // Such a column holds numbers, texts or bytes, row by row, in this order.
    const numbers = unixTimes(isTimeColumn(column) ? { ...column, form: undefined } : column, times);
    const { from, to } = dayTexts(times);
    return anyOf([numbers, between(column.name, { from: from ?? '', to }), isBytes(column)]);
  },
  beginsWith(column, text) {
    if (!isText(column)) return ALWAYS;
    const { name } = column;
    const beginnings = beginningsOf(text, MOST_RANGES).map((one) =>
      between(name, { from: one, to: `${one}\u{10ffff}` }),
    );
    return anyOf([...beginnings, isBytes(column)]);
  },
  within(column, numbers) {
    if (!isNumeric(column)) return ALWAYS;
    // A column of whole numbers takes fractions and texts, too.
    return anyOf([between(column.name, widened(numbers)), { sql: "?? >= ''", bindings: [column.name] }]);
  },
  // SQLite has no finer code; the module's own SQL is sound.
  isStatementFailure: ({ code }) => code === 'SQLITE_ERROR',
  isAccessFailure: () => false,
  isAbsence: ({ code, namesNothing }) => code === 'SQLITE_ERROR' && namesNothing,
  existsSql: 'SELECT 1 FROM sqlite_master WHERE name = ? COLLATE NOCASE',
  // After a crash, SQLite may read in the WAL what it could not flush.
  isCommitUnknown: ({ code }) => code.startsWith('SQLITE_IOERR'),
  // On a full disk, SQLite ends the transaction.
  isRolledBack: ({ code }) => code === 'SQLITE_ERROR',
  isDuplicate: ({ code }) => code === 'SQLITE_CONSTRAINT_UNIQUE',
  isConflict: ({ code }) => /^SQLITE_(?:BUSY|LOCKED)/.test(code),
  // It locks no rows.
  isRowLocked: () => false,
  boundLockWait: (sql) => sql,
  // better-sqlite3 runs statements in the event loop, so this one has ended.
  end: async () => true,
  refuseWaits(connection) {
    const database = connection as {
      readonly open: boolean;
      pragma?(source: string, options?: object): unknown;
    };
    // Other drivers than better-sqlite3 wait in a thread of their own.
    const before = database.pragma?.('busy_timeout', { simple: true });
    database.pragma?.('busy_timeout = 0');
    return () => {
      if (database.open) database.pragma?.(`busy_timeout = ${before}`);
    };
  },
  withLock: (session, _lock, task) => session.transaction(task),
  hexSql: 'HEX(??)',
  hashType: 'blob',
  versionSql: 'SELECT sqlite_version() AS version',
  schemaSql: "SELECT file AS name FROM pragma_database_list WHERE name = 'main'",
};

interface DescribedColumn {
  readonly name: string;
  /** The declared type; null for an expression. */
  readonly type: string | null;
}

interface Connection {
  prepare(sql: string): { columns(): readonly DescribedColumn[] };
}

function sqliteColumn({ name, type }: DescribedColumn): Column {
  // A timestamp is an instant elsewhere; here it is a date and a time without a zone.
  return { name, type: (type ?? '').toLowerCase().replace(/^timestamp.*/, 'datetime') };
}

// Without statistics, SQLite reads the whole table rather than more ranges of an index.
const MOST_RANGES = 4;

function isText({ type }: Column): boolean {
  return /char|clob|text/.test(type);
}

function isNumeric(column: Column): boolean {
  return isIntegerColumn(column) || /real|floa|doub|dec|num|bool/.test(column.type);
}

/** Every number and text sorts before the bytes, which are read as text. */
function isBytes({ name }: Column): SqlCondition {
  return { sql: "?? >= X''", bindings: [name] };
}

// A column prefers values of its declared type, and takes all others.
function compare(column: Column): Comparison | null {
  if (isNumeric(column)) {
    return { left: '??', right: '?', bind: bindNumber, also: (text) => [text, Buffer.from(text)] };
  }
  if (!isText(column)) return null;
  return {
    ...asText(),
    also: (text) => [Buffer.from(text)],
    exactly: { left: '?? COLLATE BINARY', right: '?' },
  };
}

function compareKey(column: Column): Comparison {
  // A cursor cannot point to a fraction among whole numbers.
  if (isIntegerColumn(column)) return asInteger();
  const comparison = compare(column);
  if (!comparison) return { ...asWritten('CAST(?? AS TEXT)'), bind: bindReadable };
  // A column's collation may take different texts for equal.
  return comparison.isText ? { ...asText('?', '?? COLLATE BINARY'), bind: bindReadable } : comparison;
}

// Such a column stores every text that is a number as a number.
function compareTime(column: Column): TimeComparison | null {
  if (!isIntegerColumn(column) && !isTimeColumn(column)) return null;
  return { left: '??', right: '?', bind: (text) => bindNumber(text) ?? bindReadable(text) };
}

/** The number that JavaScript writes as this text; SQLite itself might read another one. */
function bindNumber(text: string): Knex.RawBinding | undefined {
  const isNumber = /^-?(?:\d+(?:\.\d+)?(?:e[+-]\d+)?|Infinity)$/.test(text);
  return bindInteger(text) ?? (isNumber ? Number(text) : undefined);
}

// Bytes that are no text are read as U+FFFD, which they are not equal to.
function bindReadable(text: string): string | undefined {
  return text.includes('\u{fffd}') ? undefined : text;
}
