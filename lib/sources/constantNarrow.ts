import type { Field } from '../fields';
import type { Narrow } from './Condition';

/** How a filter on a field is decided that is the same in every row. */
export function constantNarrow({ fallback, required, derivation }: Field, value: unknown): Narrow {
  const shown = value ?? (required ? fallback : null) ?? null;
  return (wanted) => (derivation || (shown !== null && wanted.has(String(shown))) ? 'every' : 'none');
}
