import type { Field } from '../../fields';
import type { FieldKind } from '../../fields/Field';
import { rawText } from '../../fields/raw';
import type { Unit } from '../SourceOptions';

/** The units that a field of a kind may be given in, and how many of the field's own one of them is. */
export const UNITS: Readonly<Partial<Record<FieldKind, Readonly<Partial<Record<Unit, number>>>>>> = {
  bytes: { KB: 2 ** 10, MB: 2 ** 20, GB: 2 ** 30, TB: 2 ** 40 },
  milliseconds: { seconds: 1000, minutes: 60_000 },
};

/** How many of the field's own unit one of this unit is. */
export function unitFactor(kind: FieldKind, unit: Unit): number {
  return UNITS[kind]?.[unit] ?? 1;
}

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
