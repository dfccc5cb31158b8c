import type { Column } from '../database/columns';

/**
 * What a filter asks of a column. Every row that passes the filter fulfils it; a row that fulfils it and does not
 * pass is left out once it is read, so that no collation and no rounding decides what a client gets.
 */
export type Condition =
  | 'every'
  | 'none'
  | ColumnCondition
  | { readonly any: readonly Condition[] }
  | { readonly all: readonly Condition[] };

export interface ColumnCondition {
  readonly column: Column;
  /** What the column must hold, or with `negated` must not hold, as text. */
  readonly words: readonly string[];
  readonly negated: boolean;
  /** Whether NULL will do as well. */
  readonly orNull: boolean;
  /** Whether the words are a rule's, for which a decimal without a fraction is a whole number. */
  readonly isRule: boolean;
}

/** The condition under which a row can pass a filter for these values. */
export type Narrow = (wanted: ReadonlySet<string>) => Condition;
