import { type Column, isBinaryColumn, isIntegerColumn } from '../database/Column';
import type { JsonSchema } from '../json/JsonSchema';
import type { Field, Raw } from './Field';
import { plainField } from './plainField';
import { rawText } from './rawText';
import { type Integer, readInteger } from './readInteger';

export type Id = Integer | string;

/**
 * A key: an integer where the panel's column is one, otherwise a string. `refersTo` names the list whose ids it
 * holds, where that is not its own.
 */
export function id(description: string, refersTo?: string): Field<Id> {
  const schemaOf = (column: Column): JsonSchema => ({
    type: isIntegerColumn(column) ? 'integer' : 'string',
    description,
  });
  return {
    kind: 'id',
    schema: { type: ['integer', 'string'], description },
    schemaOf,
    reader: (column) => {
      if (!column) return readId;
      return isIntegerColumn(column) ? readWhole : rawText;
    },
    refuses: (column) =>
      isBinaryColumn(column) ? `is ${column.type} and must be an integer or text` : undefined,
    required: false,
    filterable: true,
    ...(refersTo === undefined ? {} : { refersTo }),
  };
}

/** A key that is an integer at every panel. */
export function integerId(description: string): Field<Integer> {
  return {
    ...plainField('id', { type: 'integer', description }, readWhole),
    refuses: (column) =>
      isIntegerColumn(column) ? undefined : `is ${column.type || 'untyped'} and must be an integer`,
    filterable: true,
  };
}

// A number that is cut off is the id of another row. SQLite keeps fractions and bytes in columns of whole numbers, too.
function readWhole(raw: Raw): Integer | null {
  const isWhole = typeof raw === 'number' ? Number.isInteger(raw) : !(raw instanceof Uint8Array);
  return isWhole ? readInteger(raw) : null;
}

function readId(raw: Raw): Id | null {
  return typeof raw === 'number' || typeof raw === 'bigint' ? readInteger(raw) : rawText(raw);
}
