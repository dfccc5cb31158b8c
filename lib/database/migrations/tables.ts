import type { Knex } from 'knex';
import { UnusableTables } from '../DatabaseFailure';
import type { Dialect } from '../Dialect';
import type { Session } from '../Session';

/** The names of the module's tables under the panel's prefix. */
export function tableNames(prefix: string) {
  return {
    migrations: `${prefix}migrations`,
    settings: `${prefix}settings`,
    tokens: `${prefix}tokens`,
    auditLog: `${prefix}audit_log`,
    rateLimits: `${prefix}rate_limits`,
    usage: `${prefix}usage`,
    usageHours: `${prefix}usage_hours`,
    usageTokens: `${prefix}usage_tokens`,
    refusals: `${prefix}refusals`,
  };
}

export type TableNames = Readonly<ReturnType<typeof tableNames>>;

/** Adds the columns and indexes of a table that is being created under this name. */
export type TableDefinition = (table: Knex.CreateTableBuilder, name: string, dialect: Dialect) => void;

/**
 * One step of the module's own tables. MySQL commits each DDL statement by itself, and another node of a cluster may
 * run the same step: each statement must be able to run again.
 */
export interface Migration {
  readonly name: string;
  /** The tables that it creates. */
  readonly creates: { readonly [K in keyof TableNames]?: TableDefinition };
  /** The columns that it adds to tables of migrations before it. They must allow null. */
  readonly adds?: { readonly [K in keyof TableNames]?: readonly string[] };
  /** Adds them, and fills them. */
  readonly change?: (tables: TableNames, session: Session) => Promise<void>;
}

/** One of the module's tables. */
export interface DefinedTable {
  readonly name: string;
  readonly define: TableDefinition;
  /** The columns that later migrations add. */
  readonly added: readonly string[];
}

/** Reads the rows of a raw statement, within a session or without one. */
export type RowReader = Pick<Session, 'dialect' | 'rows'>;

/** A table that the module did not create has the name of one of the module's. The module neither uses nor drops it. */
export class ForeignTable extends UnusableTables {
  readonly table: string;

  constructor(table: string) {
    super('migrations.tables', 'FOREIGN_TABLE');
    this.table = table;
    this.message = `The table ${table} exists, but this module did not create it: rename or remove the table, or set another tablePrefix.`;
  }
}

/** A later version of the module has upgraded the tables, which may have limits of tokens that this one does not know. */
export class NewerTables extends UnusableTables {
  constructor() {
    super('migrations.tables', 'TABLES_NEWER');
    this.message =
      'A later version of this module has upgraded its tables, and this version may not know all limits of the tokens: install the later version, and restart the panel.';
  }
}

/** Whether a table exists. Throws a ForeignTable if one of this name exists that has other columns. */
export async function isModuleTable(reader: RowReader, { name, define, added }: DefinedTable) {
  const found = await reader.rows(reader.dialect.columnsSql, [name]);
  if (found.length === 0) return false;
  const columns = found.map((row) => String(row.name)).filter((column) => !added.includes(column));
  const defined = columnNames((table) => define(table, name, reader.dialect));
  if (columns.length !== defined.size || columns.some((column) => !defined.has(column)))
    throw new ForeignTable(name);
  return true;
}

/** The names of the columns that a definition adds. Keys and indexes have lists of names instead. */
function columnNames(define: (table: Knex.CreateTableBuilder) => void): ReadonlySet<string> {
  const names = new Set<string>();
  const column: object = new Proxy({}, { get: () => () => column });
  const add = (name: unknown) => {
    if (typeof name === 'string') names.add(name);
    return column;
  };
  define(new Proxy({}, { get: () => add }) as Knex.CreateTableBuilder);
  return names;
}

/**
 * Creates a table with its indexes. Where each statement commits by itself, a table that exists may lack indexes, and
 * gets those. Throws a ForeignTable for a table that the module did not create.
 */
export async function createTable(session: Session, table: DefinedTable): Promise<void> {
  const { dialect } = session;
  if ((await isModuleTable(session, table)) && !dialect.isDuplicateObject) return;
  await session.define((schema) =>
    schema.createTable(table.name, (columns) => {
      dialect.tableOptions?.(columns);
      table.define(columns, table.name, dialect);
    }),
  );
}

/** Drops a table, if it is there and the module's. `known` says that it is the module's. */
export async function dropTable(session: Session, table: DefinedTable, known: boolean): Promise<void> {
  if (known || (await isModuleTable(session, table).catch(skipForeign)))
    await session.define((schema) => schema.dropTableIfExists(table.name));
}

function skipForeign(error: unknown): false {
  if (error instanceof ForeignTable) return false;
  throw error;
}
