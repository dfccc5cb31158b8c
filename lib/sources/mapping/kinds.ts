import type { Field } from '../../fields';
import { type Check, isPlainObject, wrong } from '../checks';
import { type CasesSource, cases } from './cases';
import { type ColumnSource, column } from './column';
import { type ColumnsSource, columns } from './computed';
import { type ConstantSource, constant } from './constant';
import { type Described, type DescriptionKind, isColumnName } from './description';
import type { Absent, FieldParts, FieldPlan } from './FieldPlan';

/** The kinds of descriptions, by their keyword; without any of these keywords, a description is of a column. */
const KINDS: Readonly<Record<string, DescriptionKind<never>>> = { value: constant, columns, cases };

/** How a field is read: from a column by its name, as described, or not at all (`false`). */
export type FieldSource<F extends Field = Field> =
  | string
  | (F extends { readonly required: true } ? never : false)
  | ConstantSource<F>
  | Flat<ColumnSource<F>>
  | CasesSource<F>
  | ColumnsSource;

/** Merges an intersection into one object type, so that editors and the compiler show its members. */
type Flat<T> = { [K in keyof T]: T[K] };

export type FieldSources = Readonly<Record<string, FieldSource>>;

function kindOf(source: object): DescriptionKind<object> {
  const keyword = Object.keys(KINDS).find((name) => name in source);
  return (KINDS[keyword ?? ''] ?? column) as DescriptionKind<object>;
}

/** Returns the object that describes a field; null if the field is not read. */
function descriptionOf(source: FieldSource | undefined): object | null {
  return typeof source === 'string' ? { column: source } : source || null;
}

/** Checks the description of a field, which may be the list's key. */
export function fieldSourceCheck(described: Described, isKey: boolean): Check {
  return (given, path) => {
    if (isPlainObject(given)) {
      const { mayBeKey, check } = kindOf(given);
      if (isKey && !mayBeKey)
        throw wrong(path, 'must name one or several columns, because this field is the key of the list');
      check(described)(given, path);
    } else if (described.field.required && !isColumnName(given)) {
      throw wrong(
        path,
        'must be the name of a column or a description, because this field is always present',
      );
    } else if (given !== false && !isColumnName(given)) {
      throw wrong(path, 'must be the name of a column, a description or false');
    }
  };
}

/** Returns the columns that the description of this field names. */
export function columnReferences(source: FieldSource | undefined, name: string): readonly string[] {
  const description = descriptionOf(source);
  return description ? kindOf(description).references(description, name) : [];
}

/** Decides how a field is read from the live columns. */
export function planField(parts: FieldParts, source: FieldSource | undefined): FieldPlan | Absent {
  const description = descriptionOf(source);
  return description ? kindOf(description).plan(parts, description) : { absent: [] };
}
