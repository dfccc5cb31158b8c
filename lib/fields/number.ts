import type { Field, Raw } from './Field';
import { plainField } from './plainField';
import { rawText } from './rawText';

export function number(description: string): Field<number> {
  return plainField('number', { type: 'number', description }, readNumber);
}

/** A share from 0 to 100; what lies outside is drawn to the nearer end. */
export function percent(description: string): Field<number> {
  const schema = { type: 'number', minimum: 0, maximum: 100, description };
  return plainField('number', schema, (raw: Raw) => {
    const value = readNumber(raw);
    return value === null ? null : Math.min(100, Math.max(0, value));
  });
}

function readNumber(raw: Raw): number | null {
  const text = rawText(raw)?.trim();
  const value = text ? Number(text) : Number.NaN;
  return Number.isFinite(value) ? value : null;
}
