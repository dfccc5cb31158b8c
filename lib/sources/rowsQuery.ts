import type { Knex } from 'knex';
import { type Column, mayExceed, type SqlCondition } from '../database/columns';
import type { Dialect } from '../database/Dialect';
import { ApiError } from '../errors/ApiError';
import { conditionSql } from './conditionSql';
import { keyConditions } from './keyConditions';
import { cell, HELD_BACK, keyCell } from './plan/cell';
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
  longest?: number | null,
): Knex.QueryBuilder {
  for (const column of keyColumns(plan)) query.orderByRaw(dialect.compareKey(column).left, [column.name]);
  return query.select(plannedColumns(plan, knex, dialect, longest));
}

/**
 * The columns of the plan, as a select names them. A value of more than `longest` bytes is held back, unless it belongs to
 * the key, and the row says so.
 */
export function plannedColumns(
  plan: RowPlan,
  knex: Knex,
  dialect: Dialect,
  longest: number | null = null,
): Knex.Raw[] {
  const isHeld = (column: Column, index: number) =>
    longest !== null && mayExceed(column, longest) && !plan.key.includes(index);
  const tooLong = `${dialect.lengthSql} > ${longest}`;
  const keys = plan.key.flatMap((position) => {
    const column = plan.columns[position] as Column;
    const { keySql } = dialect.compareKey(column);
    return keySql === undefined ? [] : [knex.raw(`${keySql} AS ${keyCell(position)}`, [column.name])];
  });
  const columns = plan.columns.map((column, index) => {
    const sql = dialect.selectSql(column);
    // Names that the handle must not rewrite.
    return isHeld(column, index)
      ? knex.raw(`CASE WHEN ${tooLong} THEN NULL ELSE ${sql} END AS ${cell(index)}`, [
          column.name,
          column.name,
        ])
      : knex.raw(`${sql} AS ${cell(index)}`, [column.name]);
  });
  const held = plan.columns.filter(isHeld).map(({ name }) => name);
  const saysSo = `CASE WHEN ${held.map(() => tooLong).join(' OR ')} THEN 1 END AS ${HELD_BACK}`;
  return [...columns, ...keys, ...(held.length > 0 ? [knex.raw(saysSo, held)] : [])];
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
