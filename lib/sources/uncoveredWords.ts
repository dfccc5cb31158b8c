import type { Knex } from 'knex';
import type { Database } from '../database/Database';
import { DatabaseFailure } from '../database/DatabaseFailure';
import { printable } from '../text/printable';
import { FIRST_ROWS, meanLength, nextRows } from './chunkRows';
import type { RawRow, RowPlan, Translation } from './plan/RowPlan';
import { keyColumns } from './rowsQuery';

/** How many of the newest rows a look at some of them takes. */
const SOME_ROWS = 10_000;

const MOST_FOUND = 1000;
const MOST_SHOWN = 5;
const LONGEST_SHOWN = 40;

/** Says which words of the panel's columns no rule translates, in all rows or in the newest. */
export async function uncoveredWords(
  plan: RowPlan,
  depth: 'all' | 'some',
  {
    database,
    resource,
    knex,
    query,
  }: { database: Database; resource: string; knex: Knex; query: () => Knex.QueryBuilder },
): Promise<readonly string[]> {
  const sentences = await Promise.all(
    plan.translations.map(async (translation) => {
      const { column } = translation;
      const read = (most: number): Promise<readonly RawRow[]> =>
        database.query(`${resource}.words`, () => {
          const words = query().select(
            knex.raw(`${database.dialect.selectSql(column)} AS c0`, [column.name]),
          );
          if (depth === 'some') {
            for (const key of keyColumns(plan)) words.orderBy(key.name, 'desc');
            words.limit(SOME_ROWS);
          }
          return knex.distinct(knex.raw('c0')).from(words.as('t')).limit(most);
        });
      const rows = await readWords(read).catch((error) => sayUnread(translation, error));
      if (typeof rows === 'string') return [rows];
      const words = rows.map(({ c0 }) => c0).filter((word) => !translation.covers(word));
      return words.length > 0 ? [sentence(translation, words)] : [];
    }),
  );
  return sentences.flat();
}

/** Reads few words, and then as many as may be read at once if they are as long. */
async function readWords(read: (most: number) => Promise<readonly RawRow[]>): Promise<readonly RawRow[]> {
  const words = await read(FIRST_ROWS);
  const most = nextRows({ limit: MOST_FOUND }, MOST_FOUND, meanLength(words));
  return words.length < FIRST_ROWS || most <= FIRST_ROWS ? words : read(most);
}

/** A column without an index may take longer to look through than a query may last. */
function sayUnread({ column }: Translation, error: unknown): string {
  if (!(error instanceof DatabaseFailure)) throw error;
  return `The words of the column ${column.name} could not be looked through (${error.code}).`;
}

function sentence({ field, column, isOpen }: Translation, words: readonly unknown[]): string {
  if (isOpen) {
    return `The column ${column.name} holds ${words.length} words that no rule of the field ${field} covers.`;
  }
  const shown = words.slice(0, MOST_SHOWN).map((word) => `"${printable(String(word), LONGEST_SHOWN)}"`);
  const more = words.length > MOST_SHOWN ? ` and ${words.length - MOST_SHOWN} more` : '';
  return `The column ${column.name} holds ${shown.join(', ')}${more}, which no rule of the field ${field} covers.`;
}
