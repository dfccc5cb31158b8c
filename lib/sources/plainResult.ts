import type { Field } from '../fields';

/** Whether an array can be a value of the field. */
export function takesLists({ kind }: Field): boolean {
  return kind === 'list' || kind === 'made';
}

/**
 * What a function of the panel's gave, if a field can be read from it: text (also as bytes), a number, a boolean, a time, or with
 * `list` an array of them. Anything else is nothing, a promise too, which nobody waits for.
 */
export function plainResult(value: unknown, list: boolean): unknown {
  if (list && Array.isArray(value)) return value.map((member) => plainResult(member, false));
  // Nobody would hear of its failure, and that ends a process.
  if (value instanceof Promise) value.catch(() => undefined);
  if (value instanceof Uint8Array) return value;
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value;
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  return PLAIN.has(typeof value) ? value : null;
}

const PLAIN: ReadonlySet<string> = new Set(['string', 'bigint', 'boolean']);
