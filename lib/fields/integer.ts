import type { Field, Raw } from './Field';
import { plainField } from './plainField';
import { type Integer, readInteger } from './readInteger';

export function integer(description: string): Field<Integer> {
  return plainField({ type: 'integer', description }, readInteger);
}

/** A whole number that cannot be below zero: a negative one, many panels' "no limit", reads as null. */
export function count(description: string): Field<Integer> {
  return plainField({ type: 'integer', minimum: 0, description }, readCount);
}

function readCount(raw: Raw): Integer | null {
  const value = readInteger(raw);
  return value === null || value < 0 ? null : value;
}
