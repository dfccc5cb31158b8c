import { DAY_SECONDS } from '../../time/time';
import {
  ALWAYS,
  allOf,
  anyOf,
  type Bounds,
  type Column,
  type Comparison,
  isIntegerColumn,
  isTimeColumn,
  type TimeComparison,
} from '../columns';
import { type Dialect, LOCK_PATIENCE_MS } from '../Dialect';
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
import { onConflictAdd, returningHits } from './countHits';
import { type PgClient, sendCancelRequest } from './sendCancelRequest';

// NOW() is constant within a transaction, and CLOCK_TIMESTAMP() changes within a statement.
const now = 'CAST(FLOOR(EXTRACT(EPOCH FROM STATEMENT_TIMESTAMP())) AS BIGINT)';
// Of several statements that were sent together, the last one has the rows.
const rows: Dialect['rows'] = (result) =>
  ([result].flat().at(-1) as { rows: Record<string, unknown>[] }).rows;

export const postgresql: Dialect = {
  name: 'postgresql',
  now,
  exactValues: () => ({ types: { getTypeParser: () => (text: string) => text } }),
  selectSql,
  groupSql(column) {
    const { type, collation } = column;
    const isPlain = isIntegerColumn(column) || /^(?:boolean|uuid|text|character varying|name)$/.test(type);
    if (isTimeColumn(column) || (isPlain && collation === undefined)) return selectSql(column);
    // Other types may have no equality, or take values for equal that are written differently.
    return `CASE WHEN ?? IS NOT NULL THEN FORMAT('%s', ${selectSql(column)}) END COLLATE "C"`;
  },
  sumsIntegers: true,
  skipIdsSql:
    "SELECT setval(pg_get_serial_sequence(?, 'id'), GREATEST(nextval(pg_get_serial_sequence(?, 'id')), CAST(? AS bigint)))",
  lengthSql: 'OCTET_LENGTH(CAST(?? AS text))',
  describe: (query) =>
    describeColumns<{ readonly fields: readonly DescribedField[] }>(query, ({ fields }) =>
      fields.map(({ name, dataTypeID, dataTypeModifier, tableID, columnID }) => ({
        name,
        type: String(dataTypeID),
        ...(TEXTS_WITH_LENGTH.has(dataTypeID) && dataTypeModifier > 4
          ? { mostBytes: MOST_BYTES * (dataTypeModifier - 4) }
          : {}),
        origin: { table: tableID, position: columnID },
      })),
    ),
  async complete(columns, { run }) {
    const list = (members: readonly unknown[]) => `{${members.join(',')}}`;
    const bindings = [
      list(columns.map(({ type }) => type)),
      list(columns.map(({ origin }) => origin?.table ?? 0)),
      list(columns.map(({ origin }) => origin?.position ?? 0)),
    ];
    const found = rows(await run('columns', (knex) => knex.raw(TYPES, bindings)));
    return columns.map((column, index) => ({
      ...column,
      type: String(found[index]?.type),
      ...(typeof found[index]?.collation === 'string' ? { collation: found[index].collation } : {}),
    }));
  },
  columnsSql: `SELECT attname AS name FROM pg_attribute
    WHERE attrelid = TO_REGCLASS(QUOTE_IDENT(?)) AND attnum > 0 AND NOT attisdropped`,
  rows,
  countHits: returningHits(now, rows),
  onConflictAdd,
  deleteBelow(knex, table, { column, bound, most }) {
    // PostgreSQL takes no LIMIT in a DELETE: a subquery chooses the rows.
    const chosenRows = knex(table).select('ctid').where(column, '<', bound).limit(most);
    return knex(table).whereRaw('ctid = ANY(ARRAY(?))', [chosenRows]).delete();
  },
  begin: () => ['BEGIN ISOLATION LEVEL READ COMMITTED'],
  beginSnapshot: ['BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY'],
  compare,
  compareKey,
  compareTime,
  during(column, times) {
    const { name, type, zoned } = column;
    if (type === 'timestamp with time zone') return between(name, times, 'TO_TIMESTAMP(?)');
    if (isTimeColumn(column))
      return between(name, timeTexts(times, zoned ? DAY_SECONDS : 0), `CAST(? AS ${type})`);
    return isIntegerColumn(column) ? unixTimes(column, times, BIGINT) : writtenTimes(column, times);
  },
  beginsWith(column, text) {
    const { name, type, collation } = column;
    if (!isTextColumn(column)) return ALWAYS;
    const lower = text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
    // In the collation C, only the letters A to Z have a case.
    const lowered = like(name, lower, '?', 'LOWER(CAST(?? AS text) COLLATE "C")');
    // PostgreSQL has no LIKE for collations that take different texts for equal.
    if (type === 'citext' || collation !== undefined) return lowered;
    return allOf([anyOf(beginningsOf(text).map((one) => like(name, one))), lowered]);
  },
  within(column, numbers) {
    const { name, type } = column;
    if (isIntegerColumn(column)) return between(name, wholeBounds(numbers), BIGINT);
    if (!/^(?:numeric|real|double precision)$/.test(type)) return ALWAYS;
    return between(
      name,
      numbers as Bounds<number>,
      `CAST(? AS ${type === 'numeric' ? type : 'double precision'})`,
    );
  },
  // Class 42: syntax error or access rule violation.
  isStatementFailure: ({ code }) => /^42\w{3}$/.test(code),
  isAccessFailure: ({ code }) => code === '42501',
  isAbsence: ({ code }) => code === '42P01' || code === '42703',
  existsSql: `SELECT 1 FROM pg_class JOIN pg_namespace AS n ON n.oid = relnamespace
    WHERE relname = ? AND NOT HAS_SCHEMA_PRIVILEGE(n.oid, 'USAGE') AND nspname = ANY (STRING_TO_ARRAY(
      TRANSLATE(REPLACE(CURRENT_SETTING('search_path'), '"$user"', CURRENT_USER), '" ', ''), ','))`,
  // Serialization failure, deadlock, and a lock that the panel's lock_timeout did not wait for.
  isConflict: ({ code }) => /^(?:40001|40P01|55P03)$/.test(code),
  isDuplicate: ({ code }) => code === '23505',
  isRowLocked: ({ code }) => code === '55P03',
  // Statements that are sent together are one transaction. No bound is 0.
  boundLockWait: (sql, seconds) => `SET LOCAL lock_timeout = ${seconds * 1000 || 1}; ${sql}`,
  // `statement_timeout` would need a statement of its own, or a transaction around each.
  async end(connection) {
    const client = connection as PgClient;
    // The native client shows no way to cancel.
    if (!client.connection) return false;
    const isTaken = await sendCancelRequest(client);
    if (!isTaken) client.__knex__disposed ??= 'cancelled by koa-panel-api';
    return true;
  },
  close: (client) => (client as PgClient).connection?.stream.destroy(),
  withLock(session, lock, task) {
    // The statements after the lock read what its last holder wrote; those of an older snapshot would not.
    return session.transaction(async () => {
      // For the lock, and for the tables that are changed: all statements on one wait behind its change.
      await session.rows(`SET LOCAL lock_timeout = ${LOCK_PATIENCE_MS}`);
      await session.rows('SELECT pg_advisory_xact_lock(hashtext(?))', [lock], 2 * LOCK_PATIENCE_MS);
      return task();
    });
  },
  hexSql: "ENCODE(??, 'hex')",
  hashType: 'bytea',
  versionSql: 'SHOW server_version',
  schemaSql: "SELECT CONCAT(current_database(), '.', current_schema()) AS name",
};

interface DescribedField {
  readonly name: string;
  readonly dataTypeID: number;
  /** Of a text, how many characters it has at most, and 4 more; -1 if there is no such limit. */
  readonly dataTypeModifier: number;
  readonly tableID: number;
  readonly columnID: number;
}

/** `character(n)` and `character varying(n)`. */
const TEXTS_WITH_LENGTH = new Set([1042, 1043]);
/** Bytes of one character. */
const MOST_BYTES = 4;

// The names of types, and of the collations that take different texts for equal.
const TYPES = `SELECT FORMAT_TYPE(found.type, NULL) AS type, collname AS collation
  FROM UNNEST(CAST(? AS oid[]), CAST(? AS oid[]), CAST(? AS smallint[])) WITH ORDINALITY
    AS found (type, source, position, place)
  LEFT JOIN pg_attribute ON attrelid = source AND attnum = position
  LEFT JOIN pg_collation ON pg_collation.oid = attcollation AND NOT collisdeterministic
  ORDER BY place`;

const WRITTEN = "FORMAT('%s', ??)";
const BIGINT = 'CAST(? AS bigint)';
const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

// PostgreSQL fails for a value that the column's type cannot hold, and no text can hold NUL.
const bindText = (text: string) => (text.includes('\0') ? undefined : text);

function isTextColumn({ type }: Column): boolean {
  return /^(?:character|text|citext|name)/.test(type) && !type.endsWith('[]');
}

function compare(column: Column): Comparison | null {
  const { type } = column;
  if (isIntegerColumn(column)) return asInteger(BIGINT);
  if (type === 'uuid') {
    return { left: '??', right: 'CAST(? AS uuid)', bind: (text) => (UUID.test(text) ? text : undefined) };
  }
  // Arrays are read as JSON.
  if (type.endsWith('[]')) return null;
  if (type === 'numeric') return asNumeric('??');
  if (type === 'boolean') return { left: '??', right: 'CAST(? AS boolean)', bind: bindBoolean };
  // A cast writes some types in another way than they are read.
  if (!isTextColumn(column)) return { ...asWritten(WRITTEN), bind: bindText };
  return {
    ...asText(),
    bind: bindText,
    exactly: { left: 'CAST(?? AS text) COLLATE "C"', right: '?' },
  };
}

// `NaN` and `Infinity` are numbers here.
function asNumeric(left: string): Comparison {
  const number = asNumber('CAST(? AS numeric)', left);
  return { ...number, bind: (text) => (/^(?:NaN|-?Infinity)$/.test(text) ? text : number.bind(text)) };
}

function bindBoolean(text: string): string | undefined {
  return /^(?:t|true|1|f|false|0)$/.test(text) ? text : undefined;
}

function compareKey(column: Column): Comparison {
  if (isTimeColumn(column)) return asNumeric(selectSql(column));
  // A collation is known only if it takes different texts for equal.
  if (column.collation !== undefined) return { ...asWritten('CAST(?? AS text) COLLATE "C"'), bind: bindText };
  return compare(column) ?? { ...asWritten(WRITTEN), bind: bindText };
}

const MOMENT = 'TO_TIMESTAMP(CAST(? AS double precision))';
// The seconds since 1970 that a timestamp can hold.
const [EARLIEST, LATEST] = [-2.1e11, 9.2e12];

// A double precision cannot hold numbers that are too large or too small, and the database fails for them.
function bindMoment(text: string): string | undefined {
  if (/^-?Infinity$/.test(text)) return text;
  const isMoment =
    /^-?\d{1,13}(?:\.\d{1,6})?$/.test(text) && Number(text) > EARLIEST && Number(text) < LATEST;
  return isMoment ? text : undefined;
}

function compareTime(column: Column): TimeComparison | null {
  if (isIntegerColumn(column)) return compareKey(column);
  if (!isTimeColumn(column)) return null;
  const right = /with time zone/.test(column.type)
    ? MOMENT
    : `CAST(${MOMENT} AT TIME ZONE 'UTC' AS ${column.type})`;
  return { left: '??', right, bind: bindMoment };
}

function selectSql(column: Column): string {
  if (isTimeColumn(column)) return 'EXTRACT(EPOCH FROM ??)';
  if (column.type.endsWith('[]')) return 'TO_JSON(??)';
  // Its padding means nothing, as in PostgreSQL's own comparisons.
  return column.type === 'character' ? 'CAST(?? AS text)' : '??';
}
