import { ALWAYS, NEVER } from '../../database/columns';
import type { Field } from '../../fields';
import { aFunction, type Check, closedObject, isPlainObject, notEmpty, recordOf, wrong } from '../checkers';
import { type CasesSource, cases } from './cases';
import { column } from './column';
import {
  aColumn,
  type Confirmable,
  closedWords,
  confirm,
  type Described,
  type DescriptionKind,
  type FieldParts,
  isColumnName,
  type Mapped,
  mappedValue,
  type ValueOf,
} from './description';
import { cell, type FieldPlan, type RawRow } from './FieldPlan';
import type { ColumnSource } from './readings';
import { type RawValue, rawValue, resultReader } from './results';
import { type Until, until } from './until';

/** How a field is read: from a column by its name, as described, or not at all (`false`). */
export type FieldSource<F extends Field = Field> =
  | string
  | (F extends { readonly required: true } ? never : false)
  | ConstantSource<F>
  | Members<ColumnSource<F>>
  | CasesSource<F>
  | Until<F>
  | (unknown extends ValueOf<F> ? CountSource : never)
  | ColumnsSource;

/** The members of a type, which the compiler then compares one by one, and editors show. */
type Members<T> = { [K in keyof T]: T[K] };

export type FieldSources = Readonly<Record<string, FieldSource>>;

/** The same value for every row. */
interface ConstantSource<F extends Field = Field> {
  readonly value: Mapped<F> | null;
}

const constant: DescriptionKind<ConstantSource> = {
  mayBeKey: false,
  check: ({ field }) => closedObject({ value: mappedValue(field, !field.required) }),
  references: () => [],
  plan({ name, field, ids }, { value }) {
    const constant = ids(name, field).reader(field.reader())(value);
    const { fallback, required, derivation, filterable } = field;
    const shown = constant ?? (required ? fallback : null) ?? null;
    return {
      positions: [],
      read: () => constant,
      words: closedWords(field, [constant]),
      pushDown:
        filterable &&
        ((wanted) => (derivation || (shown !== null && wanted.has(String(shown))) ? ALWAYS : NEVER)),
    };
  },
};

/** For numbers of an account: counts the rows of another list that belong to it. */
export interface CountSource {
  /** The list. */
  readonly count: string;
  /** For each field the values that a row must have, as the API shows them. */
  readonly where?: Readonly<Record<string, CountedValue | readonly CountedValue[]>>;
}

type CountedValue = string | number | bigint | boolean;

/** `withCounts` fills it in. */
const count: DescriptionKind<CountSource> = {
  mayBeKey: false,
  check: ({ checkCount }) => checkCount,
  references: () => [],
  plan: () => ({ positions: [], read: () => null }),
};

/** Computes a field from several columns. For `id`, the columns are the key, in this order. */
interface ColumnsSource extends Confirmable {
  /** The column (in a query `alias.column`) of each value that `compute` receives, by the value's name. */
  readonly columns: Readonly<Record<string, string>>;
  /** Returns the field's value for the values of the columns, by their names in `columns`. */
  readonly compute: (raw: Readonly<Record<string, RawValue>>) => unknown;
  /** For ids: the part of a list that the id refers to, from 0, if the list has several parts. */
  readonly part?: number;
}

const columns: DescriptionKind<ColumnsSource> = {
  mayBeKey: true,
  check({ field, checkPart }) {
    const part = field.kind === 'id' ? { part: checkPart } : {};
    const columns = notEmpty(recordOf(aColumn));
    return closedObject({ columns, compute: aFunction, ...part, ...confirm }, ['columns', 'compute']);
  },
  references: ({ columns }) => Object.values(columns),
  plan({ name, field, columns, ids }, source) {
    const inputs = Object.entries(source.columns).map(([label, reference]) => {
      const column = columns.get(reference);
      return { label, position: columns.select(column), value: rawValue(column) };
    });
    const read = ids(name, field, source.part).reader(resultReader(name, field));
    return {
      positions: inputs.map(({ position }) => position),
      isNone: () => false,
      read(row) {
        const held = inputs.map(({ label, position, value }) => [
          label,
          value((row as RawRow)[cell(position)]),
        ]);
        return read(source.compute(Object.fromEntries(held)));
      },
    };
  },
};

/** The kinds of descriptions, by their keyword; without any of these keywords, a description is of a column. */
const KINDS: Readonly<Record<string, DescriptionKind<never>>> = {
  value: constant,
  columns,
  cases,
  until,
  count,
};

function kindOf(source: object): DescriptionKind<object> {
  const keyword = Object.keys(KINDS).find((name) => name in source);
  return (KINDS[keyword ?? ''] ?? column) as DescriptionKind<object>;
}

export function fieldSourceCheck(described: Described, isKey: boolean): Check {
  const { required } = described.field;
  return (given, path) => {
    if (isPlainObject(given)) {
      const { mayBeKey, check } = kindOf(given);
      if (isKey && !mayBeKey)
        throw wrong(path, 'must name one or several columns, because this field is the key of the list');
      check(described)(given, path);
    } else if (!isColumnName(given) && (required || given !== false)) {
      const others = required
        ? ' or a description, because this field is always present'
        : ', a description or false';
      throw wrong(path, `must be the name of a column${others}`);
    }
  };
}

/** Returns the object that describes a field; null if the field is not read. */
function descriptionOf(source: FieldSource | undefined): object | null {
  return typeof source === 'string' ? { column: source } : source || null;
}

export function columnReferences(source: FieldSource | undefined, name: string): readonly string[] {
  const description = descriptionOf(source);
  return description ? kindOf(description).references(description, name) : [];
}

/** Returns how a field is read; null if it is not. Every column that its source names must exist. @internal */
export function planField(parts: FieldParts, source: FieldSource | undefined): FieldPlan | null {
  const { name, field } = parts;
  const description = descriptionOf(source);
  return description && { name, field, ...kindOf(description).plan(parts, description) };
}
