import { ALWAYS, isBinaryColumn, isFloatColumn, type SqlCondition } from '../../database/columns';
import type { Dialect } from '../../database/Dialect';
import { printable } from '../../errors/printable';
import { type Field, keyName } from '../../fields';
import type { Finding } from '../findings';
import type { ListIds } from '../ids';
import type { SourceReport } from '../Source';
import { isExactly, type Where } from './conditions';
import type { FieldPlan, SelectedColumn } from './FieldPlan';
import { type DescribedFields, describedBy, secretIn, sourceOf } from './kinds';
import type { LiveColumns, WhyUnread } from './LiveColumns';

/** How a source's rows become items. */
export interface RowPlan extends Pick<SourceReport, 'state' | 'missing' | 'failure' | 'warnings'> {
  /** The selected columns. */
  readonly columns: readonly SelectedColumn[];
  /** Those of them that are the key. */
  readonly key: readonly SelectedColumn[];
  /** The fields that are read, in their declared order. */
  readonly fields: ReadonlyMap<string, FieldPlan>;
  /** The condition of each column that every row of the list meets. */
  readonly where: ReadonlyMap<string, SqlCondition>;
}

interface PlanParts extends DescribedFields {
  /** The rows that the panel wants. */
  readonly where: Where | undefined;
  readonly columns: LiveColumns;
  readonly ids: ListIds;
  readonly dialect: Dialect;
}

type Named = DescribedFields & Pick<PlanParts, 'where'>;

/** Returns the names of all columns that a source refers to. */
export function referencesOf(named: Named): readonly string[] {
  const references = Object.keys(named.fields).flatMap((name) => {
    const described = describedBy(sourceOf(name, named));
    return described ? described[0].references(described[1], name) : [];
  });
  return [...references, ...Object.keys(named.where ?? {})];
}

/** Returns how a field is read, or why it is not. */
function planField(name: string, field: Field, parts: PlanParts): FieldPlan | readonly WhyUnread[] {
  const { columns, ids } = parts;
  const described = describedBy(sourceOf(name, parts));
  if (!described)
    return [{ state: 'missing', missing: [`No column is configured for the required field ${name}.`] }];
  const [kind, description] = described;
  const unread = columns.unreadOf(kind.references(description, name));
  if (unread.length > 0) return saidOf(unread, `field ${name}`);
  const plan = kind.plan({ name, field, columns, ids }, description);
  const secret = secretIn(name, parts);
  const shown = secret ? masked(field, plan, secret.mask) : plan;
  return { name, field, cells: plan.columns.map(({ cell }) => cell), ...shown };
}

/** The plan of a field whose texts are shown masked. Ids and words stay. */
function masked(
  { kind }: Field,
  plan: Omit<FieldPlan, 'name' | 'field' | 'cells'>,
  maskText: (text: string) => string,
) {
  if (kind !== 'text' && kind !== 'list') return plan;
  const mask = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(mask);
    return typeof value === 'string' ? maskText(value) : value;
  };
  const read = (given: unknown) => mask(plan.read(given));
  return { ...plan, read, pushDown: undefined, search: undefined };
}

/** Completes the sentences about columns with what names them. */
function saidOf(unread: readonly WhyUnread[], by: string): readonly WhyUnread[] {
  return unread.map((why) => ({ ...why, missing: why.missing.map((says) => `${says} (${by}).`) }));
}

/** Returns the condition of each column of `where`, or why there is none. */
function planWhere({ where = {}, columns, dialect }: PlanParts) {
  return Object.entries(where).map(([name, given]): readonly [string, SqlCondition | WhyUnread] => {
    const [unread] = saidOf(columns.unreadOf([name]), 'where');
    if (unread) return [name, unread];
    const column = columns.get(name);
    const condition = isExactly(column, given, dialect);
    if (typeof condition !== 'string') return [name, condition];
    const says = `The column ${columns.say(column)} has the type ${column.type}, which cannot hold ${condition} (where).`;
    return [name, { state: 'failed', missing: [says] }];
  });
}

/** Decides how each field is read from the live columns, and what is missing. */
export function planRows(parts: PlanParts): RowPlan {
  const { fields, sources, columns } = parts;
  const found = new Map<string, FieldPlan>();
  /** Why each other field is not read. */
  const absent = new Map<string, readonly WhyUnread[]>();
  for (const [name, field] of Object.entries(fields)) {
    const plan = planField(name, field, parts);
    if ('read' in plan) found.set(name, plan);
    else absent.set(name, plan);
  }
  const lacks = (name: string) => !found.has(name);
  const isServed = (name: string) => {
    const { derivation } = fields[name] as Field;
    return !lacks(name) || (derivation && sourceOf(name, parts) !== false && !derivation.from.some(lacks));
  };
  const served = Object.keys(fields).filter(isServed);
  const described = (name: string): FieldPlan => ({
    ...(found.get(name) ?? unread(name, fields[name] as Field, found)),
    description: sources[name],
  });
  const unserved = [...absent.keys()].filter((name) => !isServed(name));
  // A field that is always derived lacks its inputs, not a column of its own.
  const lacking = unserved.flatMap((name) => {
    const { required, derivation } = fields[name] as Field;
    if (!required) return [];
    return derivation?.always ? derivation.from.filter(lacks) : [name];
  });
  const sayAbsent = (name: string) => (absent.get(name) ?? []).flatMap((why) => why.missing);
  // If the panel did not describe a field and its column does not exist, it is omitted without a warning.
  const asked = unserved.filter(
    (name) => !fields[name]?.required && Object.hasOwn(sources, name) && sources[name],
  );
  const plans = [...found.values()];
  const key = found.get(keyName(fields));
  const unfit = [...plans.flatMap(({ refused }) => refused ?? []), ...unfitKeys(columns, key)];
  const where = planWhere(parts);
  const unkept = where.flatMap(([, one]) => ('sql' in one ? [] : one));
  const needed = [...lacking.flatMap((name) => absent.get(name) ?? []), ...unkept];
  const missing = [
    ...unfit,
    ...[...new Set(lacking)].flatMap(sayAbsent),
    ...unkept.flatMap((why) => why.missing),
  ];
  const isMissing = unfit.length === 0 && needed.every(({ state }) => state === 'missing');
  const failure = needed.find((why) => why.failure)?.failure;
  const why: Pick<RowPlan, 'state' | 'missing' | 'failure'> =
    columns.unread ??
    (missing.length === 0
      ? { state: 'served', missing }
      : { state: isMissing ? 'missing' : 'failed', missing, failure });
  return {
    ...why,
    warnings: columns.unread
      ? []
      : [
          ...asked.flatMap((name) =>
            sayAbsent(name).map((sentence) => ({ code: 'column_missing', field: name, sentence })),
          ),
          ...plans.flatMap(findStrangeWords),
        ],
    columns: columns.selected,
    key: key?.columns ?? [],
    fields: new Map(served.map((name) => [name, described(name)])),
    where: new Map(where.flatMap(([name, one]) => ('sql' in one ? [[name, one]] : []))),
  };
}

// Texts of bytes or floating-point numbers do not identify a value, so no page could begin after such a row.
function unfitKeys(columns: LiveColumns, plan: FieldPlan | undefined): readonly string[] {
  if (!plan || plan.refused !== undefined) return [];
  return plan.columns
    .filter((column) => isBinaryColumn(column) || isFloatColumn(column))
    .map((column) => `The column ${columns.say(column)} has the type ${column.type}, which cannot be a key.`);
}

/** Warns of mapped words that the field does not have. */
function findStrangeWords({ name, field, words = [] }: FieldPlan): readonly Finding[] {
  const strange = words.filter((word) => field.words?.includes(word) === false);
  if (strange.length === 0 || !field.words) return [];
  const listed = strange.map((word) => `"${printable(word, 40)}"`).join(', ');
  const sentence = `The description of the field ${name} maps to ${listed}, but the words of the field are ${field.words.join(', ')}.`;
  return [{ code: 'word_unknown', field: name, sentence }];
}

// A filter on a derived field has no condition in the database: every row is read for it.
function unread(name: string, field: Field, found: ReadonlyMap<string, FieldPlan>): FieldPlan {
  const { derivation, filterable } = field;
  const { from: [input = ''] = [], inputRange } = derivation ?? {};
  const range = found.get(input)?.range;
  return {
    name,
    field,
    columns: [],
    cells: [],
    read: () => null,
    pushDown: filterable && (() => ALWAYS),
    range: range && inputRange && ((bounds, dialect) => range(inputRange(bounds, new Date()), dialect)),
  };
}

/** Returns the plans of these fields, and of those that they are computed from, in their declared order. */
export function fieldsFor({ fields }: RowPlan, names: readonly string[]): readonly FieldPlan[] {
  const needed = new Set(names);
  // A set also yields what is added meanwhile.
  for (const name of needed)
    for (const input of fields.get(name)?.field.derivation?.from ?? []) needed.add(input);
  return [...fields.values()].filter(({ name }) => needed.has(name));
}
