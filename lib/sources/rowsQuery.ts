import type { Knex } from 'knex';
import type { Column } from '../database/Column';
import type { SqlCondition } from '../database/Comparison';
import type { Dialect } from '../database/Dialect';
import { ApiError } from '../errors/ApiError';
import { conditionSql } from './conditionSql';
import { keyConditions } from './keyConditions';
import { cell, keyCell } from './plan/cell';
import type { RowPlan } from './plan/RowPlan';
import type { RowsQuery } from './Source';

/** The columns of the key, in its order. */
export function keyColumns({ key, columns }: RowPlan): readonly Column[] {
  return key.map((position) => columns[position] as Column);
}

/** Makes the panel's query give the columns of the plan as `c0`, `c1` …, in the order of the key. */
export function selectPlanned(
  query: Knex.QueryBuilder,
  plan: RowPlan,
  knex: Knex,
  dialect: Dialect,
): Knex.QueryBuilder {
  for (const column of keyColumns(plan)) query.orderByRaw(dialect.compareKey(column).left, [column.name]);
  return query.select(plannedColumns(plan, knex, dialect));
}

/** The columns of the plan, as a select names them. */
export function plannedColumns(plan: RowPlan, knex: Knex, dialect: Dialect): Knex.Raw[] {
  const keys = plan.key.flatMap((position) => {
    const column = plan.columns[position] as Column;
    const { keySql } = dialect.compareKey(column);
    return keySql === undefined ? [] : [knex.raw(`${keySql} AS ${keyCell(position)}`, [column.name])];
  });
  const columns = plan.columns.map((column, index) =>
    // A name that the handle must not rewrite.
    knex.raw(`${dialect.selectSql(column)} AS ${cell(index)}`, [column.name]),
  );
  return [...columns, ...keys];
}

/**
 * What holds for every row that is asked for, in the panel's own columns. Throws ApiError `resource_unavailable` where
 * what was asked for, and was there when that was checked, has gone with its column.
 */
export function wantedConditions(
  plan: RowPlan,
  query: Pick<RowsQuery, 'filters' | 'updatedSince' | 'after'>,
  dialect: Dialect,
): readonly SqlCondition[] {
  const { filters, updatedSince, after } = query;
  const asked = [...filters].map(([name, wanted]) => {
    const field = plan.fields.find((one) => one.name === name) ?? gone();
    return conditionSql(field.narrow?.(wanted) ?? 'every', dialect);
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
