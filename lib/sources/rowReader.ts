import type { Field } from '../fields';
import type { ReadContext } from '../fields/Field';
import type { PlannedField, RawRow } from './mapping/FieldPlan';
import { type Row, UnreadableRow } from './Source';

/**
 * Creates the function that turns a raw row into an item. Derived fields are computed before fallbacks are filled in.
 */
export function rowReader(fields: readonly PlannedField[]): (raw: RawRow, context: ReadContext) => Row {
  const derived = fields.filter(({ field }) => field.derivation);
  const filled = fields.filter(({ field }) => field.required || Array.isArray(field.fallback));
  // Copying an object with all fields is faster than adding them one by one.
  const blank: Record<string, unknown> = Object.fromEntries(fields.map(({ name }) => [name, null]));
  return (raw, context) => {
    const item = { ...blank };
    for (let index = 0; index < fields.length; index += 1) {
      const { name, read } = fields[index] as PlannedField;
      const value = readField(name, read, raw);
      if (value !== null && value !== undefined) item[name] = value;
    }
    if (derived.length > 0) {
      const values = derived.map(({ name, field }) => derive(field, item[name], item, context));
      derived.forEach(({ name }, index) => {
        item[name] = values[index];
      });
    }
    for (const { name, field } of filled) item[name] ??= fallbackOf(name, field);
    return item;
  };
}

// Only the panel's functions throw.
function readField(name: string, read: PlannedField['read'], raw: RawRow): unknown {
  try {
    return read(raw);
  } catch (cause) {
    throw new UnreadableRow(name, { cause });
  }
}

function derive({ derivation }: Field, given: unknown, row: Row, context: ReadContext): unknown {
  const kept = derivation?.always ? null : given;
  return kept ?? derivation?.compute(row, context) ?? null;
}

function fallbackOf(name: string, { required, fallback }: Field): unknown {
  if (fallback !== undefined) return fallback;
  if (required) throw new UnreadableRow(name);
  return null;
}
