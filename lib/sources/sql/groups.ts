import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Knex } from 'knex';
import { ALWAYS } from '../../database/columns';
import { createReadContext } from '../../fields/Field';
import { DAY_SECONDS } from '../../time/time';
import { ROWS_PER_TURN } from '../chunks';
import { cell, type RawRow, type RowPlan } from '../mapping/FieldPlan';
import { fieldsFor } from '../mapping/rowPlan';
import { rowReader } from '../rowReader';
import type { Group, GroupsQuery } from '../Source';
import { timeColumn } from './ordering';
import { isGrouped, type Relation } from './panelQuery';
import { boundValues, wantedConditions } from './select';

/** The most groups that are worth it: of more, reading the rows shows as much. */
const MOST_GROUPS = 10_000;

/**
 * Reads the groups of a query's rows; null if there are too many, or if only reading the rows shows them. Rows are told
 * apart by every column that the fields are read from, so that a group is read like a row, and matches a filter or not as
 * a whole, and by which of the times they have.
 */
export async function readGroups(
  relation: Relation,
  plan: RowPlan,
  query: GroupsQuery,
  send: (statement: Knex.QueryBuilder) => Promise<readonly RawRow[]>,
): Promise<readonly Group[] | null> {
  const { knex, dialect } = relation;
  const statement = relation.query();
  // Such a query would return groups of each of its groups.
  if (isGrouped(statement)) return null;
  const fields = fieldsFor(plan, [...query.fields, ...query.latest]);
  const sums = query.sums.map((name) => plan.fields.find((field) => field.name === name)?.sum);
  const selects = (sql: string, name: string) => knex.raw(sql, Array(sql.match(/\?\?/g)?.length).fill(name));
  const positions = [...new Set(fieldsFor(plan, query.fields).flatMap((field) => field.positions))];
  for (const position of positions) {
    const column = plan.columns[position];
    if (column) statement.select(selects(`${dialect.groupSql(column)} AS ${cell(position)}`, column.name));
  }
  const times = query.latest.map((name) => plan.fields.find((field) => field.name === name));
  for (const [index, time] of times.entries()) {
    const given = time?.range?.(DATES, dialect);
    // A condition that always holds says nothing.
    if (!time?.column || !given || given.sql.includes(ALWAYS.sql)) return null;
    const has = {
      sql: `CASE WHEN ?? IS NULL THEN 0 WHEN ${given.sql} THEN 1 END AS h${index}`,
      bindings: [time.column.name, ...given.bindings],
    };
    statement.select(knex.raw(has.sql, boundValues(has, dialect)));
  }
  for (const [index, sum] of sums.entries()) {
    if (!sum || !dialect.sumsIntegers) return null;
    const { column, none } = sum;
    const isNone = none.length > 0 ? ` AND ?? NOT IN (${none.join(', ')})` : '';
    statement.select(selects(`SUM(CASE WHEN ?? >= 0${isNone} THEN ?? END) AS s${index}`, column.name));
  }
  // A field of the group may be read from the same column, such as the status of a certificate.
  const selected = new Set(positions);
  for (const name of query.latest) {
    const time = timeColumn(name, plan, dialect);
    if (typeof time === 'string') return null;
    if (selected.has(time.position)) continue;
    selected.add(time.position);
    const sql = dialect.selectSql(time.column).replaceAll('??', 'MAX(??)');
    statement.select(selects(`${sql} AS ${cell(time.position)}`, time.column.name));
  }
  statement.select(knex.raw(`COUNT(*) AS ${ROWS}`)).limit(MOST_GROUPS + 1);
  const apart = [...positions, ...query.latest].map((_, index) => index + 1);
  if (apart.length > 0) statement.groupByRaw(apart.join(', '));
  for (const condition of wantedConditions(plan, query, dialect))
    statement.whereRaw(condition.sql, boundValues(condition, dialect));
  const rows = await send(statement);
  // The latest of them may be a value that means null.
  const isNone = (row: RawRow) =>
    times.some((time, index) => String(row[`h${index}`]) === '1' && time?.isNone?.(row[time.cell ?? '']));
  if (rows.length > MOST_GROUPS || rows.some(isNone)) return null;
  const read = rowReader(fields);
  const context = createReadContext();
  const sumOf = (row: RawRow, index: number) =>
    BigInt(String(row[`s${index}`] ?? 0)) * BigInt(sums[index]?.factor ?? 1);
  const groups: Group[] = [];
  for (const row of rows) {
    // Other requests get their turn.
    if (groups.length % ROWS_PER_TURN === ROWS_PER_TURN - 1) await nextTurn();
    const item = read(row, context);
    const summed = Object.fromEntries(query.sums.map((name, index) => [name, sumOf(row, index)]));
    groups.push({ item, rows: Number(row[ROWS]), sums: summed });
  }
  return groups;
}

const ROWS = 'n0';

/** Times that every database can compare with, in seconds. */
const DATES = { from: 2 * DAY_SECONDS, to: Date.UTC(9998) / 1000 };
