import type { Knex } from 'knex';
import type { Column } from '../../database/columns';
import { DatabaseFailure } from '../../database/DatabaseFailure';
import type { Dialect } from '../../database/Dialect';
import type { Run } from '../../database/Statement';
import { LiveColumns, type WhyUnread } from '../mapping/LiveColumns';
import { type NamedTable, queryTables, type Relation } from './panelQuery';

/** Where columns are found. Its tables are those that the query names, the main one first. */
interface Parts extends Relation {
  readonly tables: readonly NamedTable[];
  readonly resource: string;
  readonly run: Run;
  /** Whether the last inspection found no table. */
  readonly wasMissing: boolean;
}

/** The columns of a selection, or the failure of its statement. */
type Answer = readonly Column[] | DatabaseFailure;

/**
 * Finds the columns that a source refers to. The result of a query of no rows has their names and types, so that columns
 * of tables, of subqueries and of raw SQL are all found in the same way.
 */
export async function findColumns(
  references: readonly string[],
  given: Omit<Parts, 'tables'>,
): Promise<LiveColumns> {
  const { dialect, knex } = given;
  const parts: Parts = { ...given, tables: queryTables(given.query()) };
  const table = parts.tables[0]?.table ?? null;
  const found = new Map<string, Column | WhyUnread>();
  const aliasOf = (reference: string) => splitReference(reference)[0];
  for (const alias of new Set(references.map(aliasOf))) {
    const all = await described(alias === '' ? '*' : `${alias}.*`, parts);
    const unread = all instanceof DatabaseFailure && (await whyUnread(all, parts));
    if (unread) return new LiveColumns(found, table, unread);
    for (const reference of references.filter((one) => aliasOf(one) === alias)) {
      const name = liveName(splitReference(reference)[1], knex);
      const among = all instanceof DatabaseFailure ? [] : all.filter((column) => column.name === name);
      // Asked for by name if `*` failed (no such alias, or a column that may not be read) or may hide the column.
      const isDone = among.length > 0 || !(all instanceof DatabaseFailure || dialect.hidesColumns);
      const answer = isDone ? among : await described(reference, parts);
      const [column, another] = answer instanceof DatabaseFailure ? [] : answer;
      const only = column && !another ? { ...column, name: reference } : null;
      found.set(reference, only ?? whyColumnUnread(reference, answer, parts));
    }
  }
  const columns = [...found.values()].filter((one) => 'type' in one);
  if (columns.length > 0 && dialect.complete) {
    const run: Run = (_, statement) => parts.run(`${parts.resource}.columns`, statement);
    const query = () => ungrouped(parts.query());
    for (const column of await dialect.complete(columns, { run, knex, query }))
      found.set(column.name, column);
  }
  return new LiveColumns(found, table);
}

function described(selection: string | Knex.Raw, { resource, dialect, query, run }: Parts): Promise<Answer> {
  const selected = ungrouped(query()).select(selection).limit(0);
  const sent = run(`${resource}.columns`, () => dialect.describe(selected));
  return orFailure(sent, dialect);
}

/** Resolves with a failure that means that the statement does not fit the tables and columns. */
export async function orFailure<T>(sent: Promise<T>, dialect: Dialect): Promise<T | DatabaseFailure> {
  return sent.catch((error) => {
    if (isMisfit(error, dialect)) return error;
    throw error;
  });
}

/** Whether a statement failed because it does not fit the tables and columns. */
export function isMisfit(error: unknown, dialect: Dialect): error is DatabaseFailure {
  return error instanceof DatabaseFailure && dialect.isStatementFailure(error);
}

// A column that the query does not group by cannot be selected, but has a type.
function ungrouped(query: Knex.QueryBuilder): Knex.QueryBuilder {
  return query.clone().clear('group').clear('having');
}

/**
 * Returns why nothing can be read, and names the tables that do not exist or cannot be read; undefined if the statement
 * failed only because of what it selects. `failure` is that of the selection of all columns.
 */
async function whyUnread(failure: DatabaseFailure, parts: Parts): Promise<WhyUnread | undefined> {
  const { knex, dialect, tables } = parts;
  const only = parts.table === null ? null : tables[0]?.table;
  if (only && dialect.isAbsence(failure)) return whyTableUnread(only, failure, parts);
  const whole = await described(knex.raw('1'), parts);
  if (!(whole instanceof DatabaseFailure)) return undefined;
  const unread: WhyUnread[] = [];
  for (const { table, schema } of tables) {
    if (table === null) continue;
    const query = () => (schema === undefined ? knex(table) : knex.withSchema(schema).from(table));
    const one = await described(knex.raw('1'), { ...parts, query });
    if (one instanceof DatabaseFailure) unread.push(await whyTableUnread(table, one, parts));
  }
  if (unread.length === 0) return misnamed(whole, dialect);
  const failed = unread.find(({ state }) => state === 'failed');
  return { ...(failed ?? { state: 'missing' }), missing: unread.flatMap(({ missing }) => missing) };
}

/** Says that the database refused a query of the panel's. */
export function misnamed(failure: DatabaseFailure, dialect: Dialect): WhyUnread {
  const { code } = failure;
  return dialect.isAbsence(failure)
    ? missing(`The query names a table or column that does not exist (${code}).`)
    : failed(`The database refuses the query (${code}).`, failure);
}

/** Says whether a table whose statement failed exists. */
async function whyTableUnread(table: string, failure: DatabaseFailure, parts: Parts): Promise<WhyUnread> {
  const { dialect, knex, resource, run, wasMissing } = parts;
  const { code } = failure;
  const { existsSql, hidesTables } = dialect;
  if (dialect.isAccessFailure(failure)) {
    const says = `The database user may not read the table ${table} (${code}): grant the user SELECT`;
    const orNone = hidesTables ? ', or set the source to false if there is no such table' : '';
    return failed(`${says}${orNone}.`, failure);
  }
  const exists = async (sql: string) => {
    const name = liveName(table.replace(/^.*\./, ''), knex);
    return dialect.rows(await run(`${resource}.exists`, () => knex.raw(sql, [name]))).length > 0;
  };
  return dialect.isAbsence(failure) && (wasMissing || !existsSql || !(await exists(existsSql)))
    ? missing(`The table ${table} does not exist.`)
    : failed(`The table ${table} exists, but cannot be read (${code}).`, failure);
}

/** Returns why a reference is not to one column that can be read. */
function whyColumnUnread(reference: string, answer: Answer, { dialect, tables }: Parts): WhyUnread {
  if (answer instanceof DatabaseFailure) {
    const says = `The database user may not read the column ${reference} (${answer.code}): grant the user SELECT`;
    if (dialect.isAccessFailure(answer)) return failed(says, answer);
  } else if (answer.length > 1) {
    return failed(
      `Several tables of the query have a column ${reference}: prefix it with the alias of its table`,
    );
  }
  const [alias, name] = splitReference(reference);
  const named = alias === '' ? tables[0] : tables.find((known) => known.alias === alias);
  return missing(
    named?.table ? `The table ${named.table} has no column ${name}` : `The query has no column ${reference}`,
  );
}

function missing(says: string): WhyUnread {
  return { state: 'missing', missing: [says] };
}

function failed(says: string, failure?: DatabaseFailure): WhyUnread {
  return { state: 'failed', missing: [says], failure };
}

/** Splits a reference into the alias, empty if there is none, and the column's name. */
function splitReference(reference: string): readonly [alias: string, name: string] {
  const dot = reference.lastIndexOf('.');
  return [reference.slice(0, Math.max(0, dot)), reference.slice(dot + 1)];
}

// A handle may rename what it quotes.
function liveName(name: string, knex: Knex): string {
  return knex.client.customWrapIdentifier(name, (renamed: string) => renamed);
}
