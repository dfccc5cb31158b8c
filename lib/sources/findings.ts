import type { Column } from '../database/columns';

/** A likely mistake in the source of a list that is served. */
export interface Finding {
  /** The kind of the mistake. Scripts compare it, so it does not change. */
  readonly code: string;
  /** The field whose description is likely to be wrong; null if it is no single one. */
  readonly field: string | null;
  readonly sentence: string;
}

/** How a field is read from a raw row, as a check needs it. */
export interface FieldReading {
  /** The columns that it is read from; none for a function. */
  readonly columns: readonly Column[];
  /** The names of their values in a raw row. */
  readonly cells: readonly string[];
  /** The description in the options: keywords or a column's name; undefined if the field is read by its name. */
  readonly description: unknown;
  /** Whether a raw value means null. Absent if the field may be null whatever the columns contain. */
  readonly isNone?: ((raw: unknown) => boolean) | undefined;
}

/** Whether the panel has confirmed that the field is read as it should be. */
export function isConfirmed(description: unknown): boolean {
  return Object(description).confirm === true;
}
