import type { Field, FieldKind } from '../../fields';
import type { Confirmation } from '../findings';
import type { ListIds } from '../ids';
import { must, orSeveral, type Validator } from '../validators';
import type { FieldPlan } from './FieldPlan';
import type { LiveColumns } from './LiveColumns';

// What all kinds of descriptions share.

export type ValueOf<F extends Field> = F extends Field<infer T> ? T : never;

/** A value that a mapping may map to: one of the field's words, or any value of its type if it has no words. */
export type Mapped<F extends Field> = F extends { readonly words: readonly (infer W)[] } ? W : ValueOf<F>;

/** `Keyword` for fields with values of type `T` and for fields of unknown type; never for other fields. */
export type Only<F extends Field, T, Keyword> =
  unknown extends ValueOf<F> ? Keyword : ValueOf<F> extends T ? Keyword : never;

/** What every description of columns may say. */
export interface Confirmable {
  /**
   * Silences what `panel-api check` says about the values of the field, because they are meant: one finding by its code,
   * several by theirs, or with `true` all.
   */
  readonly confirm?: Confirmation;
}

export const confirmation = orSeveral(
  must(
    'must be true, the code of a finding or an array of codes',
    (code) => code === true || (typeof code === 'string' && /^[a-z_]+$/.test(code)),
  ),
);

export const confirm = { confirm: confirmation };

/** The validators of a `part`, and of a description that counts rows; null if the field may not. @internal */
export type OtherValidators = { readonly part: Validator; readonly count: Validator | null };

/** A kind of description: how it is validated, which columns it names, and how the field is read. @internal */
export interface DescriptionKind<Source> {
  validate(field: Field, others: OtherValidators): Validator;
  /** Returns the columns that the description of this field names. */
  references(source: Source, name: string): readonly string[];
  /** Plans the field if all of these columns exist. */
  plan(
    parts: {
      readonly name: string;
      readonly field: Field;
      readonly columns: LiveColumns;
      readonly ids: ListIds;
    },
    source: Source,
  ): Omit<FieldPlan, 'name' | 'field' | 'cells'>;
}

/** Whether a value can be a column's name. knex would read one with ` as ` in it as an alias. */
export const isColumnName = (value: unknown): boolean =>
  typeof value === 'string' && /^(?!.*\s[aA][sS]\s).*\S.*$/.test(value);

export const aColumn = must('must be the name of a column', isColumnName);

const isSentinel = (value: unknown): boolean =>
  ['string', 'number', 'bigint', 'boolean'].includes(typeof value);

/** Validates column values that have the same meaning. */
export const sentinels = orSeveral(
  must('must be a string, a number or a boolean, or an array of these', isSentinel),
);

/** Validates a column's values in a case; null stands for NULL. */
export const requiredValues = orSeveral(
  must(
    'must be a string, a number, a boolean or null, or an array of these',
    (value) => value === null || isSentinel(value),
  ),
);

const TYPES = {
  'a string': (value: unknown) => typeof value === 'string',
  'a number': (value: unknown) => typeof value === 'bigint' || Number.isFinite(value),
  'a whole number': (value: unknown) => typeof value === 'bigint' || Number.isInteger(value),
  'a boolean': (value: unknown) => typeof value === 'boolean',
  'an array of strings': (value: unknown) => Array.isArray(value) && value.every(TYPES['a string']),
} as const;

/** The types of the values that a field can be described with, as a constant or in a mapping. Default: a string. */
const TYPES_OF: Readonly<Partial<Record<FieldKind, readonly (keyof typeof TYPES)[]>>> = {
  flag: ['a boolean'],
  id: ['a whole number', 'a string'],
  number: ['a number'],
  bytes: ['a number'],
  milliseconds: ['a number'],
  list: ['an array of strings'],
  any: ['a string', 'a number', 'a boolean', 'an array of strings'],
};

const either = new Intl.ListFormat('en', { type: 'disjunction' });

export function mappedValue({ kind }: Field, mayBeNull = true): Validator {
  const types = TYPES_OF[kind] ?? ['a string'];
  return must(
    `must be ${either.format([...types, ...(mayBeNull ? ['null'] : [])])}`,
    (value) => (mayBeNull && value === null) || types.some((type) => TYPES[type](value)),
  );
}

/** Returns the field's value for words that its mapping does not contain. */
export function unmappedValue(field: Field, { otherwise }: { readonly otherwise?: unknown }): unknown {
  return otherwise === undefined ? (field.unmapped ?? null) : field.reader()(otherwise);
}

/** Returns all words of a field that is mapped to these values; undefined if it has no words or may have others. */
export function closedWords(
  { schema, filterable, derivation, required, fallback }: Field,
  values: readonly unknown[],
): readonly string[] | undefined {
  if (schema.type !== 'string' || !filterable || derivation) return undefined;
  const shown = values.map((value) => value ?? (required ? fallback : null));
  const words = new Set(shown.filter((value) => typeof value === 'string'));
  return words.size > 0 ? [...words] : undefined;
}
