import { type Column, isTimeColumn } from '../database/columns';
import type { Field } from '../fields';
import { FALSE_WORDS, TRUE_WORDS } from '../fields/scalars';
import type { Narrow } from './Condition';
import { mayBeNone } from './mayBeNone';
import type { ColumnSource } from './SourceOptions';
import { sentinelTexts } from './sentinels';
import { spellings } from './spellings';
import { wordReader } from './wordReader';

/** What a column must hold, or with `negated` must not hold. */
interface Words {
  readonly words: readonly string[];
  readonly negated: boolean;
  /** Whether NULL reads as a value that passes. */
  readonly orNull?: boolean;
}

/** The words under which a row may pass; with `none`, those under which the field holds nothing are among them. */
type ColumnWords = (wanted: ReadonlySet<string>, none: boolean) => Words;

/** How a filter on a field is asked of its column; undefined where it cannot be. */
export function narrowing(field: Field, column: Column, source: ColumnSource): Narrow | undefined {
  if (!field.filterable || source.from) return undefined;
  // What a column of times holds is read in another form than the one in which SQL would compare it.
  if (isTimeColumn(column)) return () => 'every';
  const columnWords = columnWordsOf(field, source);
  const sentinels = sentinelTexts(source.null);
  const isRule = (source.null ?? source.values ?? source.true) !== undefined;
  return (wanted) => {
    const none = mayBeNone(field, wanted);
    const { words, negated, orNull = false } = columnWords(wanted, none);
    if (!none) return { column, words, negated, orNull, isRule };
    const meant = negated ? words.filter((word) => !sentinels.has(word)) : [...words, ...sentinels];
    return { column, words: meant, negated, orNull: true, isRule };
  };
}

function columnWordsOf(field: Field, source: ColumnSource): ColumnWords {
  if (source.values) return translatedWords(field, source);
  if (source.true !== undefined) return trueWords([...sentinelTexts(source.true)]);
  if (field.kind === 'flag') return flagWords;
  return (wanted, none) => ({ words: none ? [...wanted, ''] : [...wanted], negated: false });
}

function translatedWords(field: Field, source: ColumnSource): ColumnWords {
  const read = wordReader(field, source);
  const texts = Object.keys(source.values ?? {}).flatMap((word) => [...spellings(word), word]);
  const said = [...new Set(texts)].map((text) => [text, read(text)] as const);
  const uncovered = wordReader(field, { ...source, values: {} })('');
  return (wanted, none) => {
    const passes = (value: unknown) => (value === null ? none : wanted.has(String(value)));
    const negated = passes(uncovered);
    const words = said.filter(([, value]) => passes(value) !== negated).map(([text]) => text);
    return { words, negated };
  };
}

/** Words that are true, all others being false, NULL too. */
function trueWords(words: readonly string[]): ColumnWords {
  return (wanted) => {
    const isFalse = wanted.has('false');
    return { words: isFalse && wanted.has('true') ? [] : words, negated: isFalse, orNull: isFalse };
  };
}

/** Words that are true and words that are false, all others holding nothing. */
function flagWords(wanted: ReadonlySet<string>, none: boolean): Words {
  if (wanted.has('true')) return { words: wanted.has('false') ? [] : FALSE_SPELLINGS, negated: true };
  return { words: TRUE_SPELLINGS, negated: true, orNull: none };
}

const inAnyCase = (words: ReadonlySet<string>): readonly string[] =>
  [...words].flatMap((word) => [word, word.toUpperCase(), word.charAt(0).toUpperCase() + word.slice(1)]);

const [TRUE_SPELLINGS, FALSE_SPELLINGS] = [inAnyCase(TRUE_WORDS), inAnyCase(FALSE_WORDS)];
