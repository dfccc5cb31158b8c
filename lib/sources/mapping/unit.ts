import type { Field } from '../../fields';
import type { FieldKind } from '../../fields/Field';
import { type Integer, rawText } from '../../fields/raw';
import { oneOf } from '../checks';
import type { ColumnReading, Only } from './description';
import { numberRange } from './ranges';

/** KB, MB, GB and TB are powers of 1024, as panels use them. */
type Unit = 'KB' | 'MB' | 'GB' | 'TB' | 'seconds' | 'minutes';

export interface UnitKeywords<F extends Field = Field> {
  /** For sizes and durations: the unit of the column. Default: the field's unit. */
  readonly unit?: Only<F, Integer, Unit>;
}

/** The units that columns of each kind of field may have, as multiples of the field's unit. */
const UNITS: Readonly<Partial<Record<FieldKind, Readonly<Partial<Record<Unit, number>>>>>> = {
  bytes: { KB: 2 ** 10, MB: 2 ** 20, GB: 2 ** 30, TB: 2 ** 40 },
  milliseconds: { seconds: 1000, minutes: 60_000 },
};

export const unit: ColumnReading<UnitKeywords> = {
  keywords: ({ kind }) => (UNITS[kind] ? { unit: oneOf(Object.keys(UNITS[kind])) } : {}),
  isAsked: ({ unit }) => unit !== undefined,
  plan({ field, column }, { unit }) {
    const read = field.reader();
    const factor = UNITS[field.kind]?.[unit as Unit] ?? 1;
    return {
      range: numberRange(column, field, factor),
      factor,
      read(raw) {
        const text = rawText(raw)?.trim() ?? '';
        const decimal = DECIMAL.exec(text);
        if (decimal) return read(scaled(decimal, BigInt(factor)));
        const number = text === '' ? Number.NaN : Number(text);
        return Number.isFinite(number) ? read(Math.round(number * factor)) : null;
      },
    };
  },
};

const DECIMAL = /^([+-]?)(\d{1,40})(?:\.(\d{0,40}))?$/;

/** Multiplies the decimal by the factor exactly, and rounds the result. */
function scaled([, sign = '', whole = '', fraction = '']: readonly string[], factor: bigint): bigint {
  const one = 10n ** BigInt(fraction.length);
  const rounded = (2n * BigInt(whole + fraction) * factor + one) / (2n * one);
  return sign === '-' ? -rounded : rounded;
}
