import type { Column } from '../../database/columns';
import type { DatabaseFailure } from '../../database/DatabaseFailure';
import type { SourceReport } from '../Source';

export interface NamedTable {
  readonly alias: string;
  /** Null for a subquery. */
  readonly table: string | null;
  /** The schema that the query names for all its tables. */
  readonly schema?: string;
}

interface Found {
  readonly tables: readonly NamedTable[];
  /** The columns for each reference; several if it is ambiguous. */
  readonly columns: ReadonlyMap<string, readonly Column[]>;
  /** The database's error for each reference to a column that may not be read. */
  readonly denied: ReadonlyMap<string, DatabaseFailure>;
  /** Why no column can be read; absent if some can. */
  readonly unread?: WhyUnread;
}

/** Why columns cannot be read: they do not exist, or there is another reason. */
export interface WhyUnread extends Pick<SourceReport, 'missing' | 'failure'> {
  readonly state: 'missing' | 'failed';
}

export type LiveColumns = ReturnType<typeof liveColumns>;

/** The live columns of a source's references, and which of them are selected. */
export function liveColumns({ tables, columns, denied, unread }: Found) {
  const selected: Column[] = [];
  return {
    unread,
    /** The columns selected so far, as `c0`, `c1` … */
    selected: selected as readonly Column[],

    /** Returns the references without a column, or with several. */
    absent: (references: readonly string[]): readonly string[] =>
      [...new Set(references)].filter((reference) => columns.get(reference)?.length !== 1),

    /** Returns the column of a reference that is not absent. */
    get: (reference: string) => columns.get(reference)?.[0] as Column,

    /** Whether the database says that the column does not exist, and not that it may not be read or is ambiguous. */
    lacks: (reference: string) => (columns.get(reference)?.length ?? 0) === 0 && !denied.has(reference),

    /** The failure of the database because of which one of these columns cannot be read. */
    failureOf: (references: readonly string[]) =>
      references.map((reference) => denied.get(reference)).find((failure) => failure),

    /** Selects the column unless it is already selected. Returns its position. */
    select(column: Column): number {
      const known = selected.findIndex(({ name }) => name === column.name);
      return known >= 0 ? known : selected.push(column) - 1;
    },

    /** Returns the beginning of a sentence: the column does not exist, or is not readable. */
    sayAbsent(reference: string): string {
      if ((columns.get(reference)?.length ?? 0) > 1)
        return `Several tables of the query have a column ${reference}: prefix it with the alias of its table`;
      const { code } = denied.get(reference) ?? {};
      if (code !== undefined)
        return `The database user may not read the column ${reference} (${code}): grant the user SELECT`;
      const [alias, name] = splitReference(reference);
      const named = alias === '' ? tables[0] : tables.find((known) => known.alias === alias);
      return named?.table
        ? `The table ${named.table} has no column ${name}`
        : `The query has no column ${reference}`;
    },

    say({ name }: Column): string {
      const [first] = tables;
      return name.includes('.') || !first?.table ? name : `${name} of the table ${first.table}`;
    },
  };
}

/** Splits a reference into the alias, empty if there is none, and the column's name. */
export function splitReference(reference: string): readonly [alias: string, name: string] {
  const dot = reference.lastIndexOf('.');
  return [reference.slice(0, Math.max(0, dot)), reference.slice(dot + 1)];
}
