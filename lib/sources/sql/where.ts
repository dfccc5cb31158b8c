import { ALWAYS, type Column, type SqlCondition } from '../../database/columns';
import type { Dialect } from '../../database/Dialect';
import { ApiError } from '../../errors/ApiError';
import { allOf, anyOf, NEVER } from '../mapping/conditions';
import type { RowPlan } from '../mapping/FieldPlan';
import { type Key, type RowsQuery, UnreadableRow } from '../Source';

/**
 * Returns the conditions that hold for every row of the query, on the panel's own columns. Throws ApiError
 * `resource_unavailable` if the column of a filter was removed after the parameters were checked.
 */
export function wantedConditions(
  plan: RowPlan,
  query: Pick<RowsQuery, 'filters' | 'updatedSince' | 'after'>,
  dialect: Dialect,
): readonly SqlCondition[] {
  const { filters, updatedSince, after } = query;
  const asked = [...filters].map(([name, wanted]) => {
    const field = plan.fields.find((one) => one.name === name) ?? gone();
    return field.pushDown?.(wanted, dialect) ?? ALWAYS;
  });
  const changes = updatedSince === null ? null : (plan.changes ?? gone());
  const since =
    changes === null || updatedSince === null || updatedSince <= 0
      ? []
      : [dialect.since({ ...changes.column, ...changes }, updatedSince)];
  return [...asked, ...since, ...(after ? keyConditions(keyColumns(plan), after, dialect) : [])];
}

function gone(): never {
  throw new ApiError('resource_unavailable');
}

/** Returns the columns of the key, in its order. */
export function keyColumns({ key, columns }: RowPlan): readonly Column[] {
  return key.map((position) => columns[position] as Column);
}

/**
 * Returns the conditions of the rows after a key. If the key has several columns, the condition on the first column
 * alone lets the database use its index.
 */
function keyConditions(columns: readonly Column[], key: Key, dialect: Dialect): readonly SqlCondition[] {
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
  return terms.length === 1 ? [first('>')] : [first('>='), afterKey(terms)];
}

type Term = (operator: string) => SqlCondition;

function afterKey([first, ...rest]: readonly Term[]): SqlCondition {
  if (!first) return NEVER;
  return rest.length === 0 ? first('>') : anyOf([first('>'), allOf([first('='), afterKey(rest)])]);
}
