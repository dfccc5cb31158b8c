import type { Database } from '../../database/Database';
import { DatabaseFailure } from '../../database/DatabaseFailure';
import { FALSE_WORDS } from '../../fields';
import { rawText } from '../../fields/raw';
import type { Finding } from '../findings';
import type { RowPlan } from '../mapping/FieldPlan';
import { keyColumns } from './ordering';
import { isGrouped, queryTables, type Relation } from './panelQuery';

/** Names of columns that mark a row as deleted. */
const MARK =
  /^(?:is_?)?(?:soft_?)?(?:deleted|trashed|removed)(?:_?(?:at|on|date|time|flag))?$|^(?:date|time)_?deleted$/i;

/** How many of the newest rows are read, and how many different marks. */
const MOST_ROWS = 10_000;
const MOST_MARKS = 1000;

/** Warns of rows that a column of the list's own table marks as deleted, if its source does not look at this column. */
export async function deletedRows(
  plan: RowPlan,
  field: string,
  { resource, database, relation }: { resource: string; database: Database; relation: Relation },
): Promise<readonly Finding[]> {
  const { query, knex, dialect } = relation;
  const [table] = queryTables(query());
  if (!table || isGrouped(query())) return [];
  const prefix = relation.table === null ? `${table.alias}.` : '';
  const sent = query().toSQL().sql;
  const isSeen = (name: string) =>
    sent.includes(name) || plan.columns.some((column) => column.name === prefix + name);
  // Columns that the user may not read say nothing.
  const columns = await database
    .query(`${resource}.columns`, () => dialect.describe(query().select(`${prefix}*`).limit(0)))
    .catch(nothing);
  const marks = columns.filter(({ name }) => MARK.test(name) && !isSeen(name));
  const findings: Finding[] = [];
  for (const mark of marks) {
    const reference = prefix + mark.name;
    const rows = await database
      .query(`${resource}.deleted`, () => {
        const newest = query().select(knex.raw(`${dialect.selectSql(mark)} AS c0`, [reference]));
        for (const key of keyColumns(plan)) newest.orderBy(key.name, 'desc');
        return knex
          .select(knex.raw('c0, COUNT(*) AS n0'))
          .from(newest.limit(MOST_ROWS).as('t'))
          .groupBy('c0')
          .limit(MOST_MARKS);
      })
      .catch(nothing);
    const count = (some: readonly Record<string, unknown>[]) =>
      some.reduce((sum, { n0 }) => sum + Number(n0), 0);
    const [all, deleted] = [count(rows), count(rows.filter(({ c0 }) => isSet(c0)))];
    if (deleted === 0 || deleted === all) continue;
    const sentence = `The column ${reference} marks ${deleted} of ${all} rows as deleted, and the source does not look at it: leave them out with a \`query\` that has a condition on ${reference}.`;
    findings.push({ code: 'deleted_rows', field, sentence });
  }
  return findings;
}

function isSet(raw: unknown): boolean {
  const text = rawText(raw)?.trim().toLowerCase() ?? '';
  return !FALSE_WORDS.has(text) && !/^0000-00-00|^\0$/.test(text);
}

function nothing(error: unknown): readonly never[] {
  if (error instanceof DatabaseFailure) return [];
  throw error;
}
