import { Cancellation } from '../async/Cancellation';
import { type Fields, keyName } from '../fields';
import { type Finding, isConfirmed } from '../sources/findings';
import { plainResult } from '../sources/mapping/results';
import { EVERY_ROW, type Row, type Source } from '../sources/Source';
import { type CheckedField, findingOf, MOST_SHOWN, type Rule, shownOf } from './rules/Rule';
import { createKnownIds, REFERENCE_RULES, type SourceParts, strangeOwner } from './rules/references';
import { SIZE_RULES } from './rules/sizes';
import { TIME_RULES } from './rules/times';
import { VALUE_RULES } from './rules/values';
import { WORD_RULES } from './rules/words';

const RULES: readonly Rule[] = [WORD_RULES, REFERENCE_RULES, VALUE_RULES, SIZE_RULES, TIME_RULES].flat();

interface RowsToInspect {
  readonly list: string;
  readonly fields: Fields;
  /** How many rows are read; null for all. */
  readonly most: number | null;
}

/** A field with the tests of its rows. */
interface Watched {
  readonly field: CheckedField;
  readonly watches: ReturnType<typeof watchesOf>;
}

/**
 * Reads the first `most` rows of a source without parts, or all of them, and finds what their values say about the
 * descriptions of their fields. Those that the panel has confirmed are left out.
 */
export async function inspectRows(
  source: Source,
  { list, fields: all, most }: RowsToInspect,
  parts: SourceParts,
) {
  const { checks, sources } = parts;
  const { plans = {}, itemSchema } = await source.report(checks.run);
  const known = knownIds(parts);
  const served = Object.keys(itemSchema.properties).flatMap((name): CheckedField | [] => {
    const [field, plan] = [all[name], plans[name]];
    if (!field || !plan) return [];
    const ids = known.get(field.refersTo);
    return { list, name, field, plan, refers: (id) => ids?.has(id) };
  });
  const fields = served.filter(({ plan }) => !isConfirmed(plan.description));
  const watched = fields.map((field) => ({ field, watches: watchesOf(field) }));
  const key = keyName(all);
  // The key confirms what is found of the whole table.
  const useless = served
    .filter((one) => !fields.includes(one) && one.name !== key && watchesOf(one).length === 0)
    .map(({ name }) => ({
      code: 'confirm_unused',
      field: name,
      sentence: `The field ${name} has a \`confirm\` that silences nothing: leave it out.`,
    }));
  let [count, isAll] = [0, true];
  // Each statement has its own deadline. A function has this one, in which references are looked up, too.
  const end = most === null ? new Cancellation() : Cancellation.after(2 * checks.deadlineMs);
  for await (const { items, raws, last } of source.chunks({ ...EVERY_ROW, limit: most, end }, checks.run)) {
    end.throwIfOver();
    for (const one of watched) {
      const { name, field } = one.field;
      await known.get(field.refersTo)?.learn(items.flatMap((item) => item[name] ?? []).map(String));
      for (const [index, item] of items.entries()) inspectRow(one, item, raws?.[index], key);
    }
    count += items.length;
    isAll = last || most === null || count < most;
    if (last || !isAll) break;
  }
  const accounts = await sources.get('accounts')?.report(checks.run);
  const strange = strangeOwner(fields, accounts?.plans?.id?.columns[0]?.name);
  return { count, isAll, findings: [...useless, ...strange, ...watched.flatMap(findingsOf)] };
}

/** The ids of each list, by the name that a field refers to. */
function knownIds({ operations, sources, checks }: SourceParts) {
  return new Map(
    operations.flatMap(({ name, fields }) => {
      const source = sources.get(name);
      return source ? [[name as string | undefined, createKnownIds(source, fields, checks)] as const] : [];
    }),
  );
}

/** The tests of a field, each with what it has found so far. `row` is as in `findingOf`. */
function watchesOf(field: CheckedField) {
  return RULES.flatMap((rule) =>
    [rule.testOf(field) ?? []].flat().map((test) => ({ rule, test, ...newTally() })),
  );
}

function newTally() {
  return { tested: 0, doubtful: 0, values: new Set<string>(), row: null as string | null };
}

/** Tests the value of a field in one row. `cells` are what the row was read from. */
function inspectRow({ field, watches }: Watched, item: Row, cells: Row | undefined, key: string): void {
  const { name, plan } = field;
  // What a column has in place of an id is another mistake than what a function returns.
  const kind = plan.columns.length > 0 ? 'any' : field.field.kind;
  const unread: string[] = [];
  const raws = plan.cells.map((cell) => plainResult(cells?.[cell], kind, (type) => unread.push(type)));
  const checked = { value: item[name] ?? null, raws, unread, item };
  for (const watch of watches) {
    const isDoubtful = watch.test(checked);
    if (isDoubtful === null) continue;
    watch.tested += 1;
    if (!isDoubtful) continue;
    watch.doubtful += 1;
    // A text may be confidential.
    const row = /^\d{1,20}$/.test(String(item[key])) ? String(item[key]) : null;
    const shown = watch.values.size > MOST_SHOWN ? null : shownOf(watch.rule, field, checked);
    if (watch.values.size === 0) watch.row = shown === null ? (watch.row ?? row) : row;
    if (shown !== null) watch.values.add(shown);
  }
}

function findingsOf({ field, watches }: Watched): readonly Finding[] {
  return watches
    .filter((watch) => watch.rule.isFound?.(watch, field) ?? watch.doubtful > 0)
    .map((watch) => findingOf(watch.rule, field, watch, watch.row));
}
