import { ALWAYS, NEVER } from '../../database/columns';
import type { Field } from '../../fields';
import { isOneOf } from '../filters';
import {
  aFunction,
  closedObject,
  isPlainObject,
  notEmpty,
  recordOf,
  type Validator,
  wrong,
} from '../validators';
import { type CasesSource, cases } from './cases';
import { column } from './column';
import type { ColumnSource } from './columnReaders';
import {
  aColumn,
  type Confirmable,
  closedWords,
  confirm,
  type DescriptionKind,
  isColumnName,
  type Mapped,
  mappedValue,
  type ValueOf,
} from './description';
import type { RawRow } from './FieldPlan';
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
  validate: (field) => closedObject({ value: mappedValue(field, !field.required) }),
  references: () => [],
  plan({ name, field, ids }, { value }) {
    const constant = ids(name, field).reader(field.reader())(value);
    const { fallback, required, derivation, filterable } = field;
    const shown = constant ?? (required ? fallback : null);
    return {
      columns: [],
      read: () => constant,
      words: closedWords(field, [constant]),
      pushDown: filterable && ((wanted) => (derivation || isOneOf(shown, wanted) ? ALWAYS : NEVER)),
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

/** `CountingSource` fills it in. */
const count: DescriptionKind<CountSource> = {
  validate: (_, { count }) => count,
  references: () => [],
  plan: () => ({ columns: [], read: () => null }),
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
  validate(field, others) {
    const part = field.kind === 'id' ? { part: others.part } : {};
    const columns = notEmpty(recordOf(aColumn));
    return closedObject({ columns, compute: aFunction, ...part, ...confirm }, ['columns', 'compute']);
  },
  references: ({ columns }) => Object.values(columns),
  plan({ name, field, columns, ids }, source) {
    const inputs = Object.entries(source.columns).map(([label, reference]) => {
      const column = columns.get(reference);
      return { label, column: columns.select(column), value: rawValue(column) };
    });
    const read = ids(name, field, source.part).reader(resultReader(name, field));
    return {
      columns: inputs.map(({ column }) => column),
      isNone: () => false,
      read(row) {
        const given = inputs.map(({ label, column, value }) => [label, value((row as RawRow)[column.cell])]);
        return read(source.compute(Object.fromEntries(given)));
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

export function validateFieldSource(
  field: Field,
  isKey: boolean,
  others: { readonly part: Validator; readonly count: Validator },
): Validator {
  const { required } = field;
  return (given, path) => {
    if (isPlainObject(given)) {
      const kind = kindOf(given);
      if (isKey && kind !== column && kind !== columns)
        throw wrong(path, 'must name one or several columns, because this field is the key of the list');
      kind.validate(field, others)(given, path);
    } else if (!isColumnName(given) && (required || given !== false)) {
      const forms = required
        ? ' or a description, because this field is always present'
        : ', a description or false';
      throw wrong(path, `must be the name of a column${forms}`);
    }
  };
}

/** Returns how a field is described, and the object that does so; null if the field is not read. @internal */
export function describedBy(
  source: FieldSource | undefined,
): readonly [DescriptionKind<object>, object] | null {
  const description = typeof source === 'string' ? { column: source } : source || null;
  return description && [kindOf(description), description];
}
