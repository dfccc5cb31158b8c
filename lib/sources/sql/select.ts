import type { Knex } from 'knex';
import { type Column, mayExceed, type SqlCondition } from '../../database/columns';
import type { Dialect } from '../../database/Dialect';
import type { Statement } from '../../database/Statement';
import { longestOf } from '../chunks';
import { cell, HELD_BACK, keyCell, type RawRow, type RowPlan } from '../mapping/FieldPlan';
import type { Relation } from './panelQuery';
import { keyColumns } from './where';

/**
 * Reads at most so many of the rows for which the conditions hold, in the order of their keys. In a read of many rows,
 * values that are too long for that are held back.
 */
export interface RowsSelect {
  statement(conditions: readonly SqlCondition[], most: number): Statement<unknown>;
  /** The rows in the statement's result. */
  rows(result: unknown): readonly RawRow[];
}

/** The select of a plan's columns. */
export function rowsSelect(relation: Relation, plan: RowPlan): RowsSelect {
  return relation.table === null ? querySelect(relation, plan) : tableSelect(relation.table, relation, plan);
}

function querySelect(relation: Relation, plan: RowPlan): RowsSelect {
  return {
    statement(conditions, most) {
      const select = selectPlanned(relation, plan, longestOf(most)).limit(most);
      for (const condition of conditions)
        select.whereRaw(condition.sql, boundValues(condition, relation.dialect));
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
function tableSelect(table: string, relation: Relation, plan: RowPlan): RowsSelect {
  const { knex, dialect } = relation;
  const heads = new Map<number | null, string>();
  const headOf = (longest: number | null) => {
    const head =
      heads.get(longest) ??
      knex(table)
        .select(plannedColumns(relation, plan, longest))
        .toSQL().sql;
    heads.set(longest, head);
    return head;
  };
  const order = keyColumns(plan).map((column) =>
    knex.raw(dialect.compareKey(column).left, [column.name]).toQuery(),
  );
  // knex puts the values in once more for each database, and would take a question mark in a name for one.
  if (`${headOf(null)}${order}`.includes('?')) return querySelect(relation, plan);
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

/** Selects the columns of the plan as `c0`, `c1` …, in the order of the key. */
export function selectPlanned(
  relation: Relation,
  plan: RowPlan,
  longest: number | null = null,
): Knex.QueryBuilder {
  const query = relation.query();
  for (const column of keyColumns(plan))
    query.orderByRaw(relation.dialect.compareKey(column).left, [column.name]);
  return query.select(plannedColumns(relation, plan, longest));
}

/**
 * The columns of the plan, as a select names them. A value of more than `longest` bytes is held back, unless it belongs to
 * the key, and the row says so.
 */
function plannedColumns({ knex, dialect }: Relation, plan: RowPlan, longest: number | null): Knex.Raw[] {
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
