import type { Database } from '../../database/Database';
import type { Finding } from '../findings';
import type { RowPlan } from '../mapping/rowPlan';
import { nothing } from './deletedRows';
import { isGrouped, queryTables, type Relation } from './panelQuery';
import { boundValues } from './select';

/** A join that drops a greater share of the rows is meant as a condition. */
const MOST_DROPPED = 0.25;

const INNER_JOIN = /(?<!\b(?:left|right|full|outer|cross|natural)\s+)\b(?:inner\s+)?join\b/gi;

/**
 * Warns of rows of the key's table for which an inner join finds no row. Those that a condition leaves out are meant: the
 * query is counted as it is, and with outer joins in place of its inner ones.
 */
export async function droppedRows(
  plan: RowPlan,
  field: string,
  { resource, database, relation }: { resource: string; database: Database; relation: Relation },
): Promise<readonly Finding[]> {
  const { query, knex, dialect } = relation;
  const [key] = plan.key;
  const select = query();
  if (!key || isGrouped(select)) return [];
  select.select(knex.raw('COUNT(??) AS n0', [key.name]));
  for (const condition of plan.where.values())
    select.whereRaw(condition.sql, boundValues(condition, dialect));
  const { sql, bindings } = select.toSQL();
  // Joins in the conditions choose rows, too.
  const [joins = '', ...conditions] = sql.split(/(?=\bwhere\b)/i);
  const joined = (side: string) => [joins.replace(INNER_JOIN, `${side} join`), ...conditions].join('');
  if (joined('left') === sql || sql.split('?').length !== bindings.length + 1) return [];
  const count = async (statement: string): Promise<number> => {
    const sent = database.query(`${resource}.dropped`, () => knex.raw(statement, [...bindings]));
    return Number((await sent.then(dialect.rows, nothing))[0]?.n0 ?? 0);
  };
  const kept = await count(sql);
  const whole = Math.max(await count(joined('left')), await count(joined('right')));
  if (whole <= kept || whole - kept > whole * MOST_DROPPED) return [];
  const table = queryTables(query()).find(({ alias }) => key.name.startsWith(`${alias}.`))?.table;
  const [, first] = /\bfrom\s+[`"]?([\w.]+)/i.exec(joins) ?? [];
  const sentence = `The list has ${kept} of ${whole} rows of ${table ?? first}, because a join finds nothing for the others: use a left join, or leave them out with a condition.`;
  return [{ code: 'dropped_rows', field, sentence }];
}
