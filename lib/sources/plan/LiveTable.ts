import type { Column } from '../../database/Column';

/** A table of a source, as it stands in the live database. */
export interface LiveTable {
  /** The name by which the source's columns call it. */
  readonly alias: string;
  /** The table itself; null for a derived table, whose columns nobody knows before they are asked for. */
  readonly table: string | null;
  /** Its columns; none where there is no such table. */
  readonly columns: readonly Column[];
}

/**
 * The live column that a source calls by this name, under that very name; undefined where there is none, and where
 * several tables have one.
 */
export function findColumn(reference: string, tables: readonly LiveTable[]): Column | undefined {
  const candidates = called(reference, tables);
  const name = columnName(reference);
  const [found, another] = having(name, candidates);
  if (found) return another ? undefined : { ...found, name: reference };
  return candidates.some(({ table }) => table === null) ? { name: reference, type: '' } : undefined;
}

/** Whether several tables have a column of this name, so that only an alias can tell which is meant. */
export function isAmbiguous(reference: string, tables: readonly LiveTable[]): boolean {
  return having(columnName(reference), called(reference, tables)).length > 1;
}

function called(reference: string, tables: readonly LiveTable[]): readonly LiveTable[] {
  const alias = reference.slice(0, Math.max(0, reference.lastIndexOf('.')));
  return alias === '' ? tables : tables.filter((table) => table.alias === alias);
}

function having(name: string, tables: readonly LiveTable[]): readonly Column[] {
  return tables.flatMap(({ columns }) => columns.filter((live) => live.name === name));
}

function columnName(reference: string): string {
  return reference.slice(reference.lastIndexOf('.') + 1);
}
