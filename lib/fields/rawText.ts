import type { Raw } from './Field';

/** The raw value as well-formed text; null where it holds none. Bytes that are no UTF-8 become U+FFFD. */
export function rawText(raw: Raw): string | null {
  if (raw === null || raw === undefined) return null;
  if (typeof raw === 'string') return raw.toWellFormed();
  if (raw instanceof Uint8Array) return Buffer.from(raw).toString('utf8');
  if (raw instanceof ArrayBuffer) return Buffer.from(raw).toString('utf8');
  if (raw instanceof Date) return Number.isNaN(raw.getTime()) ? null : raw.toISOString();
  if (typeof raw === 'object') return JSON.stringify(raw);
  return String(raw);
}
