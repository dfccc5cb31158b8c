import type { Field } from '../fields';
import { rawText } from '../fields/raw';

const DECIMAL = /^([+-]?)(\d{1,40})(?:\.(\d{0,40}))?$/;

/** Reads numbers of a unit that is so many of the field's own, rounded, without losing a digit. */
export function scaledReader(field: Field, factor: number): (raw: unknown) => unknown {
  const made = field.reader();
  return (raw) => {
    const text = rawText(raw)?.trim() ?? '';
    const decimal = DECIMAL.exec(text);
    if (decimal) return made(scaled(decimal, BigInt(factor)));
    const number = text === '' ? Number.NaN : Number(text);
    return Number.isFinite(number) ? made(Math.round(number * factor)) : null;
  };
}

function scaled([, sign = '', whole = '', fraction = '']: readonly string[], factor: bigint): bigint {
  const one = 10n ** BigInt(fraction.length);
  const rounded = (2n * BigInt(whole + fraction) * factor + one) / (2n * one);
  return sign === '-' ? -rounded : rounded;
}
