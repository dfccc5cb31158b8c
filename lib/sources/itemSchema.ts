import type { Column } from '../database/Column';
import type { Fields } from '../fields';
import { valueSchema } from '../fields/Field';
import type { ItemSchema } from './Source';

/** The schema of an item with exactly these of the declared fields, as their columns let them be. */
export function itemSchema(
  fields: Fields,
  served: readonly string[],
  columns: ReadonlyMap<string, Column> = new Map(),
): ItemSchema {
  const properties = Object.entries(fields)
    .filter(([name]) => served.includes(name))
    .map(([name, field]) => [name, valueSchema(field, columns.get(name))]);
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    required: properties.map(([name]) => name),
    additionalProperties: false,
  };
}
