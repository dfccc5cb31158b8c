import type { Database } from '../../database/Database';
import { DatabaseFailure } from '../../database/DatabaseFailure';
import { FALSE_WORDS } from '../../fields';
import { rawText } from '../../fields/raw';
import type { Finding } from '../findings';
import type { RowPlan } from '../mapping/rowPlan';
import { isGrouped, queryTables, type Relation } from './panelQuery';
import { columnValues } from './select';

/** Names of columns that mark a row as deleted. */
const MARK =
  /^(?:is_?)?(?:soft_?)?(?:deleted|trashed|removed)(?:_?(?:at|on|date|time|flag))?$|^(?:date|time)_?deleted$/i;

/** How many different marks are read. */
const MOST_MARKS = 1000;

/** Warns of rows that a column of the list's own table marks as deleted, if its source does not read this column. */
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
    const column = { ...mark, name: prefix + mark.name };
    const marked = () =>
      knex
        .select(knex.raw('c0, COUNT(*) AS n0'))
        .from(columnValues(relation, plan, column, false))
        .groupBy('c0')
        .limit(MOST_MARKS);
    const rows = await database.query(`${resource}.deleted`, marked).catch(nothing);
    const count = (some: readonly Record<string, unknown>[]) =>
      some.reduce((sum, { n0 }) => sum + Number(n0), 0);
    const [all, deleted] = [count(rows), count(rows.filter(({ c0 }) => isSet(c0)))];
    if (deleted === 0 || deleted === all) continue;
    const sentence = `The column ${column.name} marks ${deleted} of ${all} rows as deleted, and the source does not look at it: leave them out with a \`query\` that has a condition on ${column.name}.`;
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
