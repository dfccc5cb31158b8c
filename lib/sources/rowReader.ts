import type { ReadContext } from '../fields';
import { wholeSeconds } from '../time/time';
import type { FieldPlan, RawRow } from './mapping/FieldPlan';
import { type Row, UnreadableRow } from './Source';

/**
 * Creates the function that turns a raw row into an item. Derived fields are computed from times with their milliseconds,
 * which the API cuts, and before fallbacks are filled in.
 */
export function rowReader(fields: readonly FieldPlan[]): (raw: RawRow, context: ReadContext) => Row {
  const derived = fields.filter(({ field }) => field.derivation);
  const times = fields.filter(({ field }) => field.kind === 'time');
  const filled = fields.filter(({ field }) => field.required || Array.isArray(field.fallback));
  const readFields = compile(fields);
  const computed = (item: Row, context: ReadContext) =>
    Object.fromEntries(
      derived.map(({ name, field: { derivation } }) => {
        const given = derivation?.always ? null : item[name];
        return [name, given ?? derivation?.compute(item, context) ?? null];
      }),
    );
  return (raw, context) => {
    const item = readFields(raw);
    if (derived.length > 0) Object.assign(item, computed(item, context));
    for (const { name } of times) item[name] = wholeSeconds(item[name] as string | null);
    for (const { name, field } of filled) {
      if (item[name] !== null) continue;
      if (field.fallback === undefined) throw new UnreadableRow(name);
      item[name] = field.fallback;
    }
    return item;
  };
}

/**
 * Compiles a function that reads all fields of a row. Properties with constant names are read and written two to three
 * times as fast as those of a loop, and all items have one shape. Only names that the module declares are compiled.
 */
function compile(fields: readonly FieldPlan[]): (raw: RawRow) => Record<string, unknown> {
  const members = fields.map(
    ({ name, cell }, index) =>
      `${JSON.stringify(name)}: (at = ${index}, read[at](${cell ? `raw.${cell}` : 'raw'})) ?? null`,
  );
  const body = `return (raw) => {
    let at;
    try { return { ${members.join(', ')} }; } catch (cause) { throw unreadable(at, cause); }
  };`;
  const read = fields.map((field) => field.read);
  // Only the panel's functions throw, and what they return makes a reader throw.
  const unreadable = (at: number, cause: unknown) =>
    cause instanceof UnreadableRow ? cause : new UnreadableRow(fields[at]?.name ?? '', { cause });
  // oxlint-disable-next-line typescript/no-implied-eval -- the text contains nothing that a panel or a client chose.
  return new Function('read', 'unreadable', body)(read, unreadable);
}
