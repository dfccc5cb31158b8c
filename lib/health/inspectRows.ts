import { Cancellation } from '../async/Cancellation';
import { didYouMean } from '../errors/InvalidInput';
import { type Fields, keyName } from '../fields';
import { confirmedCodes, type Finding, FOUND_BY_SOURCE, isConfirmed } from '../sources/findings';
import { plainResult } from '../sources/mapping/results';
import { EVERY_ROW, type Row, type Source } from '../sources/Source';
import { knownRows, type SourceParts } from './KnownRows';
import { type CheckedField, findingOf, MOST_SHOWN, shownOf } from './rules/Rule';
import { REFERENCE_RULES, strangeColumns } from './rules/references';
import { ROW_RULES } from './rules/rows';
import { SIZE_RULES } from './rules/sizes';
import { TIME_RULES } from './rules/times';
import { VALUE_RULES } from './rules/values';
import { WORD_RULES } from './rules/words';

const RULES = [WORD_RULES, REFERENCE_RULES, VALUE_RULES, SIZE_RULES, TIME_RULES, ROW_RULES].flat();

interface RowsToInspect {
  readonly list: string;
  readonly fields: Fields;
  /** How many rows are read; null for all. */
  readonly most: number | null;
  /** The names of all parts so far. */
  readonly names: CheckedField['names'];
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
  { list, fields: all, most, names }: RowsToInspect,
  parts: SourceParts,
) {
  const { checks, sources } = parts;
  const { plans = {}, itemSchema } = await source.report(checks.run);
  const known = knownRows(parts);
  const served = Object.keys(itemSchema.properties).flatMap((name): CheckedField | [] => {
    const [field, plan] = [all[name], plans[name]];
    return field && plan ? { list, name, field, plan, names } : [];
  });
  const watched = served.map((field) => ({ field, watches: watchesOf(field, known) }));
  const key = keyName(all);
  // The key confirms what is found of the whole table.
  const useless = served.flatMap((field) => unusedConfirmations(field, field.name === key));
  let [count, isAll] = [0, true];
  // Each statement has its own deadline. A function has this one, in which references are looked up, too.
  const end = most === null ? new Cancellation() : Cancellation.after(2 * checks.deadlineMs);
  for await (const { items, raws, last } of source.chunks({ ...EVERY_ROW, limit: most, end }, checks.run)) {
    end.throwIfOver();
    for (const one of watched) {
      for (const { lookUp, found } of one.watches) if (lookUp) await found?.learn(items.map(lookUp.of));
      for (const [index, item] of items.entries()) inspectRow(one, item, raws?.[index], key);
    }
    count += items.length;
    isAll = last || most === null || count < most;
    if (last || !isAll) break;
  }
  const accounts = await sources.get('accounts')?.report(checks.run);
  const strange = strangeColumns(served, accounts?.plans?.id?.columns[0]?.name);
  return { count, isAll, findings: [...useless, ...strange, ...watched.flatMap(findingsOf)] };
}

/** The tests of a field that nothing confirms, each with what it has found so far. `row` is as in `findingOf`. */
function watchesOf(field: CheckedField, known: ReturnType<typeof knownRows>) {
  return RULES.filter(({ code }) => !isConfirmed(field.plan.description, code)).flatMap((rule) => {
    const lookUp = rule.lookUp?.(field);
    const found = lookUp ? known(lookUp) : undefined;
    return [rule.testOf(field) ?? []].flat().map((test) => ({ rule, test, lookUp, found, ...newTally() }));
  });
}

const CODES = [
  ...new Set([...RULES.map(({ code }) => code), ...FOUND_BY_SOURCE, 'deleted_rows', 'dropped_rows']),
];

/** Names each `confirm` of what no rule says about the field. */
function unusedConfirmations(field: CheckedField, isKey: boolean): readonly Finding[] {
  const isOfTable = (code: unknown) => isKey && /^(?:true|deleted_rows|dropped_rows)$/.test(String(code));
  const isSaid = (code: unknown) =>
    RULES.some((rule) => (code === true || rule.code === code) && [rule.testOf(field) ?? []].flat()[0]);
  return confirmedCodes(field.plan.description)
    .filter((code) => !isOfTable(code) && !FOUND_BY_SOURCE.includes(String(code)) && !isSaid(code))
    .map((code) => {
      const [of, hint] =
        code === true
          ? ['', '']
          : [`of ${code} `, CODES.includes(String(code)) ? '' : didYouMean(String(code), CODES)];
      const sentence = `The field ${field.name} has a \`confirm\` ${of}that silences nothing: leave it out.${hint}`;
      return { code: 'confirm_unused', field: field.name, sentence };
    });
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
  const value = item[name] ?? null;
  for (const watch of watches) {
    const other = watch.found?.find(watch.lookUp?.of(item));
    const checked = { value, raws, unread, item, other };
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
