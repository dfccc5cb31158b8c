import { ALWAYS, anyOf, NEVER, type SqlCondition } from '../../database/columns';
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
  { filters, ranges, search }: Pick<RowsQuery, 'filters' | 'ranges' | 'search'>,
  dialect: Dialect,
): readonly SqlCondition[] {
  const fieldOf = (name: string) => plan.fields.find((one) => one.name === name) ?? gone();
  const asked = [...filters].map(([name, wanted]) => fieldOf(name).pushDown?.(wanted, dialect) ?? ALWAYS);
  const within = [...ranges].map(([name, bounds]) => fieldOf(name).range?.(bounds, dialect) ?? ALWAYS);
  const found = search?.fields.map(
    (name) => plan.fields.find((one) => one.name === name)?.search?.(search.text, dialect) ?? NEVER,
  );
  return [...asked, ...within, ...(found ? [anyOf(found)] : [])];
}

function gone(): never {
  throw new ApiError('resource_unavailable');
}
