import type { Knex } from 'knex';
import type { Column } from '../../database/columns';
import { DatabaseFailure } from '../../database/DatabaseFailure';
import type { Dialect } from '../../database/Dialect';
import type { Run } from '../../database/Statement';
import {
  type LiveColumns,
  liveColumns,
  type NamedTable,
  splitReference,
  type WhyUnread,
} from '../mapping/LiveColumns';
import { queryTables, type Relation } from './panelQuery';

/** How the columns of a source are looked up. */
interface LookParts extends Relation {
  readonly resource: string;
  readonly run: Run;
  /** Whether the last look found no table. */
  readonly wasMissing: boolean;
}

/**
 * Looks up the columns that a source refers to. The result of a query of no rows has their names and types, so that
 * columns of tables, of subqueries and of raw SQL are all found in the same way.
 */
export async function findColumns(references: readonly string[], parts: LookParts): Promise<LiveColumns> {
  const { dialect, knex } = parts;
  const run: Run = (_, statement) => parts.run(`${parts.resource}.columns`, statement);
  const tables = queryTables(parts.query());
  const nameOf = liveName(knex);
  const columns = new Map<string, readonly Column[]>();
  const denied = new Map<string, DatabaseFailure>();
  const found = { tables, columns, denied };
  const aliasOf = (reference: string) => splitReference(reference)[0];
  for (const alias of new Set(references.map(aliasOf))) {
    const own = references.filter((reference) => aliasOf(reference) === alias);
    const all = await described(alias === '' ? '*' : `${alias}.*`, parts);
    if (all instanceof DatabaseFailure) {
      const unread = await whyUnread(all, tables, parts);
      if (unread) return liveColumns({ ...found, unread });
    }
    for (const reference of own) {
      const name = nameOf(splitReference(reference)[1]);
      const among = all instanceof DatabaseFailure ? [] : all.filter((column) => column.name === name);
      // Asked for by name if `*` failed (no such alias, or a column that may not be read) or may hide the column.
      const isDone = among.length > 0 || !(all instanceof DatabaseFailure || dialect.hidesColumns);
      const one = isDone ? among : await described(reference, parts);
      if (one instanceof DatabaseFailure && dialect.isAccessFailure(one)) denied.set(reference, one);
      columns.set(reference, one instanceof DatabaseFailure ? [] : one);
    }
  }
  const single = [...columns].flatMap(([name, [column, another]]) =>
    column && !another ? [{ ...column, name }] : [],
  );
  if (single.length > 0) {
    const query = () => ungrouped(parts.query());
    const completed = (await dialect.complete?.(single, { run, knex, query })) ?? single;
    for (const column of completed) columns.set(column.name, [column]);
  }
  return liveColumns(found);
}

/** Returns the columns of a selection, or the failure of its statement. */
async function described(
  selection: string | Knex.Raw,
  { resource, dialect, query, run }: LookParts,
): Promise<readonly Column[] | DatabaseFailure> {
  const selected = ungrouped(query()).select(selection).limit(0);
  return run(`${resource}.columns`, () => dialect.describe(selected)).catch((error) => {
    if (error instanceof DatabaseFailure && dialect.isStatementFailure(error)) return error;
    throw error;
  });
}

// A column that the query does not group by cannot be selected, but has a type.
function ungrouped(query: Knex.QueryBuilder): Knex.QueryBuilder {
  return query.clone().clear('group').clear('having');
}

/**
 * Returns why nothing can be read, and names the tables that do not exist or cannot be read; undefined if the statement
 * failed only because of what it selects. `failure` is that of the selection of all columns.
 */
async function whyUnread(
  failure: DatabaseFailure,
  tables: readonly NamedTable[],
  parts: LookParts,
): Promise<WhyUnread | undefined> {
  const { knex, dialect } = parts;
  const [only] = tables;
  if (parts.table !== null && only && dialect.isAbsence(failure)) return unreadTable(only, failure, parts);
  const whole = await described(knex.raw('1'), parts);
  if (!(whole instanceof DatabaseFailure)) return undefined;
  const unread: WhyUnread[] = [];
  for (const named of tables) {
    const { table, schema } = named;
    if (table === null) continue;
    const query = () => (schema === undefined ? knex(table) : knex.withSchema(schema).from(table));
    const one = await described(knex.raw('1'), { ...parts, query });
    if (one instanceof DatabaseFailure) unread.push(await unreadTable(named, one, parts));
  }
  if (unread.length === 0) return misnamed(whole, dialect);
  const failed = unread.find(({ state }) => state === 'failed');
  return { ...(failed ?? { state: 'missing' }), missing: unread.flatMap(({ missing }) => missing) };
}

/** Says that the database refused a query of the panel's. */
export function misnamed(failure: DatabaseFailure, dialect: Dialect): WhyUnread {
  const { code } = failure;
  return dialect.isAbsence(failure)
    ? { state: 'missing', missing: [`The query names a table or column that does not exist (${code}).`] }
    : { state: 'failed', missing: [`The database refuses the query (${code}).`], failure };
}

/** Says whether a table whose statement failed exists. */
async function unreadTable(
  { table }: NamedTable,
  failure: DatabaseFailure,
  { dialect, knex, resource, run, wasMissing }: LookParts,
): Promise<WhyUnread> {
  const { code } = failure;
  const failed = (sentence: string): WhyUnread => ({ state: 'failed', missing: [sentence], failure });
  if (dialect.isAccessFailure(failure)) {
    const orNone = dialect.hidesTables ? ', or set the source to false if there is no such table' : '';
    return failed(
      `The database user may not read the table ${table} (${code}): grant the user SELECT${orNone}.`,
    );
  }
  const exists = async (sql: string) => {
    const name = liveName(knex)(String(table).replace(/^.*\./, ''));
    return dialect.rows(await run(`${resource}.exists`, () => knex.raw(sql, [name]))).length > 0;
  };
  const isAbsent =
    dialect.isAbsence(failure) && (wasMissing || !dialect.existsSql || !(await exists(dialect.existsSql)));
  if (isAbsent) return { state: 'missing', missing: [`The table ${table} does not exist.`] };
  return failed(`The table ${table} exists, but cannot be read (${code}).`);
}

// A handle may rename what it quotes.
function liveName(knex: Knex): (name: string) => string {
  return (name) => knex.client.customWrapIdentifier(name, (renamed: string) => renamed);
}
