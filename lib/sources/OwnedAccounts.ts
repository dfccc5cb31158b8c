import type { Column } from '../database/columns';

/** A column of a table, whose whole numbers are ids as a field shows them. */
export interface IdColumn {
  readonly table: string;
  readonly column: Column;
  /** Whether the list has all rows of the table. */
  readonly isWhole: boolean;
}

/** An account and those that it owns, as the statement that reads their rows finds them in the table of accounts. */
export interface OwnedAccounts {
  /** The field with a row's account. Its source must have an `idColumn`. */
  readonly field: string;
  readonly accountId: string;
  readonly id: IdColumn;
  readonly owner: IdColumn;
}
