import { ALWAYS, type Column, type SqlCondition } from '../../database/columns';
import type { Dialect } from '../../database/Dialect';
import type { ColumnCondition, Condition } from '../mapping/FieldPlan';
import { withDecimals } from '../mapping/sentinels';
import { type Key, UnreadableRow } from '../Source';

const NEVER: SqlCondition = { sql: '1 = 0', bindings: [] };

/** A condition in SQL, with the columns as they stand so that their indexes serve. */
export function conditionSql(condition: Condition, dialect: Dialect): SqlCondition {
  if (condition === 'every') return ALWAYS;
  if (condition === 'none') return NEVER;
  if ('any' in condition) return joined(condition.any, ' OR ', NEVER, dialect);
  if ('all' in condition) return joined(condition.all, ' AND ', ALWAYS, dialect);
  return columnSql(condition, dialect);
}

function joined(
  conditions: readonly Condition[],
  by: string,
  none: SqlCondition,
  dialect: Dialect,
): SqlCondition {
  const parts = conditions.map((condition) => conditionSql(condition, dialect));
  if (parts.length === 0) return none;
  return {
    sql: `(${parts.map(({ sql }) => sql).join(by)})`,
    bindings: parts.flatMap(({ bindings }) => bindings),
  };
}

function columnSql(
  { column, words, negated, orNull, isRule }: ColumnCondition,
  dialect: Dialect,
): SqlCondition {
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
  const alternatives: SqlCondition[] = [];
  if (values.length > 0) {
    const list = values.map(() => right).join(', ');
    alternatives.push({
      sql: `${left} ${negated ? 'NOT IN' : 'IN'} (${list})`,
      bindings: [column.name, ...values],
    });
  }
  if (orNull) alternatives.push({ sql: '?? IS NULL', bindings: [column.name] });
  if (alternatives.length === 0) return NEVER;
  return {
    sql: `(${alternatives.map(({ sql }) => sql).join(' OR ')})`,
    bindings: alternatives.flatMap(({ bindings }) => bindings),
  };
}

/**
 * What holds for the rows behind a key. The first condition on the first column alone lets its index serve where the
 * key has several.
 */
export function keyConditions(
  columns: readonly Column[],
  key: Key,
  dialect: Dialect,
): readonly SqlCondition[] {
  const terms = columns.map((column, index) => {
    const { left, right, bind } = dialect.compareKey(column);
    const value = bind(key[index] ?? '');
    if (value === undefined) throw new UnreadableRow('id');
    return (operator: string): SqlCondition => ({
      sql: `${left} ${operator} ${right}`,
      bindings: [column.name, value],
    });
  });
  const [first] = terms;
  if (!first) return [];
  return terms.length === 1 ? [first('>')] : [first('>='), behind(terms)];
}

type Term = (operator: string) => SqlCondition;

function behind([first, ...rest]: readonly Term[]): SqlCondition {
  if (!first) return { sql: '1 = 0', bindings: [] };
  const greater = first('>');
  if (rest.length === 0) return greater;
  const equal = first('=');
  const below = behind(rest);
  return {
    sql: `(${greater.sql} OR (${equal.sql} AND ${below.sql}))`,
    bindings: [...greater.bindings, ...equal.bindings, ...below.bindings],
  };
}
