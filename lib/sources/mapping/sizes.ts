import { rawText } from '../../fields/raw';
import { type Check, oneOf } from '../checks';

/**
 * The unit of a column. KB, MB, GB and TB are powers of 1024, as panels use them. With `text`, each value names its own
 * (`1.5 GiB`) or is in bytes.
 */
export type Unit = 'KB' | 'MB' | 'GB' | 'TB' | 'text' | 'seconds' | 'minutes';

/** The units that columns of each kind of field may have, as multiples of the field's unit. */
const UNITS: Readonly<Record<string, Readonly<Partial<Record<Unit, number>>>>> = {
  bytes: { KB: 2 ** 10, MB: 2 ** 20, GB: 2 ** 30, TB: 2 ** 40, text: 1 },
  milliseconds: { seconds: 1000, minutes: 60_000 },
};

/** Returns the check of the keyword `unit` for fields of this kind; nothing if they have no unit. */
export function unitKeyword(kind: string): Readonly<Record<string, Check>> {
  return UNITS[kind] ? { unit: oneOf(Object.keys(UNITS[kind])) } : {};
}

/** Returns what a number of the column is multiplied by. */
export function factorOf(kind: string, unit: Unit): number {
  return UNITS[kind]?.[unit] ?? 1;
}

/** Returns the reader of numbers with this unit as whole ones of the field's unit; null for what is none. */
export function amountReader(unit: Unit, factor: number): (raw: unknown) => bigint | number | null {
  return (raw) => {
    const text = rawText(raw)?.trim() ?? '';
    const decimal = DECIMAL.exec(text);
    if (decimal) return scaled(decimal, BigInt(factor));
    const written = unit === 'text' ? WITH_UNIT.exec(text) : null;
    if (written) return scaled(written, 1024n ** BigInt(LETTERS.indexOf(written[4]?.toUpperCase() ?? '')));
    const number = text === '' ? Number.NaN : Number(text);
    return Number.isFinite(number) ? Math.round(number * factor) : null;
  };
}

const DECIMAL = /^([+-]?)(\d{1,40})(?:\.(\d{0,40}))?$/;
const WITH_UNIT = /^([+-]?)(\d{1,40})(?:\.(\d{0,40}))?\s*(?:([KMGTP])?(?:i?B)?|bytes?)$/i;
/** The first letters of the units, each 1,024 times the one before it. */
const LETTERS = ['', 'K', 'M', 'G', 'T', 'P'];

/** Multiplies the decimal by the factor exactly, and rounds the result. */
function scaled([, sign = '', whole = '', fraction = '']: readonly string[], factor: bigint): bigint {
  const one = 10n ** BigInt(fraction.length);
  const rounded = (2n * BigInt(whole + fraction) * factor + one) / (2n * one);
  return sign === '-' ? -rounded : rounded;
}
