import type { Field } from '../../fields';
import { FALSE_WORDS, TRUE_WORDS } from '../../fields/scalars';
import { type AskedWords, type ColumnReading, type Only, onlyFor, sentinels } from './description';
import { type Sentinel, sentinelTest, sentinelTexts } from './sentinels';

export interface TrueKeywords<F extends Field = Field> {
  /** For fields that are true or false: the column values that mean true. All others, NULL included, mean false. */
  readonly true?: Only<F, boolean, Sentinel | readonly Sentinel[]>;
}

export const truth: ColumnReading<TrueKeywords> = {
  keywords: onlyFor('flag', { true: sentinels }),
  isAsked: ({ true: yes }) => yes !== undefined,
  plan: ({ column }, { true: yes }) => ({
    read: sentinelTest(yes, column),
    asked: trueWords([...sentinelTexts(yes)]),
    named: [yes ?? []].flat().map(String),
  }),
};

/** The words for a filter if these mean true, and all others and NULL mean false. */
function trueWords(words: readonly string[]): AskedWords {
  return (wanted) => {
    const isFalse = wanted.has('false');
    return { words: isFalse && wanted.has('true') ? [] : words, negated: isFalse, orNull: isFalse };
  };
}

/** The words for a filter if some words mean true, some mean false, and all others null. */
export const flagWords: AskedWords = (wanted, none) => {
  if (wanted.has('true')) return { words: wanted.has('false') ? [] : FALSE_SPELLINGS, negated: true };
  return { words: TRUE_SPELLINGS, negated: true, orNull: none };
};

const inAnyCase = (words: ReadonlySet<string>): readonly string[] =>
  [...words].flatMap((word) => [word, word.toUpperCase(), word.charAt(0).toUpperCase() + word.slice(1)]);

const [TRUE_SPELLINGS, FALSE_SPELLINGS] = [inAnyCase(TRUE_WORDS), inAnyCase(FALSE_WORDS)];
