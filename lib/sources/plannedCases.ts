import type { Field } from '../fields';
import type { Column } from './Column';
import type { Condition, Narrow } from './Condition';
import type { CasesSource } from './SourceOptions';
import { isSentinel, sentinelTexts } from './sentinels';

/** A case with its columns as they stand in the live database. */
export interface LiveCase {
  readonly when: readonly { readonly column: Column; readonly words: ReadonlySet<string> }[];
  /** What the field says in this case. */
  readonly is: unknown;
}

/** The cases of a source, `find` giving the live column of a name; undefined where one of them is not there. */
export function liveCases(
  { cases }: CasesSource,
  field: Field,
  find: (reference: string) => Column | undefined,
): readonly LiveCase[] | undefined {
  const made = field.reader();
  const live = cases.map(({ when, is }) => ({
    is: made(is),
    when: Object.entries(when).flatMap(([reference, sentinels]) => {
      const column = find(reference);
      return column ? [{ column, words: sentinelTexts(sentinels) }] : [];
    }),
  }));
  const complete = live.every(
    ({ when }, index) => when.length === Object.keys(cases[index]?.when ?? {}).length,
  );
  return complete ? live : undefined;
}

/** What the first case says that holds, `value` giving what a column holds. */
export function decide(
  cases: readonly LiveCase[],
  otherwise: unknown,
  value: (column: Column) => unknown,
): unknown {
  const decisive = cases.find(({ when }) =>
    when.every(({ column, words }) => isSentinel(words, value(column))),
  );
  return decisive ? decisive.is : otherwise;
}

/** How a filter on the field is asked of the columns of its cases. That an earlier case decides is left to the reading. */
export function narrowCases(cases: readonly LiveCase[], otherwise: unknown): Narrow {
  return (wanted): Condition => {
    // What says nothing may be made good by something else.
    const passes = (said: unknown) => said === null || wanted.has(String(said));
    const holding = cases
      .filter(({ is }) => passes(is))
      .map(({ when }): Condition => ({ all: when.map(holds) }));
    const single = cases
      .filter(({ is, when }) => !passes(is) && when.length === 1)
      .flatMap(({ when }) => when);
    return { any: passes(otherwise) ? [...holding, { all: single.map(holdsNot) }] : holding };
  };
}

function holds({ column, words }: LiveCase['when'][number]): Condition {
  return { column, words: [...words], negated: false, orNull: false };
}

function holdsNot({ column, words }: LiveCase['when'][number]): Condition {
  return { column, words: [...words], negated: true, orNull: true };
}
