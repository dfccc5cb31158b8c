import type { Column, SqlCondition } from '../database/columns';
import type { Dialect } from '../database/Dialect';
import type { Key } from './Source';
import { UnreadableRow } from './UnreadableRow';

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
