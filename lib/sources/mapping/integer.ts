import { type Column, isIntegerColumn, isNumberColumn } from '../../database/columns';
import type { Field } from '../../fields';
import { type Integer, rawText, readInteger } from '../../fields/raw';
import { isTrue } from '../checks';
import { type ColumnReading, onlyFor, type ValueOf } from './description';

export interface IntegerKeywords<F extends Field = Field> {
  /**
   * For ids: reads whole numbers from a column of decimals or texts, or an untyped column of SQLite. Any other value
   * (`007`, `1.5`) reads as null. A column of texts then cannot be the key.
   */
  readonly integer?: Integer extends ValueOf<F> ? true : never;
}

export const integer: ColumnReading<IntegerKeywords> = {
  keywords: onlyFor('id', { integer: isTrue }),
  isAsked: ({ integer }) => integer === true,
  plan({ column: found, isKey }) {
    // SQLite can compare and sort an untyped column by its value.
    const isUntyped = found.type === '';
    const column = isUntyped ? { ...found, type: 'integer' } : found;
    // Filters compare a column of texts by its digits, and one of numbers by value.
    const whole = isNumberColumn(column) ? /^-?\d+(?:\.0*)?$/ : /^(?:0|-?[1-9]\d*)$/;
    return {
      column,
      shown: { ...column, type: 'bigint' },
      refused: refusedFor(column, isKey),
      read(raw) {
        // No page could begin after a text among numbers.
        if (isUntyped && typeof raw === 'string') return null;
        return whole.test(rawText(raw) ?? '') ? readInteger(raw) : null;
      },
    };
  },
};

// Texts are sorted digit by digit: 10 before 9.
function refusedFor(column: Column, isKey: boolean): string | null {
  const { type } = column;
  if (/^(?:decimal|numeric)/.test(type) || isIntegerColumn(column)) return null;
  if (!/char|text|enum/.test(type) || type.endsWith('[]'))
    return `has the type ${type}, which cannot contain whole numbers`;
  return isKey
    ? `has the type ${type}, which does not sort whole numbers by value: cast it to an integer in a view`
    : null;
}
