import type { Column } from '../database/columns';

/** The kinds of findings of a check. Scripts compare them, so they do not change. */
export const FINDING_CODES = [
  'column_missing',
  'word_unknown',
  'not_sortable',
  'unchecked',
  'database_message',
  'spelling',
  'unmapped',
  'always_null',
  'shared_ids',
  'key_absent',
  'id_type',
  'word',
  'flag_value',
  'word_unused',
  'reference',
  'reference_self',
  'reference_column',
  'unreadable',
  'schedule',
  'address',
  'domain_name',
  'time_early',
  'time_late',
  'time_future',
  'zone',
  'unit',
  'unit_large',
  'limit',
  'deleted_rows',
  'name_twice',
] as const;

export type FindingCode = (typeof FINDING_CODES)[number];

/** A likely mistake in the source of a list that is served. */
export interface Finding {
  readonly code: FindingCode;
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
