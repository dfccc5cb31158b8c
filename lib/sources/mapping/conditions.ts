import { ALWAYS, anyOf, type Bounds, type Column, type SqlCondition } from '../../database/columns';
import type { Dialect } from '../../database/Dialect';
import { withDecimals } from './sentinels';

/**
 * Returns a condition for rows that can match these filter values, on plain columns so that indexes can be used. It
 * holds for every row that matches. A row for which it holds may still not match and is dropped after it was read, so
 * that neither collations nor rounding change the result.
 */
export type PushDown = (wanted: ReadonlySet<string>, dialect: Dialect) => SqlCondition;

/** Returns such a condition for a range: times in seconds since 1970, or numbers. */
export type PushRange = (range: Bounds, dialect: Dialect) => SqlCondition;

/** Returns such a condition for values that begin with a text, whatever the case of its letters A to Z. */
export type PushSearch = (text: string, dialect: Dialect) => SqlCondition;

/** The words of which a column must contain one. */
interface HeldWords {
  readonly column: Column;
  /** The words, as text. If `negated`, the column must contain none of them. */
  readonly words: readonly string[];
  readonly negated: boolean;
  /** Whether NULL matches. */
  readonly orNull: boolean;
  /** Whether they are words of a rule, for which a decimal without a fraction is a whole number. */
  readonly isRule: boolean;
}

export function holds({ column, words, negated, orNull, isRule }: HeldWords, dialect: Dialect): SqlCondition {
  const comparison = dialect.compare(column);
  // Bytes that are no text are read as this character.
  if (!comparison || words.some((word) => word.includes('\u{fffd}'))) return ALWAYS;
  const { bind, also, isText } = comparison;
  // If `negated`, a collation must not exclude a row that holds another word.
  const { left, right } = (negated ? comparison.exactly : undefined) ?? comparison;
  const spelt = isRule && isText && !negated ? words.flatMap(withDecimals) : words;
  const values = [...new Set(spelt)]
    .flatMap((word) => [bind(word), ...((!negated && also?.(word)) || [])])
    .filter((value) => value !== undefined);
  if (values.length === 0 && negated) return ALWAYS;
  const list = `(${values.map(() => right).join(', ')})`;
  return anyOf([
    ...(values.length > 0
      ? [{ sql: `${left} ${negated ? 'NOT IN' : 'IN'} ${list}`, bindings: [column.name, ...values] }]
      : []),
    ...(orNull ? [{ sql: '?? IS NULL', bindings: [column.name] }] : []),
  ]);
}
