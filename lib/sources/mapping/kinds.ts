import { ALWAYS, NEVER } from '../../database/columns';
import { type Field, type FieldKind, type Fields, keyName } from '../../fields';
import { looksLikeCredential, splitKeyWords } from '../../masking/credentials';
import { maskCommand } from '../../masking/maskCommand';
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
  type OtherValidators,
  type ValueOf,
} from './description';
import type { RawRow } from './FieldPlan';
import { type RawValue, rawValue, resultReader } from './results';
import { type Until, until } from './until';

/** How a field is read: from a column by its name, as described, or not at all (`false`). */
export type FieldSource<F extends Field = Field> =
  | string
  | (F extends { readonly required: true } ? never : false)
  | Members<
      | ConstantSource<F>
      | ColumnSource<F>
      | CasesSource<F>
      | Until<F>
      | (unknown extends ValueOf<F> ? CountSource : never)
      | ColumnsSource
    >;

/**
 * The members of each type, which the compiler then compares one by one, and editors and errors show, and no member of
 * the others, so that the compiler suggests the one that was meant.
 */
type Members<T> = T extends unknown
  ? { [K in keyof T]: T[K] } & { readonly [K in Exclude<Keyword, keyof T>]?: never }
  : never;

type Keyword = keyof ColumnSource | keyof CasesSource | keyof ColumnsSource | 'value' | 'until' | 'count';

export type FieldSources = Readonly<Record<string, FieldSource>>;

/** The same value for every row. */
interface ConstantSource<F extends Field = Field> extends Confirmable {
  readonly value: Mapped<F> | null;
}

const constant: DescriptionKind<ConstantSource> = {
  validate: (field) => closedObject({ value: mappedValue(field, !field.required), ...confirm }),
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
export interface CountSource extends Confirmable {
  /** The list. */
  readonly count: string;
  /** For each field the values that a row must have, as the API shows them. */
  readonly where?: Readonly<Record<string, CountedValue | readonly CountedValue[]>>;
}

type CountedValue = string | number | bigint | boolean;

const notCounted: Validator = (_, path) => {
  throw wrong(`${path}.count`, 'is not allowed, because this field is no number of an account');
};

/** `CountingSource` fills it in. */
const count: DescriptionKind<CountSource> = {
  validate: (_, { count }) => count ?? notCounted,
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

/** @internal */
export function validateFieldSource(field: Field, isKey: boolean, others: OtherValidators): Validator {
  const { required } = field;
  return (given, path) => {
    if (isPlainObject(given)) {
      if (isPlainObject(given.value))
        throw wrong(`${path}.value`, 'is an object: a mapping is called `values`');
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

/** How the fields of a list are described. @internal */
export interface DescribedFields {
  readonly fields: Fields;
  readonly sources: FieldSources;
  /** Whether fields without a description are read from the column of their name. */
  readonly byName: boolean;
}

/** @internal */
export function sourceOf(name: string, { sources, byName }: DescribedFields): FieldSource | undefined {
  return Object.hasOwn(sources, name) ? sources[name] : byName ? name : undefined;
}

const TEXTS: ReadonlySet<FieldKind> = new Set(['text', 'list', 'id', 'word', 'any']);

/**
 * Returns why the texts of a field may be secret, as the end of a sentence, and how they are masked if the panel confirms
 * it; undefined if they are not. They may be if the name of a column is that of a credential, or if a masked field is
 * read from the same column. A description that shows words of its own, and no text of the column, keeps a secret.
 * @internal
 */
export function secretIn(name: string, described: DescribedFields) {
  const { fields } = described;
  const field = fields[name] as Field;
  const source = sourceOf(name, described);
  const showsText = TEXTS.has(field.kind) && !field.isMasked && !('values' in Object(source));
  if (!showsText || (field.kind === 'word' && ['from', 'compute'].some((one) => one in Object(source))))
    return undefined;
  const columns = shownColumns(name, described);
  const secret = columns.find(isCredentialColumn);
  // The keys of settings are an allow-list.
  const isAllowed = name === keyName(fields) && fields.value?.isMasked;
  if (secret !== undefined && !isAllowed)
    return {
      why: `shows the column ${secret}, whose name is that of a credential`,
      // The first word of a command is shown.
      mask: (text: string) => maskCommand(`x ${text}`).slice(2),
    };
  const names = columns.map(foldedName);
  const masked = Object.keys(fields).find(
    (other) =>
      fields[other]?.isMasked &&
      // A masked field that is not read still names a column with secrets.
      [other, ...shownColumns(other, described)].some((column) => names.includes(foldedName(column))),
  );
  if (masked === undefined) return undefined;
  return { why: `shows the column of ${masked}, of which only a part is shown`, mask: maskCommand };
}

/** The columns of which a field can show the values. */
function shownColumns(name: string, described: DescribedFields): readonly string[] {
  const [kind, description] = describedBy(sourceOf(name, described)) ?? [];
  return kind === column || kind === columns ? kind.references(description as object, name) : [];
}

// MySQL finds a column in any case of its letters.
const foldedName = (reference: string) => lastPart(reference).toLowerCase();
const lastPart = (reference: string) => reference.slice(reference.lastIndexOf('.') + 1);

/** The words of names that identify something: the id of a credential, a row by its `key`, a file by its `s3_key`. */
const IDENTIFIER =
  /(?:^| )id$|^(?:role )?key$|^(?:account|blob|customer|domain|event|file|group|idempotency|job|label|name|package|path|plan|project|queue|region|routing|s|site|status|storage|task|type|unit|user|website|zone) key$|\b(?:cert|certificate|commit|content|file|git) hash$|\b(?:cert|certificate|chain|csr|fullchain) pem$/;

function isCredentialColumn(reference: string): boolean {
  const name = lastPart(reference);
  return looksLikeCredential(name) && !IDENTIFIER.test(splitKeyWords(name).join(' '));
}
