import type { Bounds, Column, SqlCondition } from '../../database/columns';
import type { Dialect } from '../../database/Dialect';
import type { Field } from '../../fields';
import type { SourceReport } from '../Source';

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

/**
 * Returns a condition for rows that can match a filter, a range or a search, on plain columns so that indexes can be
 * used. It holds for every row that matches. A row for which it holds may still not match and is dropped after it was
 * read, so that neither collations nor rounding change the result.
 */
export type PushDown<Asked> = (asked: Asked, dialect: Dialect) => SqlCondition;

/** How a field is read from a selected row and filtered, and what else its description says. */
export interface FieldPlan {
  readonly name: string;
  readonly field: Field;
  /** The member of the row that `read` receives. Default: the row. */
  readonly cell?: string;
  readonly read: (given: unknown) => unknown;
  /** The positions of the columns that it is read from. */
  readonly positions: readonly number[];
  /** The column whose values it shows, if it is one. */
  readonly column?: Column;
  /** The column whose whole numbers it shows as ids, all of them and unchanged. */
  readonly ids?: Column;
  /** Whether a value of its columns means null. Absent if it may be null whatever they contain. */
  readonly isNone?: (raw: unknown) => boolean;
  /** How the column's whole numbers are added up, if the field shows them. Negative ones become null. */
  readonly sum?: {
    readonly column: Column;
    /** What they are multiplied by. */
    readonly factor: number;
    /** Those that mean null. */
    readonly none: readonly string[];
  };
  /** The condition for the values of a filter; without it, the field cannot be filtered. */
  readonly pushDown?: PushDown<ReadonlySet<string>> | undefined;
  /** The condition for a range, of times in seconds since 1970 or of numbers; without it, the field has no range. */
  readonly range?: PushDown<Bounds> | undefined;
  /** The condition for the beginning of a value, in any case of A to Z; without it, the field cannot be searched. */
  readonly search?: PushDown<string> | undefined;
  /** Why the column cannot supply the field, as a sentence. */
  readonly refused?: string;
  readonly translations?: readonly Translation[];
  /** All words that the field can have, if the mapping limits them. */
  readonly words?: readonly string[] | undefined;
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
  /** The positions of the columns that are selected; all of them if it is absent. */
  readonly selected?: ReadonlySet<number>;
  /** The columns of the key, as positions in `columns`. */
  readonly key: readonly number[];
  /** The fields that are read, in their declared order. */
  readonly fields: readonly FieldPlan[];
  readonly translations: readonly Translation[];
}
