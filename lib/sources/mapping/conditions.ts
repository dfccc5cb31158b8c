import {
  ALWAYS,
  allOf,
  anyOf,
  type Bounds,
  type Column,
  type Comparison,
  isIntegerColumn,
  isTimeColumn,
  type SqlCondition,
  widened,
} from '../../database/columns';
import type { Dialect } from '../../database/Dialect';
import { printable } from '../../errors/printable';
import type { Field } from '../../fields';
import { isOneOf } from '../filters';
import { isPlainObject } from '../validators';
import type { PushDown } from './FieldPlan';
import { type Sentinel, sentinelTest, sentinelTexts, spellings, withDecimals } from './sentinels';

/** Whether a filter includes a value of a field; with `none`, null too. */
export function isWanted(value: unknown, wanted: ReadonlySet<string>, none: boolean): boolean {
  return value === null ? none : isOneOf(value, wanted);
}

/** Whether a row without a value can match a filter: the field has a fallback, or is derived from other fields. */
export function mayBeNone({ required, fallback, derivation }: Field, wanted: ReadonlySet<string>): boolean {
  return derivation !== undefined || (required && fallback !== undefined && wanted.has(String(fallback)));
}

/** The words of which a column must contain one, as texts; if `negated`, none of them. */
export interface RequiredWords {
  readonly words: readonly string[];
  readonly negated: boolean;
  readonly orNull?: boolean;
}

/** `isRule`: whether they are words of a rule, for which a decimal without a fraction is a whole number. @internal */
export function holds(
  column: Column,
  { words, negated, orNull = false }: RequiredWords,
  isRule: boolean,
  dialect: Dialect,
): SqlCondition {
  const comparison = dialect.compare(column);
  // Bytes that are no text are read as this character.
  if (!comparison || words.some((word) => word.includes('\u{fffd}'))) return ALWAYS;
  const { bind, also, isText } = comparison;
  // If `negated`, a collation must not exclude a row that holds another word.
  const { left, right } = (negated ? comparison.exactly : undefined) ?? comparison;
  const spelt = isRule && isText && !negated ? words.flatMap(withDecimals) : words;
  const values = [...new Set(spelt)]
    .flatMap((word) => [bind(word), ...((!negated && also?.(word)) || [])])
    .filter((value) => value !== undefined);
  if (values.length === 0 && negated) return ALWAYS;
  const list = `(${values.map(() => right).join(', ')})`;
  return anyOf([
    ...(values.length > 0
      ? [{ sql: `${left} ${negated ? 'NOT IN' : 'IN'} ${list}`, bindings: [column.name, ...values] }]
      : []),
    ...(orNull ? [{ sql: '?? IS NULL', bindings: [column.name] }] : []),
  ]);
}

/** A value that a column must have; null stands for NULL. */
export type RequiredValue = Sentinel | null;

/** A column, the values of which it must have one, and the test of its values. */
export interface RequiredColumn {
  readonly column: Column;
  readonly words: ReadonlySet<string>;
  readonly orNull: boolean;
  readonly hasOne: (raw: unknown) => boolean;
}

export function requiredColumn(
  column: Column,
  values: RequiredValue | readonly RequiredValue[],
): RequiredColumn {
  const sentinels = [values].flat().filter((one) => one !== null);
  const orNull = [values].flat().includes(null);
  const isOne = sentinelTest(sentinels, column);
  const hasOne = (raw: unknown) => ((raw ?? null) === null ? orNull : isOne(raw));
  return { column, words: sentinelTexts(sentinels), orNull, hasOne };
}

type RequiredValues = RequiredValue | readonly RequiredValue[];

/**
 * For columns the value, or an array of values, that a row must have, compared as text and exactly; null stands for NULL.
 * With `not`, a row that has one of them is left out: NULL is left out only if null is among them.
 */
export type Where = Readonly<Record<string, RequiredValues | LeftOut>>;

interface LeftOut {
  /** A row that has this value, or one of these, is left out. NULL is left out only if null is among them. */
  readonly not: RequiredValues;
}

/**
 * Returns the exact condition that a row of a `where` meets: nothing tests these rows again. Returns the values that the
 * column cannot hold, if there are such. @internal
 */
export function isExactly(column: Column, given: Where[string], dialect: Dialect): SqlCondition | string {
  const negated = isPlainObject(given);
  const { words, orNull } = requiredColumn(column, (negated ? given.not : given) as RequiredValues);
  const usual = isTimeColumn(column) ? dialect.compareTime(column) : dialect.compare(column);
  const comparison = usual ?? dialect.compareKey(column);
  const { bind, also, exactly } = comparison;
  const bound = (word: string) => [bind(word), ...(also?.(word) ?? [])].filter((one) => one !== undefined);
  const isHeld = (word: string) => spellings(word).some((spelt) => bound(spelt).length > 0);
  const unfit = [...words].filter((word) => !isHeld(word));
  if (unfit.length > 0) return unfit.map((word) => `"${printable(word, 40)}"`).join(', ');
  const values = [...words].flatMap(bound);
  const listed = ({ left, right }: Pick<Comparison, 'left' | 'right'>): SqlCondition => ({
    sql: `${left} ${negated ? 'NOT IN' : 'IN'} (${values.map(() => right).join(', ')})`,
    bindings: [column.name, ...values],
  });
  const isNull = { sql: `?? IS ${orNull === negated ? 'NOT ' : ''}NULL`, bindings: [column.name] };
  if (values.length === 0) return isNull;
  // The plain comparison lets the database use an index.
  const isOne = allOf([...(exactly && !negated ? [listed(comparison)] : []), listed(exactly ?? comparison)]);
  // No comparison holds for NULL.
  return orNull === negated ? isOne : anyOf([isOne, isNull]);
}

/** Returns the condition that the column has one of these values; if `negated`, none of them. @internal */
export function hasRequired(
  { column, words, orNull }: RequiredColumn,
  negated: boolean,
  dialect: Dialect,
): SqlCondition {
  if (words.size === 0) return { sql: negated ? '?? IS NOT NULL' : '?? IS NULL', bindings: [column.name] };
  if (isTimeColumn(column)) return ALWAYS;
  return holds(column, { words: [...words], negated, orNull: orNull !== negated }, true, dialect);
}

/** The ranges of a column of numbers, each of which is `factor` of the field's. @internal */
export function numberRange(column: Column, { schema }: Field, factor = 1): PushDown<Bounds> {
  const isExact = factor === 1 && isIntegerColumn(column);
  const { minimum = -Infinity, maximum = Infinity } = schema as { minimum?: number; maximum?: number };
  return ({ from, to }, dialect) => {
    const divided = (bound: number | bigint) => (factor === 1 ? bound : Number(bound) / factor);
    const numbers: Bounds = {
      // Numbers outside may be read as the nearer end.
      from: from === null || from <= minimum ? null : divided(from),
      to: to === null || to >= maximum ? null : divided(to),
    };
    return dialect.within(column, isExact ? numbers : widened(numbers, 1 / factor));
  };
}
