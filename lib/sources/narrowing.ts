import type { Field } from '../fields';
import { FALSE_WORDS, TRUE_WORDS } from '../fields/flag';
import type { Column } from './Column';
import type { Condition, Narrow } from './Condition';
import type { ColumnSource } from './SourceOptions';
import { sentinelTexts } from './sentinels';
import { spellings } from './spellings';

/** How a filter on a field is asked of its column; undefined where it cannot be. */
export function narrowing(field: Field, column: Column, source: ColumnSource): Narrow | undefined {
  if (!field.filterable || source.from) return undefined;
  const words = columnWords(field, source);
  return (wanted): Condition => {
    const { within, without } = words(wanted);
    const none = mayBeNone(field, wanted);
    if (without) return { column, words: without, negated: true, orNull: true };
    const alsoNone = none ? ['', ...sentinelTexts(source.null)] : [];
    return { column, words: [...(within ?? []), ...alsoNone], negated: false, orNull: none };
  };
}

/** Whether a row without a value passes: another stands in for it, or it is worked out from the row. */
function mayBeNone({ required, fallback, derivation }: Field, wanted: ReadonlySet<string>): boolean {
  return derivation !== undefined || (required && fallback !== undefined && wanted.has(String(fallback)));
}

/** The texts of a column that pass, or those that do not. */
type Words = (wanted: ReadonlySet<string>) => Passing;

interface Passing {
  readonly within?: readonly string[];
  readonly without?: readonly string[];
}

function columnWords(field: Field, source: ColumnSource): Words {
  if (source.values)
    return translatedWords(Object.entries(source.values), source.otherwise ?? field.uncovered);
  if (field.kind === 'flag') {
    // A word that is neither true nor false may be made good as false.
    if (source.true === undefined)
      return flagWords({ without: FALSE_SPELLINGS }, { without: TRUE_SPELLINGS });
    const words = [...sentinelTexts(source.true)];
    return flagWords({ within: words }, { without: words });
  }
  return (wanted) => ({ within: [...wanted] });
}

function translatedWords(pairs: readonly (readonly [string, unknown])[], uncovered: unknown): Words {
  const spelt = pairs.flatMap(([word, value]) =>
    spellings(word)
      .concat(word)
      .map((text) => [text, value] as const),
  );
  return (wanted) => {
    const passes = ([, value]: readonly [string, unknown]) => wanted.has(String(value));
    const texts = (chosen: readonly (readonly [string, unknown])[]) => [
      ...new Set(chosen.map(([text]) => text)),
    ];
    // What no rule covers reads as `uncovered`, and what translates to null may be made good.
    if (uncovered !== undefined && wanted.has(String(uncovered))) {
      return { without: texts(spelt.filter((pair) => pair[1] !== null && !passes(pair))) };
    }
    return { within: texts(spelt.filter((pair) => pair[1] === null || passes(pair))) };
  };
}

const inEveryCase = (words: ReadonlySet<string>): readonly string[] =>
  [...words].flatMap((word) => [word, word.toUpperCase(), word.charAt(0).toUpperCase() + word.slice(1)]);

const FALSE_SPELLINGS = inEveryCase(FALSE_WORDS);
const TRUE_SPELLINGS = inEveryCase(TRUE_WORDS);

function flagWords(whenTrue: Passing, whenFalse: Passing): Words {
  return (wanted) => {
    const [isTrue, isFalse] = [wanted.has('true'), wanted.has('false')];
    if (isTrue === isFalse) return isTrue ? { without: [] } : { within: [] };
    return isTrue ? whenTrue : whenFalse;
  };
}
