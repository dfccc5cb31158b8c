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
  { filters, ranges }: Pick<RowsQuery, 'filters' | 'ranges'>,
  dialect: Dialect,
): readonly SqlCondition[] {
  const fieldOf = (name: string) => plan.fields.find((one) => one.name === name) ?? gone();
  const asked = [...filters].map(([name, wanted]) => fieldOf(name).pushDown?.(wanted, dialect) ?? ALWAYS);
  const within = [...ranges].map(([name, bounds]) => fieldOf(name).range?.(bounds, dialect) ?? ALWAYS);
  return [...asked, ...within];
}

function gone(): never {
  throw new ApiError('resource_unavailable');
}
