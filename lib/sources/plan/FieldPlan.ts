import type { Field } from '../../fields';
import type { ListIds } from '../ListIds';
import type { LiveColumns } from './LiveColumns';
import type { ChangeColumn, PlannedField, Translation } from './RowPlan';

/** A field, and what its plan is made of. */
export interface FieldParts {
  readonly name: string;
  readonly field: Field;
  readonly columns: LiveColumns;
  readonly ids: ListIds;
}

/** How a field is read, or which of its columns are not there. */
export type FieldPlan = FoundField | { readonly absent: readonly string[] };

/** How a field is read, and what else its source says. */
export interface FoundField extends PlannedField {
  /** The positions of the columns that it is read from. */
  readonly positions: readonly number[];
  /** Why the column cannot supply the field after all. */
  readonly refused?: string;
  readonly translations?: readonly Translation[];
  /** All words that the field can hold, if its mapping names them. */
  readonly words?: readonly string[] | undefined;
  /** Where the field is a time in a column of its own, which can tell what was changed since another. */
  readonly changes?: ChangeColumn;
}
