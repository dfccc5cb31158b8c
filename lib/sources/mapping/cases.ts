import { type Column, ignoresCase, isTimeColumn } from '../../database/columns';
import type { Field } from '../../fields';
import type { CasesSource } from '../SourceOptions';
import {
  type Condition,
  cell,
  type FieldParts,
  type FieldPlan,
  mayBeNone,
  type Narrow,
  type Translation,
} from './FieldPlan';
import { sentinelTest, sentinelTexts } from './sentinels';
import { closedWords, uncoveredValue } from './words';

/** A field that is decided by what several columns hold together. */
export function planCases({ name, field, columns }: FieldParts, source: CasesSource): FieldPlan {
  const cases = liveCases(source, field, (reference) => columns.find(reference));
  if (!cases) return { absent: columns.absent(source.cases.flatMap(({ when }) => Object.keys(when))) };
  const inputs = cases.flatMap(({ when }) => when.map(({ column }) => column));
  const positions = new Map(inputs.map((column) => [column.name, columns.select(column)]));
  const otherwise = uncoveredValue(field, source);
  return {
    name,
    field,
    translations: translations(name, cases),
    words: closedWords(field, [...cases.map(({ is }) => is), otherwise]),
    positions: [...positions.values()],
    read: (raw) => decide(cases, otherwise, (column) => raw[cell(positions.get(column.name) ?? -1)]),
    ...(field.filterable ? { narrow: narrowCases(field, cases, otherwise) } : {}),
  };
}

function translations(field: string, cases: readonly LiveCase[]): readonly Translation[] {
  const held = cases.flatMap(({ when }) => when).filter(({ column }) => ignoresCase(column));
  return [...new Set(held.map(({ column }) => column))].map((column) => {
    const words = new Set(held.flatMap((one) => (one.column === column ? [...one.words] : [])));
    return { field, column, words, isPartial: true, isOpen: true };
  });
}

/** What a column must hold in a case. */
interface Held {
  readonly column: Column;
  readonly words: ReadonlySet<string>;
  /** Whether it may be NULL. */
  readonly orNull: boolean;
  readonly isHeld: (raw: unknown) => boolean;
}

/** A case with its columns as they stand in the live database. */
interface LiveCase {
  readonly when: readonly Held[];
  /** What the field says in this case. */
  readonly is: unknown;
}

/** The cases of a source, `find` giving the live column of a name; undefined where one of them is not there. */
function liveCases(
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
function decide(cases: readonly LiveCase[], otherwise: unknown, value: (column: Column) => unknown): unknown {
  const decisive = cases.find(({ when }) => when.every(({ column, isHeld }) => isHeld(value(column))));
  return decisive ? decisive.is : otherwise;
}

/**
 * How a filter on the field is asked of the columns of its cases. That an earlier case decides is left to the
 * reading, but for cases of one column.
 */
function narrowCases(field: Field, cases: readonly LiveCase[], otherwise: unknown): Narrow {
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
