import type { JsonSchema } from '../json/JsonSchema';
import { type Column, isIntegerColumn } from '../sources/Column';
import type { Field } from './Field';
import { plainField } from './plainField';
import { rawText } from './rawText';
import { type Integer, readInteger } from './readInteger';

export type Id = Integer | string;

/** A key: an integer where the panel's column is one, otherwise a string. */
export function id(description: string): Field<Id> {
  const schemaOf = (column: Column): JsonSchema => ({
    type: isIntegerColumn(column) ? 'integer' : 'string',
    description,
  });
  return {
    schema: { type: ['integer', 'string'], description },
    schemaOf,
    reader: (column) => (isIntegerColumn(column) ? readInteger : rawText),
    required: false,
  };
}

/** A key that is an integer at every panel. */
export function integerId(description: string): Field<Integer> {
  return {
    ...plainField({ type: 'integer', description }, readInteger),
    refuses: (column) =>
      isIntegerColumn(column) ? undefined : `is ${column.type || 'untyped'} and must be an integer`,
  };
}
