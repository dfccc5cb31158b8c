import { type Column, isTimeColumn } from '../../database/columns';
import type { Field } from '../../fields';
import type { Condition, Narrow } from '../Condition';
import { mayBeNone } from '../mayBeNone';
import type { CasesSource } from '../SourceOptions';
import { sentinelTest, sentinelTexts } from '../sentinels';

/** What a column must hold in a case. */
interface Held {
  readonly column: Column;
  readonly words: ReadonlySet<string>;
  /** Whether it may be NULL. */
  readonly orNull: boolean;
  readonly isHeld: (raw: unknown) => boolean;
}

/** A case with its columns as they stand in the live database. */
export interface LiveCase {
  readonly when: readonly Held[];
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
    when: Object.entries(when).flatMap(([reference, wanted]): readonly Held[] => {
      const column = find(reference);
      if (!column) return [];
      const sentinels = [wanted].flat().filter((one) => one !== null);
      const orNull = [wanted].flat().includes(null);
      const isOne = sentinelTest(sentinels, column);
      const isHeld = (raw: unknown) => ((raw ?? null) === null ? orNull : isOne(raw));
      return [{ column, words: sentinelTexts(sentinels), orNull, isHeld }];
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
  const decisive = cases.find(({ when }) => when.every(({ column, isHeld }) => isHeld(value(column))));
  return decisive ? decisive.is : otherwise;
}

/**
 * How a filter on the field is asked of the columns of its cases. That an earlier case decides is left to the
 * reading, but for cases of one column.
 */
export function narrowCases(field: Field, cases: readonly LiveCase[], otherwise: unknown): Narrow {
  return (wanted): Condition => {
    const none = mayBeNone(field, wanted);
    const passes = (said: unknown) => (said === null ? none : wanted.has(String(said)));
    const holding = cases
      .filter(({ is }) => passes(is))
      .map(({ when }): Condition => ({ all: when.map(holds) }));
    if (!passes(otherwise)) return { any: holding };
    const single = cases
      .filter(({ is, when }) => !passes(is) && when.length === 1)
      .flatMap(({ when }) => when);
    return { any: [...holding, { all: single.map(holdsNot) }] };
  };
}

function holds({ column, words, orNull }: Held): Condition {
  return isTimeColumn(column) && words.size > 0
    ? 'every'
    : { column, words: [...words], negated: false, orNull, isRule: true };
}

function holdsNot({ column, words, orNull }: Held): Condition {
  return isTimeColumn(column)
    ? 'every'
    : { column, words: [...words], negated: true, orNull: !orNull, isRule: true };
}
