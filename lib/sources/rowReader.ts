import type { Field } from '../fields';
import type { Moment } from '../fields/Moment';
import type { PlannedField, RawRow } from './plan/RowPlan';
import type { Row } from './Source';
import { UnreadableRow } from './UnreadableRow';

/** Makes items of selected rows. What a field is worked out from is what was read, before anything stands in for it. */
export function rowReader(fields: readonly PlannedField[]): (raw: RawRow, moment: Moment) => Row {
  const derived = fields.filter(({ field }) => field.derivation);
  const filled = fields.filter(({ field }) => field.required || Array.isArray(field.fallback));
  return (raw, moment) => {
    const item: Record<string, unknown> = {};
    for (const { name, read } of fields) item[name] = read(raw) ?? null;
    if (derived.length > 0) {
      const values = derived.map(({ name, field }) => derive(field, item[name], item, moment));
      derived.forEach(({ name }, index) => {
        item[name] = values[index];
      });
    }
    for (const { name, field } of filled) item[name] ??= stand(name, field);
    return item;
  };
}

function derive({ derivation }: Field, given: unknown, row: Row, moment: Moment): unknown {
  const kept = derivation?.always ? null : given;
  return kept ?? derivation?.compute(row, moment) ?? null;
}

function stand(name: string, { required, fallback }: Field): unknown {
  if (fallback !== undefined) return fallback;
  if (required) throw new UnreadableRow(name);
  return null;
}
