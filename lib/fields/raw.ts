import { toJson } from '../json/json';

/** Returns the raw value as well-formed text; null if there is none. Bytes that are not UTF-8 become U+FFFD. */
export function rawText(raw: unknown): string | null {
  if (raw === null || raw === undefined) return null;
  if (typeof raw === 'string') return raw.toWellFormed();
  if (raw instanceof Uint8Array) return Buffer.from(raw).toString('utf8');
  if (raw instanceof ArrayBuffer) return Buffer.from(raw).toString('utf8');
  if (raw instanceof Date) return Number.isNaN(raw.getTime()) ? null : raw.toISOString();
  if (typeof raw === 'object') return toJson(raw);
  return String(raw);
}

/** It is a bigint only if a number would lose digits. */
export type Integer = number | bigint;

const MOST_DIGITS = 40;
/** A whole number that loses no digit in floating point. */
const FEW_DIGITS = /^(?:0|-?[1-9]\d{0,14})$/;
const DIGITS = new RegExp(`^([+-]?\\d{1,${MOST_DIGITS}})(?:\\.\\d*)?$`);
const TOO_LARGE = 10n ** BigInt(MOST_DIGITS);
const TOO_SMALL = -TOO_LARGE;

/** Parses a whole number without losing digits. Decimals are truncated; anything else is null. */
export function readInteger(raw: unknown): Integer | null {
  if (typeof raw === 'number') return Number.isFinite(raw) ? Math.trunc(raw) : null;
  if (typeof raw === 'bigint') return raw > TOO_SMALL && raw < TOO_LARGE ? narrow(raw) : null;
  if (typeof raw === 'boolean' || (typeof raw === 'string' && FEW_DIGITS.test(raw))) return Number(raw);
  const text = rawText(raw)?.trim() ?? '';
  // PostgreSQL writes large floating-point numbers with an exponent.
  if (/^[+-]?\d+(?:\.\d+)?e[+-]?\d{1,3}$/i.test(text)) return readInteger(Number(text));
  const digits = DIGITS.exec(text)?.[1];
  return digits === undefined ? null : narrow(BigInt(digits.replace('+', '')));
}

/** Returns a whole number of any length as a number if that loses no digit. */
export function narrow(value: bigint): Integer {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}
