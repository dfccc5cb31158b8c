import { ignoresCase } from '../../database/columns';
import type { Database } from '../../database/Database';
import { DatabaseFailure } from '../../database/DatabaseFailure';
import { printable } from '../../errors/printable';
import { rawText } from '../../fields/raw';
import { FIRST_ROWS, meanLength, nextRows } from '../chunks';
import type { Finding } from '../findings';
import type { RawRow, Translation } from '../mapping/FieldPlan';
import type { RowPlan } from '../mapping/rowPlan';
import { spellings } from '../mapping/sentinels';
import type { Depth } from '../Source';
import type { Relation } from './panelQuery';
import { columnValues } from './select';

const MOST_FOUND = 1000;
const MOST_SHOWN = 5;
const LONGEST_SHOWN = 40;

/** Warns of words in the panel's columns that no rule covers, or that a rule spells differently. */
export async function unmappedValues(
  plan: RowPlan,
  depth: Exclude<Depth, 'none'>,
  { resource, database, relation }: { resource: string; database: Database; relation: Relation },
): Promise<readonly Finding[]> {
  const { knex, dialect } = relation;
  const findings: Finding[] = [];
  const translations = [...plan.fields.values()].flatMap((field) => field.translations ?? []);
  // One after another, so that none of them waits for a slot until its deadline.
  for (const translation of translations.filter(({ words, isPartial }) => words.size > 0 || !isPartial)) {
    const { column, field } = translation;
    // Under a collation for which two spellings are equal, DISTINCT would show one of them.
    const { left } = (ignoresCase(column) && dialect.compare(column)?.exactly) || { left: '??' };
    const distinct = ['c0', `${left.replace('??', 'c0')} AS c1`].map((sql) => knex.raw(sql));
    const read = (most: number): Promise<readonly RawRow[]> =>
      database.query(`${resource}.words`, () => {
        const words = columnValues(relation, plan, column, depth === 'all');
        return knex.distinct(distinct).from(words).limit(most);
      });
    try {
      // Few first, because they may be long, then as many as their length allows, from the start.
      const few = await read(FIRST_ROWS);
      const most = nextRows({ limit: MOST_FOUND }, MOST_FOUND, meanLength(few));
      const rows = few.length < FIRST_ROWS || most <= FIRST_ROWS ? few : await read(most);
      const { kind, required } = plan.fields.get(field)?.field ?? {};
      // An empty optional text is null, and no word.
      const words = kind === 'flag' || required ? rows : rows.filter(({ c0 }) => rawText(c0) !== '');
      findings.push(...findWords(translation, words));
    } catch (error) {
      // Searching a column without an index may exceed the time limit of a query.
      if (!(error instanceof DatabaseFailure)) throw error;
      const sentence = `The values of the column ${column.name} could not be checked (${error.code}).`;
      findings.push({ code: 'unchecked', field, sentence });
    }
  }
  return findings;
}

function findWords(translation: Translation, rows: readonly RawRow[]): readonly Finding[] {
  const { field, column, words, isPartial } = translation;
  const folded = new Map(ignoresCase(column) ? [...words].map((word) => [fold(word), word]) : []);
  const [meant, unmapped] = [new Set<string>(), new Set<string>()];
  for (const { c0 } of rows) {
    const text = rawText(c0);
    if (text === null || [text, ...spellings(text)].some((spelt) => words.has(spelt))) continue;
    const word = folded.get(fold(text));
    if (word !== undefined) meant.add(word);
    else if (!isPartial) unmapped.add(text);
  }
  const findings: Finding[] = [];
  if (meant.size > 0) findings.push({ code: 'spelling', field, sentence: saySpelt(translation, [...meant]) });
  if (unmapped.size > 0)
    findings.push({ code: 'unmapped', field, sentence: sayUnmapped(translation, [...unmapped]) });
  return findings;
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
  const them = words.length === 1 ? 'it' : 'them';
  return `${found} in column ${column.name} (field ${field}): add ${them} to \`values\`, or leave these rows out with \`where\`.`;
}

function list(words: readonly string[]): string {
  const shown = words.slice(0, MOST_SHOWN).map((word) => `"${printable(word, LONGEST_SHOWN)}"`);
  return `${shown.join(', ')}${words.length > MOST_SHOWN ? ` and ${words.length - MOST_SHOWN} more` : ''}`;
}
