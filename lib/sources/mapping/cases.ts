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
import { holds, isWanted, mayBeNone } from './conditions';
import {
  aColumn,
  type Confirmable,
  closedWords,
  confirm,
  type DescriptionKind,
  held,
  type Mapped,
  mappedValue,
  unmappedValue,
} from './description';
import { cell, type PushDown, type RawRow } from './FieldPlan';
import { type Sentinel, sentinelTest, sentinelTexts } from './sentinels';

type Held = Sentinel | null;

/**
 * Reads a field from the values of several columns: the first case decides in which every column has one of its values.
 */
export interface CasesSource<F extends Field = Field> extends Confirmable {
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
    return closedObject({ cases: notEmpty(listOf(one)), otherwise: value, ...confirm });
  },
  references: ({ cases }) => cases.flatMap(({ when }) => Object.keys(when)),
  plan({ name, field, columns }, source) {
    const read = field.reader();
    const cases = source.cases.map(
      ({ when, is }): LiveCase => ({
        is: read(is),
        when: Object.entries(when).map(([reference, wanted]) => heldColumn(columns.get(reference), wanted)),
      }),
    );
    const inputs = cases.flatMap(({ when }) => when);
    const positions = new Map(inputs.map(({ column }) => [column.name, columns.select(column)]));
    const otherwise = unmappedValue(field, source);
    const holdsIn = (row: RawRow, { column, isHeld }: HeldColumn) =>
      isHeld(row[cell(positions.get(column.name) ?? -1)]);
    const translated = [...new Set(inputs.map(({ column }) => column))].filter(ignoresCase);
    return {
      translations: translated.map((column) => {
        const words = inputs.flatMap((one) => (one.column === column ? [...one.words] : []));
        return { field: name, column, words: new Set(words), isPartial: true, isOpen: true };
      }),
      words: closedWords(field, [...cases.map(({ is }) => is), otherwise]),
      positions: [...positions.values()],
      read(row) {
        const decisive = cases.find(({ when }) => when.every((one) => holdsIn(row as RawRow, one)));
        return decisive ? decisive.is : otherwise;
      },
      pushDown: field.filterable && pushDownOf(field, cases, otherwise),
    };
  },
};

interface LiveCase {
  readonly when: readonly HeldColumn[];
  readonly is: unknown;
}

interface HeldColumn {
  readonly column: Column;
  readonly words: ReadonlySet<string>;
  readonly orNull: boolean;
  readonly isHeld: (raw: unknown) => boolean;
}

function heldColumn(column: Column, wanted: Held | readonly Held[]): HeldColumn {
  const sentinels = [wanted].flat().filter((one) => one !== null);
  const orNull = [wanted].flat().includes(null);
  const isOne = sentinelTest(sentinels, column);
  const isHeld = (raw: unknown) => ((raw ?? null) === null ? orNull : isOne(raw));
  return { column, words: sentinelTexts(sentinels), orNull, isHeld };
}

/**
 * Returns a filter's condition on the columns of the cases. It may include rows that an earlier case decides: the
 * filter is applied again to the rows that are read.
 */
function pushDownOf(
  field: Field,
  cases: readonly LiveCase[],
  otherwise: unknown,
): PushDown<ReadonlySet<string>> {
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
