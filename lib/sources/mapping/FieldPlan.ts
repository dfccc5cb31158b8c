import type { Column } from '../../database/columns';
import type { Field } from '../../fields';
import type { ListIds } from '../ids';
import type { SourceReport } from '../Source';
import type { PushDown, PushRange, PushSearch } from './conditions';
import type { LiveColumns } from './LiveColumns';

/** A selected row: the columns of a plan as `c0`, `c1` … */
export type RawRow = Readonly<Record<string, unknown>>;

/** The name in a selected row of the plan's column at this position. It is no keyword in any database. */
export function cell(position: number): string {
  return `c${position}`;
}

/** The name of the same column in the form in which keys are compared, if that differs. */
export function keyCell(position: number): string {
  return `k${position}`;
}

/** The name of the mark that long values of the row were omitted. */
export const HELD_BACK = 'held';

/** The name of the place of the row at or after the key of a cursor. */
export const PLACE = 'p0';

/** What a plan of a field is made from. */
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
  /** For a field that is read from one value of the row: the name of the value, and how it is read. */
  readonly single?: { readonly cell: string; readonly read: (value: unknown) => unknown };
}

/** How a field is read from the column at this position alone. */
export function readCell(
  position: number,
  read: (value: unknown) => unknown,
): Pick<PlannedField, 'read' | 'single'> {
  const name = cell(position);
  return { read: (row) => read(row[name]), single: { cell: name, read } };
}

/** The columns of the description that do not exist. */
export interface Absent {
  readonly absent: readonly string[];
}

/** How a field is read from a selected row and filtered, and what else its description says. */
export interface FieldPlan extends PlannedField {
  /** The positions of the columns that it is read from. */
  readonly positions: readonly number[];
  /** The column whose values it shows, if it is one. */
  readonly column?: Column;
  /** The columns that decide its value, if the field should have one whenever one of them has. */
  readonly inputs?: readonly { readonly position: number; readonly isNone: (raw: unknown) => boolean }[];
  /** How the column's whole numbers are added up, if the field shows them. */
  readonly sum?: SumPlan;
  /** The condition in the database for filter values; without it, the field cannot be filtered. */
  readonly pushDown?: PushDown | undefined;
  /** Why the column cannot supply the field, as a sentence. */
  readonly refused?: string;
  readonly translations?: readonly Translation[];
  /** All words that the field can have, if the mapping limits them. */
  readonly words?: readonly string[] | undefined;
  /** The condition in the database for a range of values; without it, the field has no range. */
  readonly range?: PushRange | undefined;
  /** The condition in the database for the beginning of a value; without it, the field cannot be searched. */
  readonly search?: PushSearch | undefined;
}

/** How a column's whole numbers become values of a field. Negative ones become null. */
interface SumPlan {
  readonly column: Column;
  /** What they are multiplied by. */
  readonly factor: number;
  /** Those that mean null. */
  readonly none: readonly string[];
}

/** The words of a column that a field's rules name. */
export interface Translation {
  readonly field: string;
  readonly column: Column;
  readonly words: ReadonlySet<string>;
  /** Whether the column may contain other words. */
  readonly isPartial: boolean;
  /** Whether the field may contain any text, so that no check may show its words: they may be confidential. */
  readonly isOpen: boolean;
}

/** How a source's rows become items. */
export interface RowPlan
  extends Pick<SourceReport, 'state' | 'missing' | 'failure' | 'warnings' | 'itemSchema'> {
  /** The selected columns, as `c0`, `c1` … */
  readonly columns: readonly Column[];
  /** The columns of the key, as positions in `columns`. */
  readonly key: readonly number[];
  /** The fields that are read, in their declared order. */
  readonly fields: readonly FieldPlan[];
  readonly translations: readonly Translation[];
}

/** Whether a row without a value can match a filter: the field has a fallback, or is derived from other fields. */
export function mayBeNone({ required, fallback, derivation }: Field, wanted: ReadonlySet<string>): boolean {
  return derivation !== undefined || (required && fallback !== undefined && wanted.has(String(fallback)));
}
