import type { SourceReport } from '../sources/Source';

/** The names of the parameters that a list has at this installation. */
export function parameterNames({ filters, updatedSince }: SourceReport): readonly string[] {
  return ['limit', 'cursor', 'fields', ...(updatedSince ? ['updated_since'] : []), ...filters];
}
