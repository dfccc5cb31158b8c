import type { Knex } from 'knex';
import type { Column } from '../../database/columns';
import { DatabaseFailure } from '../../database/DatabaseFailure';
import type { Dialect } from '../../database/Dialect';
import type { Run } from '../../database/Statement';
import { LiveColumns, type NamedTable, splitReference } from '../mapping/LiveColumns';
import { queryTables, type Relation } from './panelQuery';

/** How the columns of a source are looked up. */
interface LookParts extends Pick<Relation, 'knex' | 'dialect' | 'query'> {
  readonly resource: string;
  readonly run: Run;
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
  const denied = new Map<string, string>();
  const found = { tables, columns, denied, missing: [] };
  const aliasOf = (reference: string) => splitReference(reference)[0];
  for (const alias of new Set(references.map(aliasOf))) {
    const own = references.filter((reference) => aliasOf(reference) === alias);
    const all = await described(alias === '' ? '*' : `${alias}.*`, parts);
    if (all instanceof DatabaseFailure) {
      const failure = await described(knex.raw('1'), parts);
      if (failure instanceof DatabaseFailure)
        return new LiveColumns({ ...found, missing: await sayWhy(failure, tables, parts) });
    }
    for (const reference of own) {
      const name = nameOf(splitReference(reference)[1]);
      const among = all instanceof DatabaseFailure ? [] : all.filter((column) => column.name === name);
      // Asked for by name if `*` failed (no such alias, or a column that may not be read) or may hide the column.
      const isDone = among.length > 0 || !(all instanceof DatabaseFailure || dialect.hidesColumns);
      const one = isDone ? among : await described(reference, parts);
      if (one instanceof DatabaseFailure && dialect.isAccessFailure(one)) denied.set(reference, one.code);
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
  return new LiveColumns(found);
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

/** Names the tables that do not exist or may not be read, or says that the query is wrong elsewhere. */
async function sayWhy(
  failure: DatabaseFailure,
  tables: readonly NamedTable[],
  parts: LookParts,
): Promise<readonly string[]> {
  const absent: string[] = [];
  for (const { table, schema } of tables) {
    if (table === null) continue;
    const { knex } = parts;
    const query = () => (schema === undefined ? knex(table) : knex.withSchema(schema).from(table));
    const one = await described(knex.raw('1'), { ...parts, query });
    if (one instanceof DatabaseFailure) absent.push(sayUnread(table, one, parts.dialect));
  }
  return absent.length > 0 ? absent : [sayMisnamed(failure)];
}

/** Says that the database refused a query of the panel's because of a name in it. */
export function sayMisnamed({ code }: DatabaseFailure): string {
  return `The query names a table or column that does not exist or is ambiguous (${code}).`;
}

function sayUnread(table: string, failure: DatabaseFailure, dialect: Dialect): string {
  if (!dialect.isAccessFailure(failure)) return `The table ${table} does not exist.`;
  return `The database user may not read the table ${table} (${failure.code}): grant the user SELECT.`;
}

// A handle may rename what it quotes.
function liveName(knex: Knex): (name: string) => string {
  return (name) => knex.client.customWrapIdentifier(name, (renamed: string) => renamed);
}
