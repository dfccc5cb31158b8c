import type { Knex } from 'knex';
import { ALWAYS, type SqlCondition } from '../database/Comparison';
import type { Dialect } from '../database/Dialect';
import type { Condition } from './Condition';

export const NEVER: SqlCondition = { sql: '1 = 0', bindings: [] };

/** A condition in SQL, with the column as it stands so that its index serves. */
export function conditionSql(condition: Condition, dialect: Dialect): SqlCondition {
  if (condition === 'every') return ALWAYS;
  if (condition === 'none') return NEVER;
  const { column, words, negated, orNull } = condition;
  const { left, right, bind } = dialect.compare(column);
  const values = [...new Set(words)].map(bind).filter((value) => value !== undefined);
  if (values.length === 0 && negated) return ALWAYS;
  const name: Knex.RawBinding = column.name;
  const alternatives: SqlCondition[] = [];
  if (values.length > 0) {
    const list = values.map(() => right).join(', ');
    alternatives.push({ sql: `${left} ${negated ? 'NOT IN' : 'IN'} (${list})`, bindings: [name, ...values] });
  }
  if (orNull) alternatives.push({ sql: '?? IS NULL', bindings: [name] });
  if (alternatives.length === 0) return NEVER;
  return {
    sql: `(${alternatives.map(({ sql }) => sql).join(' OR ')})`,
    bindings: alternatives.flatMap(({ bindings }) => bindings),
  };
}
