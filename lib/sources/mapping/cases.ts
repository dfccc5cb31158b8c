import { allOf, anyOf, ignoresCase } from '../../database/columns';
import type { Field } from '../../fields';
import { rawText } from '../../fields/raw';
import { aListOf, closedObject, isPlainObject, notEmpty, recordOf, type Validator } from '../validators';
import {
  hasRequired,
  isWanted,
  mayBeNone,
  type RequiredColumn,
  type RequiredValue,
  requiredColumn,
} from './conditions';
import {
  aColumn,
  type Confirmable,
  closedWords,
  confirm,
  type DescriptionKind,
  type Mapped,
  mappedValue,
  requiredValues,
  unmappedValue,
} from './description';
import type { PushDown, RawRow, SelectedColumn } from './FieldPlan';
import { type Until, type UntilSource, until } from './until';

/**
 * Reads a field from the values of several columns: the first case decides in which every column has one of its values.
 */
export interface CasesSource<F extends Field = Field> extends Confirmable {
  readonly cases: readonly {
    /** For each column the values that it may have in this case; null stands for NULL. */
    readonly when: Readonly<Record<string, RequiredValue | readonly RequiredValue[]>>;
    readonly is: Mapped<F> | null;
  }[];
  /**
   * The value if no case applies, or the end of a certificate that then decides. Default: `unknown` if the field has
   * words, otherwise null.
   */
  readonly otherwise?: Mapped<F> | Until<F> | null;
}

/** @internal */
export const cases: DescriptionKind<CasesSource> = {
  validate(field, others) {
    const value = mappedValue(field);
    const ends = until.validate(field, others);
    const one = closedObject({ when: notEmpty(recordOf(requiredValues, aColumn)), is: value }, [
      'when',
      'is',
    ]);
    const otherwise: Validator = (given, path) => (isPlainObject(given) ? ends : value)(given, path);
    return closedObject({ cases: notEmpty(aListOf(one)), otherwise, ...confirm });
  },
  references(source) {
    const columns = source.cases.flatMap(({ when }) => Object.keys(when));
    const end = endIn(source);
    return end ? [...columns, end.until] : columns;
  },
  plan(parts, source) {
    const { name, field, columns } = parts;
    const read = field.reader();
    const last = endIn(source);
    const end = last && until.plan(parts, last);
    const cases = source.cases.map(({ when, is }): LiveCase => {
      const required = Object.entries(when).map(([reference, values]) => {
        const column = columns.get(reference);
        return { ...requiredColumn(column, values), selected: columns.select(column) };
      });
      return { when: required, is: read(is) };
    });
    const inputs = cases.flatMap(({ when }) => when);
    const selected = [...new Set(inputs.map((input) => input.selected))];
    const translated = [...new Set(inputs.map(({ column }) => column))].filter(ignoresCase);
    const otherwise = end ? null : unmappedValue(field, source);
    return {
      translations: translated.map((column) => {
        const words = inputs.flatMap((one) => (one.column === column ? [...one.words] : []));
        return { field: name, column, words: new Set(words), isPartial: true, isOpen: true };
      }),
      words: closedWords(field, [...cases.map(({ is }) => is), ...(end?.words ?? [otherwise])]),
      columns: [...selected, ...(end?.columns ?? [])],
      read(given) {
        const row = given as RawRow;
        const decisive = cases.find(({ when }) =>
          when.every(({ selected, hasOne }) => hasOne(row[selected.cell])),
        );
        if (decisive) return decisive.is;
        if (end) return end.read(row[end.cell ?? '']);
        // Without any value there is no word that the cases do not know.
        const isBlank = source.otherwise === undefined && selected.every(({ cell }) => !rawText(row[cell]));
        return isBlank ? null : otherwise;
      },
      pushDown:
        field.filterable && (!end || end.pushDown) && pushDownOf(field, cases, otherwise, end?.pushDown),
    };
  },
};

/** The end that decides if no case applies. */
function endIn({ otherwise }: { readonly otherwise?: unknown }): UntilSource | null {
  return isPlainObject(otherwise) ? (otherwise as object as UntilSource) : null;
}

interface LiveCase {
  readonly when: readonly (RequiredColumn & { readonly selected: SelectedColumn })[];
  readonly is: unknown;
}

/**
 * Returns a filter's condition on the columns of the cases. It may include rows that an earlier case decides: the
 * filter is applied again to the rows that are read.
 */
function pushDownOf(
  field: Field,
  cases: readonly LiveCase[],
  otherwise: unknown,
  last?: PushDown<ReadonlySet<string>>,
): PushDown<ReadonlySet<string>> {
  return (wanted, dialect) => {
    const none = mayBeNone(field, wanted);
    const matches = (value: unknown) => isWanted(value, wanted, none);
    const condition = (negated: boolean) => (one: RequiredColumn) => hasRequired(one, negated, dialect);
    const holding = cases
      .filter(({ is }) => matches(is))
      .map(({ when }) => allOf(when.map(condition(false))));
    if (last) return anyOf([...holding, last(wanted, dialect)]);
    if (!matches(otherwise)) return anyOf(holding);
    const single = cases.filter(({ is, when }) => !matches(is) && when.length === 1);
    return anyOf([...holding, allOf(single.flatMap(({ when }) => when.map(condition(true))))]);
  };
}
