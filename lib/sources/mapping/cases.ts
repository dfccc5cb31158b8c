import {
  ALWAYS,
  allOf,
  anyOf,
  type Column,
  ignoresCase,
  isTimeColumn,
  type SqlCondition,
} from '../../database/columns';
import type { Dialect } from '../../database/Dialect';
import type { Field } from '../../fields';
import { closedObject, listOf, notEmpty, recordOf } from '../checks';
import { holds, type PushDown } from './conditions';
import { aColumn, type DescriptionKind, held, isWanted, type Mapped, mappedValue } from './description';
import { cell, mayBeNone, type Translation } from './FieldPlan';
import type { LiveColumns } from './LiveColumns';
import { type Sentinel, sentinelTest, sentinelTexts } from './sentinels';
import { closedWords, unmappedValue } from './words';

type Held = Sentinel | null;

/**
 * Reads a field from the values of several columns: the first case decides in which every column has one of its values.
 */
export interface CasesSource<F extends Field = Field> {
  readonly cases: readonly {
    /** For each column the values that it may have in this case; null stands for NULL. */
    readonly when: Readonly<Record<string, Held | readonly Held[]>>;
    readonly is: Mapped<F> | null;
  }[];
  /** The value if no case applies. Default: `unknown` if the field has words, otherwise null. */
  readonly otherwise?: Mapped<F> | null;
}

export const cases: DescriptionKind<CasesSource> = {
  mayBeKey: false,
  check({ field }) {
    const value = mappedValue(field);
    const one = closedObject({ when: notEmpty(recordOf(held, aColumn)), is: value }, ['when', 'is']);
    return closedObject({ cases: notEmpty(listOf(one)), otherwise: value });
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

/** The values that a column may have in a case. */
interface HeldColumn {
  readonly column: Column;
  readonly words: ReadonlySet<string>;
  /** Whether the column may be NULL. */
  readonly orNull: boolean;
  readonly isHeld: (raw: unknown) => boolean;
}

/** A case with its live columns and its value. */
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
 * Returns a filter's condition on the columns of the cases. It may include rows that an earlier case decides: the
 * filter is applied again to the rows that are read.
 */
function pushDownOf(field: Field, cases: readonly LiveCase[], otherwise: unknown): PushDown {
  return (wanted, dialect) => {
    const none = mayBeNone(field, wanted);
    const matches = (value: unknown) => isWanted(value, wanted, none);
    const condition = (negated: boolean) => (one: HeldColumn) => heldIn(one, negated, dialect);
    const holding = cases
      .filter(({ is }) => matches(is))
      .map(({ when }) => allOf(when.map(condition(false))));
    if (!matches(otherwise)) return anyOf(holding);
    const single = cases.filter(({ is, when }) => !matches(is) && when.length === 1);
    return anyOf([...holding, allOf(single.flatMap(({ when }) => when.map(condition(true))))]);
  };
}

/** Returns the condition that the column has one of the case's values; if `negated`, none of them. */
function heldIn({ column, words, orNull }: HeldColumn, negated: boolean, dialect: Dialect): SqlCondition {
  if (isTimeColumn(column) && (negated || words.size > 0)) return ALWAYS;
  return holds({ column, words: [...words], negated, orNull: orNull !== negated, isRule: true }, dialect);
}
