import type { Column } from '../../database/columns';
import type { Field } from '../../fields';
import type { TimeForm } from '../../time/time';
import type { ListIds } from '../ids';
import type { SourceReport } from '../Source';
import type { PushDown } from './conditions';
import type { LiveColumns } from './LiveColumns';

/** A row as it was selected: the columns of a plan under `c0`, `c1` … */
export type RawRow = Readonly<Record<string, unknown>>;

/** The name under which a selected row holds the column at a position in its plan. It is no keyword of any database. */
export function cell(position: number): string {
  return `c${position}`;
}

/** The name under which it holds the same column in the form in which keys are compared, if that differs. */
export function keyCell(position: number): string {
  return `k${position}`;
}

/** The name of the mark that values of the row were held back because they are long. */
export const HELD_BACK = 'held';

/** The parts of a field's plan. */
export interface FieldParts {
  readonly name: string;
  readonly field: Field;
  readonly columns: LiveColumns;
  readonly ids: ListIds;
}

/** One field, and how it is read from a row. */
export interface PlannedField {
  readonly name: string;
  readonly field: Field;
  readonly read: (raw: RawRow) => unknown;
}

/** The columns of a description that do not exist. */
export interface Absent {
  readonly absent: readonly string[];
}

/** How a field is read from a selected row and filtered, and what else is known from its description. */
export interface FieldPlan extends PlannedField {
  /** The positions of the columns that it is read from. */
  readonly positions: readonly number[];
  /** The one column whose values it shows, if there is one. */
  readonly column?: Column;
  /** The columns that decide it, by their position, if it should hold a value as soon as one of them does. */
  readonly inputs?: readonly { readonly position: number; readonly isNone: (raw: unknown) => boolean }[];
  /** The condition in the database for certain values of it; without it, clients cannot filter by it. */
  readonly pushDown?: PushDown | undefined;
  /** Why the column cannot supply the field, as a sentence. */
  readonly refused?: string;
  readonly translations?: readonly Translation[];
  /** All words that the field can hold, if its mapping names them. */
  readonly words?: readonly string[] | undefined;
  /** If the field is a time in a column of its own, which can be compared with `updated_since`. */
  readonly changes?: ChangeColumn;
}

/** Words of a column that the panel's rules of a field name. */
export interface Translation {
  readonly field: string;
  readonly column: Column;
  readonly words: ReadonlySet<string>;
  /** Whether the column may hold other words than these. */
  readonly isPartial: boolean;
  /** Whether the field may hold any text: then its words may be confidential, and no check shows them. */
  readonly isOpen: boolean;
}

/** A column of times that shows which rows were changed since a time. */
interface ChangeColumn {
  readonly column: Column;
  readonly form: TimeForm | undefined;
  readonly zoned: boolean;
}

/** How the rows of a source become items. */
export interface RowPlan extends Pick<SourceReport, 'missing' | 'warnings' | 'itemSchema'> {
  /** The selected columns, as `c0`, `c1` … */
  readonly columns: readonly Column[];
  /** The columns of the key, by their position in `columns`. */
  readonly key: readonly number[];
  /** The fields that are read, in their declared order. */
  readonly fields: readonly FieldPlan[];
  readonly translations: readonly Translation[];
  /** The column of `updated_at`. */
  readonly changes: ChangeColumn | null;
}

/** Whether a row without a value may pass: the field has a fallback, or is derived from other fields. */
export function mayBeNone({ required, fallback, derivation }: Field, wanted: ReadonlySet<string>): boolean {
  return derivation !== undefined || (required && fallback !== undefined && wanted.has(String(fallback)));
}
