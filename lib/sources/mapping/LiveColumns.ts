import type { Column } from '../../database/columns';

/** A table that a query names, and the alias of its columns. */
export interface NamedTable {
  readonly alias: string;
  /** Null if it is no table but a query of its own. */
  readonly table: string | null;
  /** The schema that the query names for all of its tables. */
  readonly schema?: string;
}

/** The result of a look at the live database. */
interface Found {
  readonly tables: readonly NamedTable[];
  /** The columns that each reference names, several if it is ambiguous. */
  readonly columns: ReadonlyMap<string, readonly Column[]>;
  /** The database's code for each reference to a column that may not be read. */
  readonly denied: ReadonlyMap<string, string>;
  /** Why no column can be read; empty if some can. */
  readonly missing: readonly string[];
}

/** The columns that a source's references name in the live database, and those that are selected. */
export class LiveColumns {
  readonly #found: Found;
  readonly #selected: Column[] = [];

  constructor(found: Found) {
    this.#found = found;
  }

  get missing(): readonly string[] {
    return this.#found.missing;
  }

  /** The columns that are selected so far, as `c0`, `c1` … */
  get selected(): readonly Column[] {
    return this.#selected;
  }

  find(reference: string): Column | undefined {
    const [column, another] = this.#found.columns.get(reference) ?? [];
    return another ? undefined : column;
  }

  /** Returns the references that name no column. */
  absent(references: readonly string[]): readonly string[] {
    return [...new Set(references)].filter((reference) => !this.find(reference));
  }

  /** Selects the column if it is not selected yet, and returns its position. */
  select(column: Column): number {
    const known = this.#selected.findIndex(({ name }) => name === column.name);
    return known >= 0 ? known : this.#selected.push(column) - 1;
  }

  /** Says, as the beginning of a sentence, that there is no such column or that it may not be read. */
  sayAbsent(reference: string): string {
    if ((this.#found.columns.get(reference)?.length ?? 0) > 1) {
      return `Several tables of the query have a column ${reference}, which needs an alias`;
    }
    const code = this.#found.denied.get(reference);
    if (code !== undefined)
      return `The database's user may not read the column ${reference} (${code}): grant it SELECT`;
    const [alias, name] = splitReference(reference);
    const { tables } = this.#found;
    const named = alias === '' ? tables[0] : tables.find((known) => known.alias === alias);
    return named?.table
      ? `The table ${named.table} has no column ${name}`
      : `The query has no column ${reference}`;
  }

  /** Returns the column as a sentence names it. */
  say({ name }: Column): string {
    const [first] = this.#found.tables;
    return name.includes('.') || !first?.table ? name : `${name} of the table ${first.table}`;
  }
}

/** Splits a reference into its alias, which is empty if it has none, and the name of its column. */
export function splitReference(reference: string): readonly [alias: string, name: string] {
  const dot = reference.lastIndexOf('.');
  return [reference.slice(0, Math.max(0, dot)), reference.slice(dot + 1)];
}
