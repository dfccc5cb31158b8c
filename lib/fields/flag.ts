import type { Field, Raw } from './Field';
import { plainField } from './plainField';
import { rawText } from './rawText';

export const TRUE_WORDS = new Set(['1', 'y', 'yes', 't', 'true', 'on', 'enabled', 'active']);
export const FALSE_WORDS = new Set(['0', 'n', 'no', 'f', 'false', 'off', 'disabled', 'inactive', '']);

/** A boolean, from a boolean, a number, a bit or a word such as `y` and `No`. */
export function flag(description: string): Field<boolean> {
  return { ...plainField('flag', { type: 'boolean', description }, readFlag, false), filterable: true };
}

export function readFlag(raw: Raw): boolean | null {
  if (typeof raw === 'boolean') return raw;
  if (typeof raw === 'number' || typeof raw === 'bigint') return raw !== 0 && raw !== 0n;
  // BIT(1) comes as one byte.
  if (raw instanceof Uint8Array && raw.length === 1 && (raw[0] ?? 0) < 2) return raw[0] === 1;
  const word = rawText(raw)?.trim().toLowerCase();
  if (word === undefined) return null;
  // PostgreSQL's driver gives numbers as they are written.
  if (/^[+-]?\d+(?:\.\d*)?$/.test(word)) return Number(word) !== 0;
  if (TRUE_WORDS.has(word)) return true;
  return FALSE_WORDS.has(word) ? false : null;
}
