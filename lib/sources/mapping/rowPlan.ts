import { ALWAYS, isBinaryColumn, isFloatColumn } from '../../database/columns';
import { printable } from '../../errors/printable';
import { type Field, type Fields, keyName } from '../../fields';
import type { ListIds } from '../ids';
import { CHANGED, itemSchema } from '../Source';
import type { FieldPlan, RowPlan } from './FieldPlan';
import { columnReferences, type FieldSource, type FieldSources, planField } from './kinds';
import type { LiveColumns } from './LiveColumns';

/** What a plan is made of. */
interface PlanParts {
  readonly fields: Fields;
  readonly sources: FieldSources;
  /** Whether a field that `sources` does not name is read from the column of its own name. */
  readonly byName: boolean;
  readonly columns: LiveColumns;
  readonly ids: ListIds;
}

type Named = Pick<PlanParts, 'fields' | 'sources' | 'byName'>;

/** The names of all columns that a source refers to. */
export function referencesOf(named: Named): readonly string[] {
  return Object.keys(named.fields).flatMap((name) => columnReferences(sourceOf(name, named), name));
}

function sourceOf(name: string, { sources, byName }: Named): FieldSource | undefined {
  return Object.hasOwn(sources, name) ? sources[name] : byName ? name : undefined;
}

/** Decides how each field is read from the live columns, and says what is missing. */
export function planRows(parts: PlanParts): RowPlan {
  const { fields, sources, columns, ids } = parts;
  const found = new Map<string, FieldPlan>();
  /** The fields that are not served, and what is said of their columns. */
  const absent = new Map<string, readonly string[]>();
  for (const [name, field] of Object.entries(fields)) {
    const plan = planField({ name, field, columns, ids }, sourceOf(name, parts));
    if (!('absent' in plan)) found.set(name, plan);
    else
      absent.set(
        name,
        plan.absent.map((reference) => `${columns.sayAbsent(reference)} (field ${name}).`),
      );
  }
  const lacks = (name: string) => !found.has(name);
  for (const [name, { derivation }] of Object.entries(fields)) {
    if (derivation && sourceOf(name, parts) !== false && !derivation.from.some(lacks)) absent.delete(name);
  }
  const served = Object.keys(fields).filter((name) => !absent.has(name));
  // What is always worked out from others lacks one of these, and no column of its own.
  const lacking = [...absent.keys()].flatMap((name) => {
    const { required, derivation } = fields[name] as Field;
    if (!required) return [];
    return derivation?.always ? derivation.from.filter(lacks) : [name];
  });
  const sayLacking = (name: string) => {
    const sentences = absent.get(name) ?? [];
    return sentences.length > 0 ? sentences : [`Nothing is named for the field ${name}.`];
  };
  // Without a word from the panel, a column that is not there is a field that is not served.
  const asked = [...absent].filter(([name]) => !fields[name]?.required && Object.hasOwn(sources, name));
  const plans = [...found.values()];
  const key = found.get(keyName(fields));
  const missing = [
    ...plans.flatMap(({ refused }) => refused ?? []),
    ...unfitKeys(columns, key),
    ...[...new Set(lacking)].flatMap(sayLacking),
  ];
  const warnings = [...asked.flatMap(([, sentences]) => sentences), ...plans.flatMap(sayStrangeWords)];
  return {
    ...(columns.missing.length > 0 ? { missing: columns.missing, warnings: [] } : { missing, warnings }),
    columns: columns.selected,
    key: key?.positions ?? [],
    fields: served.map((name) => found.get(name) ?? unread(name, fields[name] as Field)),
    itemSchema: itemSchema(fields, served, found),
    translations: plans.flatMap(({ translations = [] }) => translations),
    changes: found.get(CHANGED)?.changes ?? null,
  };
}

// Neither bytes nor floating-point numbers are what their text says: no page could begin behind such a row.
function unfitKeys(columns: LiveColumns, plan: FieldPlan | undefined): readonly string[] {
  if (!plan || plan.refused !== undefined) return [];
  const keys = plan.positions.flatMap((position) => columns.selected[position] ?? []);
  return keys
    .filter((column) => isBinaryColumn(column) || isFloatColumn(column))
    .map((column) => `The column ${columns.say(column)} is ${column.type} and cannot be a key.`);
}

/** Says which words of a mapping are none of the API's; the others of a field without a closed set are the panel's. */
function sayStrangeWords({ name, field, words = [] }: FieldPlan): readonly string[] {
  const strange = words.filter((word) => field.words?.includes(word) === false);
  if (strange.length === 0 || !field.words) return [];
  const said = strange.map((word) => `"${printable(word, 40)}"`).join(', ');
  return [`The description of the field ${name} says ${said}: it must be one of ${field.words.join(', ')}.`];
}

// What is worked out from other columns is found by reading every row.
function unread(name: string, field: Field): FieldPlan {
  return { name, field, positions: [], read: () => null, pushDown: field.filterable && (() => ALWAYS) };
}
