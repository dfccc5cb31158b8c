import type { Column } from '../../database/columns';
import type { Field } from '../../fields';
import type { Narrow } from '../Condition';
import type { SourceReport } from '../Source';

/** A row as it was selected: the columns of a plan under `c0`, `c1` … */
export type RawRow = Readonly<Record<string, unknown>>;

/** One field, and how it is read from a selected row. */
export interface PlannedField {
  readonly name: string;
  readonly field: Field;
  readonly read: (raw: RawRow) => unknown;
  /** The one column that it comes from, where there is one. */
  readonly column?: Column;
  /** The columns that decide it, by their position, if it should hold something as soon as one of them does. */
  readonly inputs?: readonly { readonly position: number; readonly isNone: (raw: unknown) => boolean }[];
  /** How it is filtered, where it can be. */
  readonly narrow?: Narrow;
}

/** Words of a column that the panel's rules of a field name. */
export interface Translation {
  readonly field: string;
  readonly column: Column;
  readonly words: ReadonlySet<string>;
  /** Whether the column may hold other words than these. */
  readonly isPartial: boolean;
  /** Whether the field may hold any text, so that its words are not for everybody who looks at a check. */
  readonly isOpen: boolean;
}

/** A column of times by which rows are told that were changed since one. */
export interface ChangeColumn {
  readonly column: Column;
  readonly form: 'unix' | 'unix-ms' | 'date' | 'datetime' | undefined;
  readonly zoned: boolean;
}

/** How the rows of a source become items. */
export interface RowPlan extends Pick<SourceReport, 'missing' | 'warnings' | 'itemSchema'> {
  /** What is selected, as `c0`, `c1` … */
  readonly columns: readonly Column[];
  /** The columns that make the key, by their position in `columns`. */
  readonly key: readonly number[];
  /** The fields that are read, in their declared order. */
  readonly fields: readonly PlannedField[];
  readonly translations: readonly Translation[];
  /** The column of `updated_at`. */
  readonly changes: ChangeColumn | null;
}
