import type { Raw } from './Field';
import { rawText } from './rawText';

/** A bigint only where a number would lose digits. */
export type Integer = number | bigint;

/** Reads a whole number without losing a digit; decimals are cut off, anything else is null. */
export function readInteger(raw: Raw): Integer | null {
  if (typeof raw === 'number') return Number.isFinite(raw) ? Math.trunc(raw) : null;
  if (typeof raw === 'bigint') return narrow(raw);
  if (typeof raw === 'boolean') return Number(raw);
  const text = rawText(raw)?.trim() ?? '';
  // PostgreSQL writes large floating-point numbers with an exponent.
  if (/^[+-]?\d+(?:\.\d+)?e[+-]?\d{1,3}$/i.test(text)) return readInteger(Number(text));
  const digits = /^([+-]?\d{1,40})(?:\.\d*)?$/.exec(text)?.[1];
  return digits === undefined ? null : narrow(BigInt(digits.replace('+', '')));
}

function narrow(value: bigint): Integer {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}
