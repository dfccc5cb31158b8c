import { ALWAYS, type Column, type SqlCondition } from '../../database/columns';
import type { Dialect } from '../../database/Dialect';
import { withDecimals } from './sentinels';

/**
 * The condition under which a row can pass a filter for these values, with the columns as they stand so that their
 * indexes serve. Every row that passes the filter fulfils it; a row that fulfils it and does not pass is left out once it
 * is read, so that no collation and no rounding decides what a client gets.
 */
export type PushDown = (wanted: ReadonlySet<string>, dialect: Dialect) => SqlCondition;

export const NEVER: SqlCondition = { sql: '1 = 0', bindings: [] };

export function anyOf(conditions: readonly SqlCondition[]): SqlCondition {
  return conditions.length === 0 ? NEVER : joined(conditions, ' OR ');
}

export function allOf(conditions: readonly SqlCondition[]): SqlCondition {
  return conditions.length === 0 ? ALWAYS : joined(conditions, ' AND ');
}

function joined(conditions: readonly SqlCondition[], by: string): SqlCondition {
  return {
    sql: `(${conditions.map(({ sql }) => sql).join(by)})`,
    bindings: conditions.flatMap(({ bindings }) => bindings),
  };
}

/** What a column must hold. */
interface HeldWords {
  readonly column: Column;
  /** What the column must hold, or with `negated` must not hold, as text. */
  readonly words: readonly string[];
  readonly negated: boolean;
  /** Whether NULL will do as well. */
  readonly orNull: boolean;
  /** Whether the words are a rule's, for which a decimal without a fraction is a whole number. */
  readonly isRule: boolean;
}

export function holds({ column, words, negated, orNull, isRule }: HeldWords, dialect: Dialect): SqlCondition {
  const comparison = dialect.compare(column);
  // Bytes that are no text are read as this character, whatever they are.
  if (!comparison || words.some((word) => word.includes('\u{fffd}'))) return ALWAYS;
  const { bind, also, isText } = comparison;
  // No collation may leave out a row that holds another word than these.
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
