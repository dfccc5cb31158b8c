import { ignoresCase } from '../../database/columns';
import type { Database } from '../../database/Database';
import { DatabaseFailure } from '../../database/DatabaseFailure';
import { printable } from '../../errors/printable';
import { rawText } from '../../fields/raw';
import { readSome } from '../chunks';
import type { Finding } from '../findings';
import type { RawRow, RowPlan, Translation } from '../mapping/FieldPlan';
import { spellings } from '../mapping/sentinels';
import type { Depth } from '../Source';
import { keyColumns } from './ordering';
import type { Relation } from './panelQuery';

/** How many of the newest rows are read, unless all are. */
const SOME_ROWS = 10_000;

const MOST_FOUND = 1000;
const MOST_SHOWN = 5;
const LONGEST_SHOWN = 40;

/** Warns of words in the panel's columns that no rule covers, or that a rule spells differently. */
export async function unmappedValues(
  plan: RowPlan,
  depth: Exclude<Depth, 'none'>,
  { resource, database, relation }: { resource: string; database: Database; relation: Relation },
): Promise<readonly Finding[]> {
  const { knex, dialect, query } = relation;
  const findings: Finding[] = [];
  // One after another, so that none of them waits for a slot until its deadline.
  for (const translation of plan.translations.filter(
    ({ words, isPartial }) => words.size > 0 || !isPartial,
  )) {
    const { column } = translation;
    const { selectSql, compare } = dialect;
    // Under a collation for which two spellings are equal, DISTINCT would show one of them.
    const { left } = (ignoresCase(column) && compare(column)?.exactly) || { left: '??' };
    const read = (most: number): Promise<readonly RawRow[]> =>
      database.query(`${resource}.words`, () => {
        const words = query().select(knex.raw(`${selectSql(column)} AS c0`, [column.name]));
        if (depth !== 'all') {
          for (const key of keyColumns(plan)) words.orderBy(key.name, 'desc');
          words.limit(SOME_ROWS);
        }
        const distinct = ['c0', `${left.replace('??', 'c0')} AS c1`].map((sql) => knex.raw(sql));
        return knex.distinct(distinct).from(words.as('t')).limit(most);
      });
    const rows = await readSome(MOST_FOUND, read).catch((error) => sayUnread(translation, error));
    if (typeof rows !== 'string') findings.push(...findWords(translation, rows));
    else findings.push({ code: 'unchecked', field: translation.field, sentence: rows });
  }
  return findings;
}

/** Searching a column without an index may exceed the time limit of a query. */
function sayUnread({ column }: Translation, error: unknown): string {
  if (!(error instanceof DatabaseFailure)) throw error;
  return `The values of the column ${column.name} could not be checked (${error.code}).`;
}

function findWords(translation: Translation, rows: readonly RawRow[]): readonly Finding[] {
  const { field, column, words, isPartial } = translation;
  const unnamed = rows.map(({ c0 }) => rawText(c0)).filter((text) => text !== null && !isNamed(text, words));
  const texts = new Set(unnamed.map(String));
  const folded = ignoresCase(column) ? new Map([...words].map((word) => [fold(word), word])) : new Map();
  const otherwise = [...texts].filter((text) => folded.has(fold(text)));
  const unmapped = isPartial ? [] : [...texts].filter((text) => !folded.has(fold(text)));
  const meant = [...new Set(otherwise.map((text) => folded.get(fold(text))))];
  const findings: Finding[] = [];
  if (meant.length > 0) findings.push({ code: 'spelling', field, sentence: saySpelt(translation, meant) });
  if (unmapped.length > 0)
    findings.push({ code: 'unmapped', field, sentence: sayUnmapped(translation, unmapped) });
  return findings;
}

function isNamed(text: string, words: ReadonlySet<string>): boolean {
  return words.has(text) || spellings(text).some((spelt) => words.has(spelt));
}

// Such a collation ignores spaces at the end, too.
function fold(text: string): string {
  return text.toLowerCase().trimEnd();
}

/** Names only the rules' own words: the values of the column may be confidential. */
function saySpelt({ field, column }: Translation, words: readonly string[]): string {
  const spelt = `Values in column ${column.name} differ from ${list(words)} only in case or trailing spaces`;
  return `${spelt}. The field ${field} does not map them: add that spelling to its description.`;
}

function sayUnmapped({ field, column, isOpen }: Translation, words: readonly string[]): string {
  const values = words.length === 1 ? 'value' : 'values';
  const found = isOpen ? `${words.length} unmapped ${values}` : `Unmapped ${values} ${list(words)}`;
  return `${found} in column ${column.name} (field ${field}).`;
}

function list(words: readonly string[]): string {
  const shown = words.slice(0, MOST_SHOWN).map((word) => `"${printable(word, LONGEST_SHOWN)}"`);
  return `${shown.join(', ')}${words.length > MOST_SHOWN ? ` and ${words.length - MOST_SHOWN} more` : ''}`;
}
