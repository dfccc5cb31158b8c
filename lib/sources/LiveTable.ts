import type { Column } from './Column';

/** A table of a source, as it stands in the live database. */
export interface LiveTable {
  /** The name by which the source's columns call it. */
  readonly alias: string;
  /** The table itself; null for a derived table, whose columns nobody knows before they are asked for. */
  readonly table: string | null;
  /** Its columns; none where there is no such table. */
  readonly columns: readonly Column[];
}

/** The live column that a source calls by this name, under that very name; undefined where there is none. */
export function findColumn(reference: string, tables: readonly LiveTable[]): Column | undefined {
  const dot = reference.lastIndexOf('.');
  const [alias, name] = [reference.slice(0, Math.max(0, dot)), reference.slice(dot + 1)];
  const candidates = alias === '' ? tables : tables.filter((table) => table.alias === alias);
  for (const { table, columns } of candidates) {
    const column = columns.find((live) => live.name === name);
    if (column) return { ...column, name: reference };
    if (table === null) return { name: reference, type: '' };
  }
  return undefined;
}
