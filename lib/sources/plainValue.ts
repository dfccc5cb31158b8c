/**
 * A value that a function of the panel's gave for a field; null for an object or a function, whose text could hold
 * what is no field's.
 */
export function plainValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plainValue);
  if (typeof value === 'function' || typeof value === 'symbol') return null;
  if (typeof value !== 'object' || value instanceof Date || value instanceof Uint8Array) return value;
  return value instanceof ArrayBuffer ? value : null;
}
