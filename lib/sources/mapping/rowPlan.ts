import { isBinaryColumn, isFloatColumn } from '../../database/columns';
import { printable } from '../../errors/printable';
import { type Field, type Fields, keyName } from '../../fields';
import type { ListIds } from '../ids';
import { CHANGED, itemSchema } from '../Source';
import type { FieldSource, FieldSources } from '../SourceOptions';
import { planCases } from './cases';
import { planColumn } from './column';
import { planColumns } from './computed';
import { planConstant } from './constant';
import type { FieldParts, FieldPlan, FoundField, PlannedField, RowPlan } from './FieldPlan';
import type { LiveColumns } from './LiveColumns';

/** What a plan is made of. */
export interface PlanParts {
  readonly fields: Fields;
  readonly sources: FieldSources;
  /** Whether a field that `sources` does not name is read from the column of its own name. */
  readonly byName: boolean;
  readonly columns: LiveColumns;
  readonly ids: ListIds;
}

/** The names of all columns that a source refers to. */
export function referencesOf({
  fields,
  sources,
  byName,
}: Pick<PlanParts, 'fields' | 'sources' | 'byName'>): readonly string[] {
  return Object.keys(fields).flatMap((name) => {
    const source = sourceOf(name, sources, byName) || { value: null };
    if (typeof source === 'string') return [source];
    if ('value' in source) return [];
    if ('columns' in source) return Object.values(source.columns);
    if ('cases' in source) return source.cases.flatMap(({ when }) => Object.keys(when));
    return [source.column ?? name];
  });
}

function sourceOf(name: string, sources: FieldSources, byName: boolean): FieldSource | undefined {
  return Object.hasOwn(sources, name) ? sources[name] : byName ? name : undefined;
}

/** Decides how each field is read from the live columns, and says what is missing. */
export function planRows({ fields, sources, byName, columns, ids }: PlanParts): RowPlan {
  const source = (name: string) => sourceOf(name, sources, byName);
  const plans = Object.entries(fields).map(
    ([name, field]) => [name, planField({ name, field, columns, ids }, source(name))] as const,
  );
  const found = new Map(plans.flatMap(([name, plan]) => ('absent' in plan ? [] : [[name, plan] as const])));
  const derived = Object.keys(fields).filter((name) => isDerivable(fields[name] as Field, found));
  const served = Object.keys(fields).filter(
    (name) => found.has(name) || (source(name) !== false && derived.includes(name)),
  );
  const absences = plans.flatMap(([name, plan]) =>
    'absent' in plan && !served.includes(name)
      ? [{ name, sentences: sayAbsent(name, plan.absent, columns) }]
      : [],
  );
  const sentencesOf = (name: string) => {
    const sentences = absences.find((absence) => absence.name === name)?.sentences ?? [];
    return sentences.length > 0 ? sentences : [`Nothing is named for the field ${name}.`];
  };
  // What is always worked out from others lacks one of these, and no column of its own.
  const lacking = absences
    .filter(({ name }) => fields[name]?.required)
    .flatMap(({ name }) => {
      const { derivation } = fields[name] as Field;
      return derivation?.always ? derivation.from.filter((input) => !found.has(input)) : [name];
    });
  // Without a word from the panel, a column that is not there is a field that is not served.
  const asked = absences.filter(({ name }) => !fields[name]?.required && Object.hasOwn(sources, name));
  return {
    missing:
      columns.missing.length > 0
        ? columns.missing
        : [
            ...[...found.values()].flatMap(({ refused }) => refused ?? []),
            ...unfitKeys(columns, found.get(keyName(fields))),
            ...[...new Set(lacking)].flatMap(sentencesOf),
          ],
    warnings:
      columns.missing.length > 0
        ? []
        : [...asked.flatMap(({ sentences }) => sentences), ...[...found.values()].flatMap(sayStrangeWords)],
    columns: columns.selected,
    key: found.get(keyName(fields))?.positions ?? [],
    fields: served.map((name) => found.get(name) ?? unread(name, fields[name] as Field)),
    itemSchema: itemSchema(fields, served, found),
    translations: [...found.values()].flatMap(({ translations = [] }) => translations),
    changes: found.get(CHANGED)?.changes ?? null,
  };
}

function planField(parts: FieldParts, source: FieldSource | undefined): FieldPlan {
  if (source === undefined || source === false) return { absent: [] };
  if (typeof source === 'string') return planColumn(parts, { column: source });
  if ('value' in source) return planConstant(parts, source);
  if ('columns' in source) return planColumns(parts, source);
  if ('cases' in source) return planCases(parts, source);
  return planColumn(parts, source);
}

function isDerivable({ derivation }: Field, found: ReadonlyMap<string, FoundField>): boolean {
  return derivation?.from.every((input) => found.has(input)) ?? false;
}

// Neither bytes nor floating-point numbers are what their text says: nobody could go on behind such a row.
function unfitKeys(columns: LiveColumns, plan: FoundField | undefined): readonly string[] {
  if (!plan || plan.refused !== undefined) return [];
  const keys = plan.positions.flatMap((position) => columns.selected[position] ?? []);
  return keys
    .filter((column) => isBinaryColumn(column) || isFloatColumn(column))
    .map((column) => `The column ${columns.say(column)} is ${column.type} and cannot be a key.`);
}

function sayAbsent(name: string, references: readonly string[], columns: LiveColumns): readonly string[] {
  return references.map((reference) => `${columns.sayAbsent(reference)} (field ${name}).`);
}

/** Says which words of a mapping are none of the API's; the others of a field without a closed set are the panel's. */
function sayStrangeWords({ name, field, words = [] }: FoundField): readonly string[] {
  const strange = words.filter((word) => field.words?.includes(word) === false);
  if (strange.length === 0 || !field.words) return [];
  const said = strange.map((word) => `"${printable(word, 40)}"`).join(', ');
  return [`The description of the field ${name} says ${said}: it must be one of ${field.words.join(', ')}.`];
}

// What is worked out from other columns is found by whoever reads every row.
function unread(name: string, field: Field): PlannedField {
  return { name, field, read: () => null, ...(field.filterable ? { narrow: () => 'every' } : {}) };
}
