import { ALWAYS, isBinaryColumn, isFloatColumn } from '../../database/columns';
import { printable } from '../../errors/printable';
import { type Field, type Fields, keyName } from '../../fields';
import type { ListIds } from '../ids';
import { itemSchema } from '../Source';
import type { PushRange } from './conditions';
import type { FieldPlan, RowPlan } from './FieldPlan';
import { columnReferences, type FieldSource, type FieldSources, planField } from './kinds';
import type { LiveColumns, Unread } from './LiveColumns';

/** What a plan is made from. */
interface PlanParts {
  readonly fields: Fields;
  readonly sources: FieldSources;
  /** Whether fields without a description are read from the column of their name. */
  readonly byName: boolean;
  readonly columns: LiveColumns;
  readonly ids: ListIds;
}

type Named = Pick<PlanParts, 'fields' | 'sources' | 'byName'>;

/** Returns the names of all columns that a source refers to. */
export function referencesOf(named: Named): readonly string[] {
  return Object.keys(named.fields).flatMap((name) => columnReferences(sourceOf(name, named), name));
}

function sourceOf(name: string, { sources, byName }: Named): FieldSource | undefined {
  return Object.hasOwn(sources, name) ? sources[name] : byName ? name : undefined;
}

/** Decides how each field is read from the live columns, and what is missing. */
export function planRows(parts: PlanParts): RowPlan {
  const { fields, sources, columns, ids } = parts;
  const found = new Map<string, FieldPlan>();
  /** The fields that are not served, and a sentence about each of their missing columns. */
  const absent = new Map<string, readonly string[]>();
  const references = new Map<string, readonly string[]>();
  for (const [name, field] of Object.entries(fields)) {
    const plan = planField({ name, field, columns, ids }, sourceOf(name, parts));
    if (!('absent' in plan)) found.set(name, plan);
    else {
      references.set(name, plan.absent);
      absent.set(
        name,
        plan.absent.map((reference) => `${columns.sayAbsent(reference)} (field ${name}).`),
      );
    }
  }
  const lacks = (name: string) => !found.has(name);
  for (const [name, { derivation }] of Object.entries(fields)) {
    if (derivation && sourceOf(name, parts) !== false && !derivation.from.some(lacks)) absent.delete(name);
  }
  const served = Object.keys(fields).filter((name) => !absent.has(name));
  // A field that is always derived lacks its inputs, not a column of its own.
  const lacking = [...absent.keys()].flatMap((name) => {
    const { required, derivation } = fields[name] as Field;
    if (!required) return [];
    return derivation?.always ? derivation.from.filter(lacks) : [name];
  });
  const sayLacking = (name: string) => {
    const sentences = absent.get(name) ?? [];
    return sentences.length > 0 ? sentences : [`No column is configured for the required field ${name}.`];
  };
  // If the panel did not describe a field and its column does not exist, it is omitted without a warning.
  const asked = [...absent].filter(([name]) => !fields[name]?.required && Object.hasOwn(sources, name));
  const plans = [...found.values()];
  const key = found.get(keyName(fields));
  const unfit = [...plans.flatMap(({ refused }) => refused ?? []), ...unfitKeys(columns, key)];
  const sentences = [...unfit, ...[...new Set(lacking)].flatMap(sayLacking)];
  const needed = lacking.flatMap((name) => references.get(name) ?? []);
  const isMissing = unfit.length === 0 && needed.every((reference) => columns.lacks(reference));
  const why: Unread | undefined =
    columns.unread ??
    (sentences.length === 0
      ? undefined
      : { state: isMissing ? 'missing' : 'failed', sentences, failure: columns.failureOf(needed) });
  const warnings = [...asked.flatMap(([, sentences]) => sentences), ...plans.flatMap(sayStrangeWords)];
  return {
    state: why?.state ?? 'served',
    missing: why?.sentences ?? [],
    failure: why?.failure,
    warnings: columns.unread ? [] : warnings,
    columns: columns.selected,
    key: key?.positions ?? [],
    fields: served.map((name) => found.get(name) ?? unread(name, fields[name] as Field, found)),
    itemSchema: itemSchema(fields, served, found),
    translations: plans.flatMap(({ translations = [] }) => translations),
  };
}

// Texts of bytes or floating-point numbers do not identify a value, so no page could begin after such a row.
function unfitKeys(columns: LiveColumns, plan: FieldPlan | undefined): readonly string[] {
  if (!plan || plan.refused !== undefined) return [];
  const keys = plan.positions.flatMap((position) => columns.selected[position] ?? []);
  return keys
    .filter((column) => isBinaryColumn(column) || isFloatColumn(column))
    .map((column) => `The column ${columns.say(column)} has the type ${column.type}, which cannot be a key.`);
}

/** Warns of mapped words that the field does not have. */
function sayStrangeWords({ name, field, words = [] }: FieldPlan): readonly string[] {
  const strange = words.filter((word) => field.words?.includes(word) === false);
  if (strange.length === 0 || !field.words) return [];
  const listed = strange.map((word) => `"${printable(word, 40)}"`).join(', ');
  return [
    `The description of the field ${name} maps to ${listed}, but the words of the field are ${field.words.join(', ')}.`,
  ];
}

// A filter on a derived field has no condition in the database: every row is read for it.
function unread(name: string, field: Field, found: ReadonlyMap<string, FieldPlan>): FieldPlan {
  const { derivation, filterable } = field;
  const [input = ''] = derivation?.from ?? [];
  return {
    name,
    field,
    positions: [],
    read: () => null,
    pushDown: filterable && (() => ALWAYS),
    range: rangeOfInput(derivation, found.get(input)?.range),
  };
}

function rangeOfInput(derivation: Field['derivation'], range: PushRange | undefined): PushRange | undefined {
  const inputRange = derivation?.inputRange;
  return range && inputRange && ((bounds, dialect) => range(inputRange(bounds, new Date()), dialect));
}
