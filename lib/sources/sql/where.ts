import { ALWAYS, type SqlCondition } from '../../database/columns';
import type { Dialect } from '../../database/Dialect';
import { ApiError } from '../../errors/ApiError';
import type { RowPlan } from '../mapping/FieldPlan';
import type { RowsQuery } from '../Source';

/**
 * Returns the conditions that hold for every row of the query, on the panel's own columns. Throws ApiError
 * `resource_unavailable` if the column of a filter was removed after the parameters were checked.
 */
export function wantedConditions(
  plan: RowPlan,
  query: Pick<RowsQuery, 'filters' | 'updatedSince'>,
  dialect: Dialect,
): readonly SqlCondition[] {
  const { filters, updatedSince } = query;
  const asked = [...filters].map(([name, wanted]) => {
    const field = plan.fields.find((one) => one.name === name) ?? gone();
    return field.pushDown?.(wanted, dialect) ?? ALWAYS;
  });
  const changes = updatedSince === null ? null : (plan.changes ?? gone());
  const since =
    changes === null || updatedSince === null || updatedSince <= 0
      ? []
      : [dialect.since({ ...changes.column, ...changes }, updatedSince)];
  return [...asked, ...since];
}

function gone(): never {
  throw new ApiError('resource_unavailable');
}
