import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Knex } from 'knex';
import { ALWAYS } from '../../database/columns';
import { createReadContext } from '../../fields/Field';
import { DAY_SECONDS } from '../../time/time';
import { ROWS_PER_TURN } from '../chunks';
import type { RawRow } from '../mapping/FieldPlan';
import { fieldsFor, type RowPlan } from '../mapping/rowPlan';
import { rowReader } from '../rowReader';
import type { Group, GroupsQuery } from '../Source';
import { isGrouped, type Relation } from './panelQuery';
import { timeColumn } from './sectionsOfOrders';
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
  const statement = selectGroups(relation, plan, query);
  const rows = statement && (await send(statement));
  const [times, summed] = [query.latest, query.sums].map((names) =>
    names.map((name) => plan.fields.get(name)),
  );
  // The latest of them may be a value that means null.
  const isNone = (row: RawRow) =>
    times?.some((time, index) => String(row[`h${index}`]) === '1' && time?.isNone?.(row[time.cell ?? '']));
  if (!rows || rows.length > MOST_GROUPS || rows.some(isNone)) return null;
  const read = rowReader(fieldsFor(plan, [...query.fields, ...query.latest]));
  const context = createReadContext();
  const sumOf = (row: RawRow, index: number) =>
    BigInt(String(row[`s${index}`] ?? 0)) * BigInt(summed?.[index]?.sum?.factor ?? 1);
  const groups: Group[] = [];
  for (const row of rows) {
    // Other requests get their turn.
    if (groups.length % ROWS_PER_TURN === ROWS_PER_TURN - 1) await nextTurn();
    const sums = Object.fromEntries(query.sums.map((name, index) => [name, sumOf(row, index)]));
    groups.push({ item: read(row, context), rows: Number(row[ROWS]), sums });
  }
  return groups;
}

/** Returns the statement that counts the rows of each group; null if SQL cannot tell the groups apart. */
function selectGroups(relation: Relation, plan: RowPlan, query: GroupsQuery): Knex.QueryBuilder | null {
  const { knex, dialect } = relation;
  const statement = relation.query();
  // Such a query would return groups of each of its groups.
  if (isGrouped(statement)) return null;
  const select = (sql: string, column: string) =>
    statement.select(knex.raw(sql, Array(sql.match(/\?\?/g)?.length).fill(column)));
  const apart = new Set(fieldsFor(plan, query.fields).flatMap(({ columns }) => columns));
  for (const column of apart) select(`${dialect.groupSql(column)} AS ${column.cell}`, column.name);
  for (const [index, name] of query.latest.entries()) {
    const time = plan.fields.get(name);
    const given = time?.range?.(DATES, dialect);
    // A condition that always holds says nothing.
    if (!time?.column || !given || given.sql.includes(ALWAYS.sql)) return null;
    const has = {
      sql: `CASE WHEN ?? IS NULL THEN 0 WHEN ${given.sql} THEN 1 END AS h${index}`,
      bindings: [time.column.name, ...given.bindings],
    };
    statement.select(knex.raw(has.sql, boundValues(has, dialect)));
  }
  for (const [index, name] of query.sums.entries()) {
    const { sum } = plan.fields.get(name) ?? {};
    if (!sum || !dialect.sumsIntegers) return null;
    const isNone = sum.none.length > 0 ? ` AND ?? NOT IN (${sum.none.join(', ')})` : '';
    select(`SUM(CASE WHEN ?? >= 0${isNone} THEN ?? END) AS s${index}`, sum.column.name);
  }
  // A field of the group may be read from the same column, such as the status of a certificate.
  const selected = new Set([...apart].map(({ cell }) => cell));
  for (const name of query.latest) {
    const time = timeColumn(name, plan, dialect);
    if (typeof time === 'string') return null;
    if (selected.has(time.cell)) continue;
    selected.add(time.cell);
    select(`${dialect.selectSql(time.column).replaceAll('??', 'MAX(??)')} AS ${time.cell}`, time.column.name);
  }
  statement.select(knex.raw(`COUNT(*) AS ${ROWS}`)).limit(MOST_GROUPS + 1);
  const positions = [...apart, ...query.latest].map((_, index) => index + 1);
  if (positions.length > 0) statement.groupByRaw(positions.join(', '));
  for (const condition of wantedConditions(plan, query, dialect))
    statement.whereRaw(condition.sql, boundValues(condition, dialect));
  return statement;
}

const ROWS = 'n0';

/** Times that every database can compare with, in seconds. */
const DATES = { from: 2 * DAY_SECONDS, to: Date.UTC(9998) / 1000 };
