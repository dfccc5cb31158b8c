import type { Field, FieldKind, Raw } from './Field';
import { plainField } from './plainField';
import { type Integer, readInteger } from './readInteger';

export function integer(description: string): Field<Integer> {
  return plainField('number', { type: 'integer', description }, readInteger);
}

/** A whole number that cannot be below zero: a negative one, many panels' "no limit", reads as null. */
export function count(description: string): Field<Integer> {
  return countOf('number', description);
}

/** A size in bytes. */
export function bytes(description: string): Field<Integer> {
  return countOf('bytes', description);
}

/** A duration in milliseconds. */
export function milliseconds(description: string): Field<Integer> {
  return countOf('milliseconds', description);
}

function countOf(kind: FieldKind, description: string): Field<Integer> {
  return plainField(kind, { type: 'integer', minimum: 0, description }, readCount);
}

function readCount(raw: Raw): Integer | null {
  const value = readInteger(raw);
  return value === null || value < 0 ? null : value;
}
