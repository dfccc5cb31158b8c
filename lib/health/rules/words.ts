import { FALSE_WORDS, TRUE_WORDS } from '../../fields';
import { rawText } from '../../fields/raw';
import { type CheckedField, isComputed, keyword, MOST_SHOWN, type Rule } from './Rule';

/** The words of a description's `values`, with the words of the API that are left to choose. */
function mapped(values: ReadonlySet<string>, words: string): string {
  return values.size > 0 && values.size <= MOST_SHOWN
    ? `translate with \`values: { ${[...values].map((word) => `${/^\w+$/.test(word) ? word : `'${word}'`}: …`).join(', ')} }\` into ${words}`
    : `choose another column, or translate it with \`values\` into ${words}`;
}

/** A number or a letter, which stands for a word of the panel. */
const CODE = /^(?:-?\d+|\p{L})$/u;

/** A field of words shows another. */
const word: Rule = {
  code: 'word',
  testOf({ field: { kind, words }, plan: { description } }) {
    if (kind !== 'word' || ['values', 'cases', 'value'].some((name) => name in Object(description)))
      return null;
    return ({ value }) => {
      if (typeof value !== 'string') return null;
      return words ? !words.includes(value) : CODE.test(value);
    };
  },
  say(field, { values }) {
    const { words = [] } = field.field;
    const listed = words.length > 0 ? words.join(', ') : 'words';
    const isReturned = field.plan.columns.length === 0 || isComputed(field);
    return ['shows no word of the API', isReturned ? `return ${listed}` : mapped(values, listed)];
  },
};

/** The words that a description names for the column of this position. */
function namedWords({ plan: { columns, description } }: CheckedField, position: number): ReadonlySet<string> {
  const { true: yes, values = {}, cases = [] } = Object(description);
  const whens = cases.map(({ when }: { when: object }) => Object(when)[columns[position]?.name ?? ''] ?? []);
  return new Set([yes ?? [], Object.keys(values), whens].flat(2).map((name: unknown) => rawText(name) ?? ''));
}

/** Booleans and whole numbers have several spellings. */
function spelt(text: string): string {
  const plain = text.replace(/^(-?\d+)\.0+$/, '$1');
  return /^(?:true|t)$/.test(plain) ? '1' : /^(?:false|f)$/.test(plain) ? '0' : plain;
}

/** Numbers, single letters and words are forms of words that no column mixes. */
function formOf(text: string): string {
  if (/^-?\d+(?:\.\d+)?$/.test(text)) return 'number';
  return text.length === 1 ? 'letter' : 'word';
}

const fold = (text: string) => text.toLowerCase().trim();

/** No row has one of the words that the description names, and some rows have words of another form. */
const wordUnused: Rule = {
  code: 'word_unused',
  testOf(field) {
    const isFlag = keyword(field, 'true') !== undefined;
    // Rows that no word of `values` covers are unmapped values.
    if (keyword(field, 'values') !== undefined && keyword(field, 'otherwise') === undefined) return null;
    return field.plan.columns.flatMap((_, position) => {
      const words = [...namedWords(field, position)].map(spelt);
      if (words.length === 0) return [];
      return ({ raws }) => {
        const text = rawText(raws[position])?.trim() ?? '';
        if (text === '') return null;
        if (words.includes(spelt(text))) return false;
        const isOther = words.every((word) => formOf(word) !== formOf(spelt(text)));
        const isSpelt = words.some((word) => fold(word) === fold(text));
        return isOther || isSpelt || (isFlag && !isNo(text)) || null;
      };
    });
  },
  isFound: ({ tested, doubtful }) => tested === doubtful && tested > 0,
  shows: 'raw',
  say: (field) => [
    `is ${keyword(field, 'true') === undefined ? 'the same for every row, because no row has a word of its description' : 'false for every row, because no row has the value of `true`'},`,
    'write the words as the column has them',
  ],
};

const NO = new Set([...FALSE_WORDS, 'none', 'never', 'null', '-', 'n/a']);
const isNo = (text: string) => NO.has(spelt(text).trim().toLowerCase());
const isYes = (text: string) => TRUE_WORDS.has(spelt(text).trim().toLowerCase());

/** A flag has a third value. */
const flagValue: Rule = {
  code: 'flag_value',
  testOf(field) {
    if (field.field.kind !== 'flag' || isComputed(field) || keyword(field, 'cases') !== undefined)
      return null;
    const named = [...namedWords(field, 0)].map(spelt);
    // Of a column of words, one may mean true and all others false.
    if (named.some((one) => formOf(one) === 'word')) return null;
    return ({ raws: [raw] }) => {
      const text = raw instanceof Uint8Array ? '' : (rawText(raw)?.trim() ?? '');
      if (text === '' || field.plan.isNone?.(raw)) return null;
      if (named.length === 0) return !isNo(text) && !isYes(text);
      return isNo(text) ? null : !named.includes(spelt(text));
    };
  },
  isFound: ({ tested, doubtful }) => doubtful > 0 && doubtful < tested,
  shows: 'raw',
  say: () => ['has a value that is neither true nor false', 'name all values that mean true in `true`'],
};

export const WORD_RULES: readonly Rule[] = [word, wordUnused, flagValue];
