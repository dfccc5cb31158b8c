import type { Database } from '../../database/Database';
import { DatabaseFailure } from '../../database/DatabaseFailure';
import { FALSE_WORDS } from '../../fields';
import { rawText } from '../../fields/raw';
import { splitKeyWords } from '../../masking/credentials';
import type { Finding } from '../findings';
import type { RowPlan } from '../mapping/rowPlan';
import { isGrouped, queryTables, type Relation } from './panelQuery';
import { columnValues } from './select';

const GONE = '(?:deleted|removed|trashed|archived|purged)';
const WHEN = '(?: (?:at|on|date|time|ts|timestamp|datetime|utc))';

/**
 * The words of columns that mark a row as deleted: such a word alone or as a flag, with the time, and with the time after
 * the name of the row. Counts, authors, reasons, plans to delete, and what else is deleted are no marks.
 */
const MARK = new RegExp(
  `^(?:(?:is|was|soft|date|time) ?)*${GONE}(?: flag|${WHEN})*$|^(?:is|in) trash$|^del ?flag$` +
    `|^(?<of>.+) ${GONE}${WHEN}+$`,
);

/** What may be deleted of a row that stays, and words of plans. */
const OTHERS = new Set(
  'auto avatar backup cache cert certificate content data dn file first image key last log mail next old password session snapshot ssl token trial'.split(
    ' ',
  ),
);

/** How many different marks are read. */
const MOST_MARKS = 1000;

/** Warns of rows that a column of a table marks as deleted, if the list's source does not read this column. */
export async function deletedRows(
  plan: RowPlan,
  field: string,
  { resource, database, relation }: { resource: string; database: Database; relation: Relation },
): Promise<readonly Finding[]> {
  const { table, query, knex, dialect } = relation;
  if (isGrouped(query())) return [];
  const sent = query().toSQL().sql;
  const read = new Set([...plan.where.keys(), ...plan.columns.map(({ name }) => name)]);
  const tables = table === null ? queryTables(query()) : [];
  const aliases = tables.map(({ alias }) => `${alias}.`);
  const names = [resource, table ?? '', ...tables.map((one) => one.table ?? '')];
  const rowNames = new Set(names.flatMap(splitKeyWords).map(singular));
  const findings: Finding[] = [];
  // Raw SQL names no table.
  for (const prefix of aliases.length > 0 ? aliases : ['']) {
    // Columns that the user may not read say nothing.
    const columns = await database
      .query(`${resource}.columns`, () => dialect.describe(query().select(`${prefix}*`).limit(0)))
      .catch(nothing);
    for (const mark of columns) {
      const column = { ...mark, name: prefix + mark.name };
      const isSeen = sent.includes(mark.name) || read.has(mark.name) || read.has(column.name);
      if (isSeen || !isMark(mark.name, rowNames)) continue;
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
      const sentence = `The column ${column.name} marks ${deleted} of ${all} rows as deleted, and the source does not look at it: leave them out with a \`where\` on ${column.name}.`;
      findings.push({ code: 'deleted_rows', field, sentence });
    }
  }
  return findings;
}

function isMark(column: string, rowNames: ReadonlySet<string>): boolean {
  const mark = MARK.exec(splitKeyWords(column).join(' '));
  const { of } = mark?.groups ?? {};
  const words = (of ?? '').split(' ').map(singular);
  return mark !== null && words.every((word) => rowNames.has(word) || !OTHERS.has(word));
}

const singular = (word: string) => word.replace(/(?<!s)s$/, '');

function isSet(raw: unknown): boolean {
  const text = rawText(raw)?.trim().toLowerCase() ?? '';
  return !FALSE_WORDS.has(text) && !/^0000-00-00|^\0$/.test(text);
}

export function nothing(error: unknown): readonly never[] {
  if (error instanceof DatabaseFailure) return [];
  throw error;
}
