import { ALWAYS, type Column, type SqlCondition } from '../../database/columns';
import type { Dialect } from '../../database/Dialect';
import { withDecimals } from './sentinels';

/**
 * Returns the condition under which a row can pass a filter for these values, on the plain columns so that the database
 * can use their indexes. Every row that passes the filter fulfils it. A row that fulfils it but does not pass is left
 * out after it is read, so that neither a collation nor rounding decides what a client gets.
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

/** The words that a column must hold one of. */
interface HeldWords {
  readonly column: Column;
  /** The words, as text. With `negated`, the column must hold none of them. */
  readonly words: readonly string[];
  readonly negated: boolean;
  /** Whether NULL passes, too. */
  readonly orNull: boolean;
  /** Whether the words are those of a rule, for which a decimal without a fraction is a whole number. */
  readonly isRule: boolean;
}

export function holds({ column, words, negated, orNull, isRule }: HeldWords, dialect: Dialect): SqlCondition {
  const comparison = dialect.compare(column);
  // All bytes that are no text are read as this character.
  if (!comparison || words.some((word) => word.includes('\u{fffd}'))) return ALWAYS;
  const { bind, also, isText } = comparison;
  // With `negated`, a collation must not exclude a row that holds another word.
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
