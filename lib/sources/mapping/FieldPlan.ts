import type { Bounds, Column, SqlCondition } from '../../database/columns';
import type { Dialect } from '../../database/Dialect';
import type { Field } from '../../fields';

/** A selected row: each column under the name of its cell. */
export type RawRow = Readonly<Record<string, unknown>>;

/** A selected column, and the name of its value in a selected row: `c0`, `c1` … It is no keyword in any database. */
export interface SelectedColumn extends Column {
  readonly cell: string;
}

/**
 * Returns a condition for rows that can match a filter, a range or a search, on plain columns so that indexes can be
 * used. It holds for every row that matches. A row for which it holds may still not match and is dropped after it was
 * read, so that neither collations nor rounding change the result.
 */
export type PushDown<Asked> = (asked: Asked, dialect: Dialect) => SqlCondition;

/** How a field is read from a raw row and filtered, and what else its description says. */
export interface FieldPlan {
  readonly name: string;
  readonly field: Field;
  /** The description in the options: keywords or a column's name; undefined if there is none. */
  readonly description?: unknown;
  /** The columns that it is read from; none for a function. */
  readonly columns: readonly SelectedColumn[];
  /** The names of the values in a raw row that it is read from. */
  readonly cells: readonly string[];
  /** The member of the row that `read` receives. Default: the row. */
  readonly cell?: string;
  readonly read: (given: unknown) => unknown;
  /** The column whose values it shows, if it is one. */
  readonly column?: Column;
  /** The column whose whole numbers it shows as ids, all of them and unchanged. */
  readonly ids?: Column;
  /** Whether a value of its columns means null. Absent if it may be null whatever they contain. */
  readonly isNone?: (raw: unknown) => boolean;
  /** The column of texts from which its numbers are derived. */
  readonly derivedFrom?: Column;
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
