import type { Column } from '../../database/columns';
import type { NamedTable } from '../sql/panelQuery';

/** What a source's references name in the live database, and those columns from which its rows are read. */
export class LiveColumns {
  /** Why nothing can be read at all; empty if something can. */
  readonly missing: readonly string[];
  readonly #found: ReadonlyMap<string, readonly Column[]>;
  readonly #tables: readonly NamedTable[];
  readonly #denied: ReadonlyMap<string, string>;
  readonly #selected: Column[] = [];

  /**
   * `found` has the columns that each reference names, several if it is ambiguous; `denied` has the database's code for
   * each reference to a column that may not be read.
   */
  constructor(
    found: ReadonlyMap<string, readonly Column[]>,
    {
      tables,
      denied = new Map(),
      missing = [],
    }: {
      readonly tables: readonly NamedTable[];
      readonly denied?: ReadonlyMap<string, string>;
      readonly missing?: readonly string[];
    },
  ) {
    this.#found = found;
    this.#tables = tables;
    this.#denied = denied;
    this.missing = missing;
  }

  /** What is selected so far, as `c0`, `c1` … */
  get selected(): readonly Column[] {
    return this.#selected;
  }

  find(reference: string): Column | undefined {
    const [column, another] = this.#found.get(reference) ?? [];
    return another ? undefined : column;
  }

  /** Those of the references that name no column. */
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
    if ((this.#found.get(reference)?.length ?? 0) > 1) {
      return `Several tables of the query have a column ${reference}, which needs an alias`;
    }
    const code = this.#denied.get(reference);
    if (code !== undefined)
      return `The database's user may not read the column ${reference} (${code}): grant it SELECT`;
    const [alias, name] = splitReference(reference);
    const named = alias === '' ? this.#tables[0] : this.#tables.find((known) => known.alias === alias);
    return named?.table
      ? `The table ${named.table} has no column ${name}`
      : `The query has no column ${reference}`;
  }

  /** The column as a sentence names it. */
  say({ name }: Column): string {
    const [first] = this.#tables;
    return name.includes('.') || !first?.table ? name : `${name} of the table ${first.table}`;
  }
}

/** The alias of a reference, which is empty if it names none, and the name of its column. */
export function splitReference(reference: string): readonly [alias: string, name: string] {
  const dot = reference.lastIndexOf('.');
  return [reference.slice(0, Math.max(0, dot)), reference.slice(dot + 1)];
}
