import type { Knex } from 'knex';
import { DAY_SECONDS, dayExists } from '../../time/time';
import {
  ALWAYS,
  anyOf,
  type Bounds,
  type Column,
  type Comparison,
  ignoresCase,
  isIntegerColumn,
  type TimeComparison,
} from '../columns';
import { type CausalReads, type Dialect, LOCK_PATIENCE_MS } from '../Dialect';
import { describeColumns } from '../Statement';
import {
  asInteger,
  asNumber,
  asText,
  asWritten,
  beginningsOf,
  between,
  like,
  timeTexts,
  unixTimes,
  wholeBounds,
  writtenTimes,
} from './conditions';
import { mysqlHits } from './countHits';
import { textFacts } from './mysqlSorting';
import {
  isBoundedInMysql,
  isMariadb,
  limit,
  type MysqlConnection,
  textLiteral,
  withVariables,
} from './mysqlStatements';
import { type DescribedField, typeName } from './mysqlTypes';

const now = 'UNIX_TIMESTAMP()';
const rows: Dialect['rows'] = (result) => (result as [Record<string, unknown>[]])[0];

// The codes of SQLSTATE 42 with which a query of the panel's may fail.
const STATEMENT_FAILURE =
  /^ER_(?:BAD_FIELD|BAD_TABLE|(?:COLUMN|TABLE|DB|PROC)ACCESS_DENIED|NO_SUCH_TABLE|UNKNOWN_TABLE|VIEW_INVALID|NON_?UNIQ|WRONG_FIELD|WRONG_PARAM|PARSE_ERROR|INVALID_GROUP|MIX_OF_GROUP|CANT_AGGREGATE|OPERAND_COLUMNS|SP_DOES_NOT_EXIST|SYNTAX_ERROR|DERIVED)/;

// With binlog_format=STATEMENT, InnoDB refuses to write at READ COMMITTED.
const STATEMENT_LOG = 'ER_BINLOG_STMT_MODE_AND_ROW_ENGINE';

// MariaDB's innodb_snapshot_isolation reports a row that another transaction changed as ER_CHECKREAD. Galera interrupts a
// statement that is in the way of a change of tables from another node.
const CONFLICTS = new Set([
  'ER_LOCK_DEADLOCK',
  'ER_LOCK_WAIT_TIMEOUT',
  'ER_CHECKREAD',
  'ER_QUERY_INTERRUPTED',
  STATEMENT_LOG,
]);

// Galera: a plain read on one node right after a commit on another often misses it. MySQL reads all of this as
// comments; a MariaDB that is built without Galera does not know the variables.
const causalReads: CausalReads = {
  isNodeSql: '/*M!100500 @@wsrep_on + */ 0',
  wait: (sql) => withVariables('wsrep_sync_wait = 1', sql),
  isUnknown: ({ code }) => code === 'ER_UNKNOWN_SYSTEM_VARIABLE',
};

// The session's time zone may repeat an hour in autumn.
const AUTUMN_SECONDS = 7200;
// FROM_UNIXTIME returns NULL for later times in some versions.
const LAST_TIMESTAMP = 2 ** 31 - 1;

function sessionTimes({ from, to }: Bounds<number>): Bounds<number> {
  return {
    from: from && Math.max(1, from - AUTUMN_SECONDS),
    to: to !== null && to + AUTUMN_SECONDS <= LAST_TIMESTAMP ? to + AUTUMN_SECONDS : null,
  };
}

// The name of a lock has at most 64 characters and belongs to the server, so it must name the database too.
const LOCK = 'SHA2(CONCAT(DATABASE(), ?), 256)';

export const mysql: Dialect = {
  name: 'mysql',
  now,
  exactValues,
  bind: (value) => (typeof value === 'string' ? new TextLiteral(value) : value),
  selectSql,
  // By bytes: a collation may take two words for equal.
  groupSql: (column) => (isTextColumn(column) ? WRITTEN_BYTES : selectSql(column)),
  sumsIntegers: true,
  lengthSql: 'OCTET_LENGTH(??)',
  describe: (query) =>
    describeColumns<readonly [unknown, readonly DescribedField[]]>(query, ([, fields]) =>
      fields.map((field) => ({
        name: field.name,
        type: typeName(field),
        decimals: field.decimals,
        mostBytes: field.columnLength,
      })),
    ),
  // Columns that are declared invisible.
  hidesColumns: true,
  async complete(columns, from) {
    const texts = columns.filter(isTextColumn);
    if (texts.length === 0) return columns;
    const facts = await textFacts(
      texts.map(({ name }) => name),
      from,
    );
    return columns.map((column) => ({ ...column, ...facts[texts.indexOf(column)] }));
  },
  columnsSql: `SELECT COLUMN_NAME AS name FROM information_schema.columns
    WHERE table_schema = DATABASE() AND table_name = ?`,
  causalReads,
  rows,
  countHits: mysqlHits(now, rows),
  onConflictAdd: (_table, _key, count, latest = []) =>
    [
      `ON DUPLICATE KEY UPDATE ${count} = ${count} + VALUES(${count})`,
      ...latest.map((name) => `${name} = VALUES(${name})`),
    ].join(', '),
  deleteBelow: (knex, table, { column, bound, most }) =>
    knex(table).where(column, '<', bound).limit(most).delete(),
  begin(conflict) {
    const start = 'START TRANSACTION';
    if (conflict?.code === STATEMENT_LOG) return [start];
    const knowsNodes = !conflict || !causalReads.isUnknown(conflict);
    return ['SET TRANSACTION ISOLATION LEVEL READ COMMITTED', knowsNodes ? causalReads.wait(start) : start];
  },
  beginSnapshot: [
    'SET TRANSACTION ISOLATION LEVEL REPEATABLE READ',
    'START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY',
  ],
  compare,
  compareKey,
  compareTime,
  during(column, times) {
    const { name, type, zoned } = column;
    if (type === 'timestamp') return between(name, sessionTimes(times), 'FROM_UNIXTIME(?)');
    if (type === 'datetime' || type === 'date')
      return between(name, timeTexts(times, zoned ? DAY_SECONDS : 0));
    return isIntegerColumn(column) ? unixTimes(column, times) : writtenTimes(column, times);
  },
  beginsWith(column, text) {
    const { name, collation = '' } = column;
    const comparison = isTextColumn(column) ? compare(column) : null;
    if (!comparison) return ALWAYS;
    // In Turkish, I is not the capital of i.
    const beginnings = ignoresCase(column) && !/turkish|_tr_/.test(collation) ? [text] : beginningsOf(text);
    return anyOf(beginnings.map((one) => like(name, one, comparison.right)));
  },
  within(column, numbers) {
    if (isIntegerColumn(column)) return between(column.name, wholeBounds(numbers));
    return /^(?:decimal|float|double)$/.test(column.type)
      ? between(column.name, numbers as Bounds<number>)
      : ALWAYS;
  },
  isStatementFailure: ({ code }) => STATEMENT_FAILURE.test(code),
  isAccessFailure: ({ code }) => /^ER_(?:(?:TABLE|COLUMN|DB|PROC)ACCESS|SPECIFIC_ACCESS)_DENIED/.test(code),
  isAbsence: ({ code }) => /^ER_(?:NO_SUCH_TABLE|UNKNOWN_TABLE|BAD_TABLE_ERROR|BAD_FIELD_ERROR)$/.test(code),
  hidesTables: true,
  isConflict: ({ code }) => CONFLICTS.has(code),
  // A node of Galera answers so if it has lost the others during COMMIT.
  isCommitUnknown: ({ code }) => code === 'ER_ERROR_DURING_COMMIT',
  isDuplicate: ({ code }) => code === 'ER_DUP_ENTRY',
  isRowLocked: ({ code }) => code === 'ER_LOCK_WAIT_TIMEOUT',
  boundLockWait: (sql, seconds) => withVariables(`innodb_lock_wait_timeout = ${seconds}`, sql),
  limit,
  end: async (connection, sql) => isMariadb(connection as MysqlConnection) || isBoundedInMysql(sql),
  close: (connection) => (connection as MysqlConnection).destroy(),
  // DDL commits by itself here, so there is no transaction that could hold a lock.
  async withLock(session, lock, task) {
    const [row] = await session.rows(
      `SELECT GET_LOCK(${LOCK}, ?) AS got`,
      [lock, LOCK_PATIENCE_MS / 1000],
      LOCK_PATIENCE_MS + 1000,
    );
    if (Number(row?.got) !== 1) throw Object.assign(new Error('The lock is held.'), { code: 'LOCK_HELD' });
    // All statements on a table wait behind one that waits to change it, and MySQL lets it wait for a year.
    await session.rows(
      `SET @panel_api_wait = @@lock_wait_timeout, SESSION lock_wait_timeout = ${LOCK_PATIENCE_MS / 1000}`,
    );
    try {
      return await task();
    } finally {
      await session.rows('SET SESSION lock_wait_timeout = @panel_api_wait');
      await session.rows(`SELECT RELEASE_LOCK(${LOCK})`, [lock]);
    }
  },
  isDuplicateObject: ({ code }) => /^ER_(?:TABLE_EXISTS_ERROR|DUP_FIELDNAME|DUP_KEYNAME)$/.test(code),
  // The database's default may be a character set that cannot hold every name.
  tableOptions: (table) => table.charset('utf8mb4'),
  hexSql: 'HEX(??)',
  hashType: 'binary(32)',
  versionSql: 'SELECT VERSION() AS version',
  schemaSql: 'SELECT DATABASE() AS name',
};

const decimal = (digits = 30) => `CAST(? AS DECIMAL(65, ${digits}))`;

const WRITTEN = 'CAST(?? AS CHAR)';
const WRITTEN_BYTES = 'CAST(CONVERT(?? USING utf8mb4) AS BINARY)';
// By bytes: a collation may take two keys for equal.
const WRITTEN_KEY = { ...asWritten(WRITTEN), left: WRITTEN_BYTES };

function isTextColumn({ type }: Column): boolean {
  return /^(?:char|varchar|text$|enum$|set$)/.test(type);
}

function compare(column: Column): Comparison | null {
  const { type, collation } = column;
  if (isIntegerColumn(column) || type === 'bit' || type === 'year') return asInteger('?', 2n ** 64n);
  if (type === 'decimal') return asNumber(decimal(column.decimals));
  if (/^(?:uuid|inet[46])$/.test(type)) {
    return { ...asWritten(WRITTEN), exactly: { left: `CAST(${WRITTEN} AS BINARY)`, right: '?' } };
  }
  if (!isTextColumn(column)) return null;
  const [, charset] = /^([a-z0-9]+)_\w+$/.exec(collation ?? '') ?? [];
  // A word with a letter that the column's character set lacks would make the whole query fail, and so would the collation
  // of a column that consists of literals.
  const exact = charset === undefined || charset === 'utf8mb4' ? '?' : `CONVERT(? USING ${charset})`;
  const right = charset === undefined ? exact : `${exact} COLLATE ${collation}`;
  return { ...asText(right), exactly: { left: 'CAST(?? AS BINARY)', right: exact } };
}

function compareKey(column: Column): Comparison {
  // An enumeration sorts by the position of its words.
  if (/^(?:enum|set)$/.test(column.type) || column.isSortedApart) return WRITTEN_KEY;
  if (column.type === 'timestamp') return asNumber(decimal(6), selectSql(column));
  const comparison = compare(column);
  return !comparison || comparison.keySql ? WRITTEN_KEY : comparison;
}

// The latest clock time of the session up to a moment: later than that of the moment if the clock was set back shortly
// before, as in autumn.
const LATEST_CLOCK = `GREATEST(FROM_UNIXTIME(${decimal(6)}),
  FROM_UNIXTIME(GREATEST(${decimal(6)} - ${AUTUMN_SECONDS}, 0)) + INTERVAL ${AUTUMN_SECONDS} SECOND)`;

const WRITTEN_TIME = /^\d{4}-\d\d-\d\d(?: (?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,6})?)?$/;

function compareTime(column: Column): TimeComparison | null {
  if (isIntegerColumn(column)) return compareKey(column);
  // Compared by its clock time, one hour of autumn would equal another.
  if (column.type === 'timestamp')
    return { ...compareKey(column), bound: (value) => ({ sql: LATEST_CLOCK, bindings: [value, value] }) };
  if (column.type !== 'datetime' && column.type !== 'date') return null;
  return { ...asText(), bind: bindTime };
}

function bindTime(text: string): Knex.RawBinding | undefined {
  if (!WRITTEN_TIME.test(text)) return undefined;
  // A table may hold days that do not exist, such as 0000-00-00. MySQL refuses to compare with one, except as a number.
  return dayExists(text.slice(0, 10)) ? text : Number(text.replace(/[^\d.]/g, ''));
}

function selectSql({ type }: Column): string {
  if (type === 'timestamp') return 'UNIX_TIMESTAMP(??)';
  // The driver returns bits as bytes.
  return type === 'bit' ? '?? + 0' : '??';
}

// The driver writes values into the statement and escapes them with backslashes, which mean nothing to a server in the mode
// NO_BACKSLASH_ESCAPES. knex takes an instance of a class for a value, and refuses a plain object.
class TextLiteral {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  /** Called by the driver. */
  toSqlString(): string {
    return textLiteral(this.#text);
  }
}

interface Field {
  readonly type: string;
  string(): string | null;
}

// A statement can replace a `typeCast` of the panel's by another, but not switch it off. It cannot change the driver's
// `decimalNumbers` and `bigNumberStrings`.
function castPlainly(field: Field, next: () => unknown): unknown {
  if (field.type === 'NEWDECIMAL' || field.type === 'DECIMAL') return field.string();
  if (field.type !== 'LONGLONG') return next();
  const digits = field.string();
  return digits === null || !Number.isSafeInteger(Number(digits)) ? digits : Number(digits);
}

const PLAIN = { supportBigNumbers: true, dateStrings: true, rowsAsArray: false, nestTables: false };

function exactValues(connection: unknown) {
  const { config } = connection as { config?: Readonly<Record<string, unknown>> };
  const casts = config?.typeCast !== true || config.decimalNumbers || config.bigNumberStrings;
  // A function costs time for every value.
  return casts ? { ...PLAIN, typeCast: castPlainly } : PLAIN;
}
