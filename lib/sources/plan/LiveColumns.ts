import type { Column } from '../../database/Column';
import { findColumn, isAmbiguous, type LiveTable } from './LiveTable';

/** The live columns of a source's tables, and those of them that its rows are read from. */
export class LiveColumns {
  readonly #tables: readonly LiveTable[];
  readonly #selected: Column[] = [];

  constructor(tables: readonly LiveTable[]) {
    this.#tables = tables;
  }

  /** What is selected so far, as `c0`, `c1` … */
  get selected(): readonly Column[] {
    return this.#selected;
  }

  /** The tables of the source that are not there. */
  get absentTables(): readonly string[] {
    return this.#tables.flatMap(({ table, columns }) =>
      table !== null && columns.length === 0 ? [table] : [],
    );
  }

  find(reference: string): Column | undefined {
    return findColumn(reference, this.#tables);
  }

  /** Those of the references that name no column. */
  absent(references: readonly string[]): readonly string[] {
    return [...new Set(references)].filter((reference) => !this.find(reference));
  }

  /** Sees to it that the column is selected, and gives its position. */
  select(column: Column): number {
    const known = this.#selected.findIndex(({ name }) => name === column.name);
    return known >= 0 ? known : this.#selected.push(column) - 1;
  }

  /** Says, as the beginning of a sentence, that there is no such column. */
  sayAbsent(reference: string): string {
    if (isAmbiguous(reference, this.#tables)) {
      return `Several tables of the query have a column ${reference}, which needs an alias`;
    }
    const [alias, name] = reference.split('.');
    const named = this.#tables.find((known) => known.alias === alias);
    const table = (name === undefined ? this.#tables[0] : named)?.table;
    return table
      ? `The table ${table} has no column ${name ?? alias}`
      : `The query has no column ${reference}`;
  }

  /** The column as a sentence names it. */
  say({ name }: Column): string {
    const [first] = this.#tables;
    return name.includes('.') || !first?.table ? name : `${name} of the table ${first.table}`;
  }
}
