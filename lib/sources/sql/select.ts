import type { Knex } from 'knex';
import { type Column, mayExceed, type SqlCondition } from '../../database/columns';
import type { Dialect } from '../../database/Dialect';
import type { Statement } from '../../database/Session';
import { longestOf } from '../chunks';
import { cell, HELD_BACK, keyCell, type RawRow, type RowPlan } from '../mapping/FieldPlan';
import { keyColumns } from './where';

/**
 * Reads at most so many of the rows for which the conditions hold, in the order of their keys. In a read of many rows,
 * values that are too long for that are held back.
 */
export interface RowsSelect {
  statement(conditions: readonly SqlCondition[], most: number): Statement<unknown>;
  /** The rows of what the statement gave. */
  rows(result: unknown): readonly RawRow[];
}

interface SelectParts {
  readonly plan: RowPlan;
  readonly knex: Knex;
  readonly dialect: Dialect;
}

/** A select of what the panel's query gives, which may be another one each time. */
export function querySelect(
  query: () => Knex.QueryBuilder,
  { plan, knex, dialect }: SelectParts,
): RowsSelect {
  return {
    statement(conditions, most) {
      const select = selectPlanned(query(), plan, knex, dialect, longestOf(most)).limit(most);
      for (const { sql, bindings } of conditions)
        select.whereRaw(sql, boundValues({ sql, bindings }, dialect));
      return select;
    },
    rows: (result) => result as readonly RawRow[],
  };
}

/** What a condition binds: names (`??`) as they are, values (`?`) as the dialect binds them. */
function boundValues({ sql, bindings }: SqlCondition, dialect: Dialect): Knex.RawBinding[] {
  const { bind } = dialect;
  if (!bind) return [...bindings];
  const marks = sql.match(/\?\??/g);
  return bindings.map((value, index) => (marks?.[index] === '??' ? value : (bind(value) as Knex.RawBinding)));
}

/** A select of a table, of which only the conditions differ: the rest is compiled here, once. */
export function tableSelect(table: string, { plan, knex, dialect }: SelectParts): RowsSelect {
  const heads = new Map<number | null, string>();
  const headOf = (longest: number | null) => {
    const head =
      heads.get(longest) ??
      knex(table)
        .select(plannedColumns(plan, knex, dialect, longest))
        .toSQL().sql;
    heads.set(longest, head);
    return head;
  };
  const order = keyColumns(plan).map((column) =>
    knex.raw(dialect.compareKey(column).left, [column.name]).toQuery(),
  );
  // knex puts the values in once more for each database, and would take a question mark in a name for one.
  if (`${headOf(null)}${order}`.includes('?')) return querySelect(() => knex(table), { plan, knex, dialect });
  return {
    statement(conditions, most) {
      const where = conditions.map(({ sql }) => sql).join(' AND ');
      return knex.raw(
        `${headOf(longestOf(most))} WHERE ${where || '1 = 1'} ORDER BY ${order.join(', ')} LIMIT ?`,
        [...conditions.flatMap(({ bindings }) => bindings), most],
      );
    },
    rows: (result) => dialect.rows(result),
  };
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
function plannedColumns(
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
