import { ALWAYS, type Column, ignoresCase, isTimeColumn, type SqlCondition } from '../../database/columns';
import type { Dialect } from '../../database/Dialect';
import type { Field } from '../../fields';
import { closedObject, listOf, notEmpty, recordOf } from '../checks';
import { allOf, anyOf, holds, type PushDown } from './conditions';
import { aColumn, type DescriptionKind, held, isWanted, type Mapped, mappedValue } from './description';
import { cell, mayBeNone, type Translation } from './FieldPlan';
import type { LiveColumns } from './LiveColumns';
import { type Sentinel, sentinelTest, sentinelTexts } from './sentinels';
import { closedWords, unmappedValue } from './words';

type Held = Sentinel | null;

/** What several columns hold together: the first case decides whose columns all hold what it says. */
export interface CasesSource<F extends Field = Field> {
  readonly cases: readonly {
    /** Columns, and what each must hold; null means that it is NULL. */
    readonly when: Readonly<Record<string, Held | readonly Held[]>>;
    readonly is: Mapped<F> | null;
  }[];
  /** What is said if no case decides; without it, `unknown` in a field of words and null in any other. */
  readonly otherwise?: Mapped<F> | null;
}

export const cases: DescriptionKind<CasesSource> = {
  mayBeKey: false,
  check({ field }) {
    const said = mappedValue(field);
    const one = closedObject({ when: notEmpty(recordOf(held, aColumn)), is: said }, ['when', 'is']);
    return closedObject({ cases: notEmpty(listOf(one)), otherwise: said });
  },
  references,
  plan({ name, field, columns }, source) {
    const absent = columns.absent(references(source));
    if (absent.length > 0) return { absent };
    const cases = liveCases(source, field, columns);
    const inputs = cases.flatMap(({ when }) => when.map(({ column }) => column));
    const positions = new Map(inputs.map((column) => [column.name, columns.select(column)]));
    const otherwise = unmappedValue(field, source);
    const holdsIn = (row: Readonly<Record<string, unknown>>, { column, isHeld }: HeldColumn) =>
      isHeld(row[cell(positions.get(column.name) ?? -1)]);
    return {
      name,
      field,
      translations: translations(name, cases),
      words: closedWords(field, [...cases.map(({ is }) => is), otherwise]),
      positions: [...positions.values()],
      read(row) {
        const decisive = cases.find(({ when }) => when.every((one) => holdsIn(row, one)));
        return decisive ? decisive.is : otherwise;
      },
      pushDown: field.filterable && pushDownOf(field, cases, otherwise),
    };
  },
};

function references({ cases }: CasesSource): readonly string[] {
  return cases.flatMap(({ when }) => Object.keys(when));
}

/** What a column must hold in a case. */
interface HeldColumn {
  readonly column: Column;
  readonly words: ReadonlySet<string>;
  /** Whether it may be NULL. */
  readonly orNull: boolean;
  readonly isHeld: (raw: unknown) => boolean;
}

/** A case with its columns as they stand in the live database, and what the field says in it. */
interface LiveCase {
  readonly when: readonly HeldColumn[];
  readonly is: unknown;
}

function liveCases({ cases }: CasesSource, field: Field, columns: LiveColumns): readonly LiveCase[] {
  const read = field.reader();
  return cases.map(({ when, is }) => ({
    is: read(is),
    when: Object.entries(when).flatMap(([reference, wanted]) => {
      const column = columns.find(reference);
      if (!column) return [];
      const sentinels = [wanted].flat().filter((one) => one !== null);
      const orNull = [wanted].flat().includes(null);
      const isOne = sentinelTest(sentinels, column);
      const isHeld = (raw: unknown) => ((raw ?? null) === null ? orNull : isOne(raw));
      return [{ column, words: sentinelTexts(sentinels), orNull, isHeld }];
    }),
  }));
}

function translations(field: string, cases: readonly LiveCase[]): readonly Translation[] {
  const held = cases.flatMap(({ when }) => when).filter(({ column }) => ignoresCase(column));
  return [...new Set(held.map(({ column }) => column))].map((column) => {
    const words = new Set(held.flatMap((one) => (one.column === column ? [...one.words] : [])));
    return { field, column, words, isPartial: true, isOpen: true };
  });
}

/**
 * How a filter on the field is asked of the columns of its cases. That an earlier case decides is left to the
 * reading, but for cases of one column.
 */
function pushDownOf(field: Field, cases: readonly LiveCase[], otherwise: unknown): PushDown {
  return (wanted, dialect) => {
    const none = mayBeNone(field, wanted);
    const matches = (said: unknown) => isWanted(said, wanted, none);
    const condition = (negated: boolean) => (one: HeldColumn) => heldIn(one, negated, dialect);
    const holding = cases
      .filter(({ is }) => matches(is))
      .map(({ when }) => allOf(when.map(condition(false))));
    if (!matches(otherwise)) return anyOf(holding);
    const single = cases.filter(({ is, when }) => !matches(is) && when.length === 1);
    return anyOf([...holding, allOf(single.flatMap(({ when }) => when.map(condition(true))))]);
  };
}

/** That the column holds what a case asks, or that it does not. */
function heldIn({ column, words, orNull }: HeldColumn, negated: boolean, dialect: Dialect): SqlCondition {
  if (isTimeColumn(column) && (negated || words.size > 0)) return ALWAYS;
  return holds({ column, words: [...words], negated, orNull: orNull !== negated, isRule: true }, dialect);
}
