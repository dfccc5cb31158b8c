import type { Field } from '../fields';

/** Whether a row that holds no value passes: another stands in for it, or it is worked out from the row. */
export function mayBeNone({ required, fallback, derivation }: Field, wanted: ReadonlySet<string>): boolean {
  return derivation !== undefined || (required && fallback !== undefined && wanted.has(String(fallback)));
}
