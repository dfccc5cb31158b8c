import { Cancellation } from '../async/Cancellation';
import { type Fields, keyName } from '../fields';
import { isConfirmed } from '../sources/findings';
import { plainResult } from '../sources/mapping/results';
import { EVERY_ROW, type Source } from '../sources/Source';
import { type CheckedField, findingOf, MOST_SHOWN, type Rule, shownOf, type Test } from './rules/Rule';
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

/**
 * Reads the first `most` rows of a source without parts, or all of them, and finds what their values say about the
 * descriptions of their fields. Those that the panel has confirmed are left out.
 */
export async function inspectRows(
  source: Source,
  { list, fields: all, most }: RowsToInspect,
  parts: SourceParts,
) {
  const { checks, sources, operations } = parts;
  const { readings = {}, itemSchema } = await source.report(checks.run);
  const known = new Map(
    operations.flatMap(({ name, fields }) => {
      const source = sources.get(name);
      return source ? [[name, createKnownIds(source, fields, checks)] as const] : [];
    }),
  );
  const served = Object.keys(itemSchema.properties).flatMap((name): CheckedField | [] => {
    const [field, reading] = [all[name], readings[name]];
    if (!field || !reading) return [];
    const ids = known.get(field.refersTo ?? '');
    return { list, name, field, reading, refers: (id) => ids?.has(id) };
  });
  const [confirmed = [], fields = []] = [true, false].map((is) =>
    served.filter(({ reading }) => isConfirmed(reading.description) === is),
  );
  const watched = fields.map((field) => {
    const tests = RULES.flatMap((rule) => testsOf(rule, field).map((test) => ({ rule, test })));
    return { field, watches: tests.map((one) => ({ ...one, ...newTally() })) };
  });
  const key = keyName(all);
  // The key confirms what is found of the whole table.
  const useless = confirmed
    .filter((one) => one.name !== key && RULES.every((rule) => testsOf(rule, one).length === 0))
    .map(({ name }) => ({ code: 'confirm_unused', field: name, sentence: sayUseless(name) }));
  let [count, isAll] = [0, true];
  // Each statement has its own deadline. A function has this one, in which references are looked up, too.
  const end = most === null ? new Cancellation() : Cancellation.after(2 * checks.deadlineMs);
  for await (const { items, raws: rows, last } of source.chunks(
    { ...EVERY_ROW, limit: most, end },
    checks.run,
  )) {
    end.throwIfOver();
    for (const { field, watches } of watched) {
      const { name, reading } = field;
      const ids = known.get(field.field.refersTo ?? '');
      // What a column has in place of an id is another mistake than what a function returns.
      const kind = reading.columns.length > 0 ? 'any' : field.field.kind;
      await ids?.learn(items.flatMap((item) => item[name] ?? []).map(String));
      for (const [index, item] of items.entries()) {
        const unread: string[] = [];
        const plain = (raw: unknown) => plainResult(raw, kind, (type) => unread.push(type));
        const raws = reading.cells.map((cell) => plain(rows?.[index]?.[cell]));
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
    }
    count += items.length;
    isAll = last || most === null || count < most;
    if (last || !isAll) break;
  }
  const findings = watched.flatMap(({ field, watches }) =>
    watches
      .filter(({ rule, ...tally }) => rule.isFound?.(tally, field) ?? tally.doubtful > 0)
      .map(({ rule, row, ...tally }) => findingOf(rule, field, tally, row)),
  );
  const accounts = await sources.get('accounts')?.report(checks.run);
  const strange = strangeOwner(fields, accounts?.readings?.id?.columns[0]?.name);
  return { count, isAll, findings: [...useless, ...strange, ...findings] };
}

function testsOf(rule: Rule, field: CheckedField): readonly Test[] {
  return [rule.testOf(field) ?? []].flat();
}

function sayUseless(name: string): string {
  return `The field ${name} has a \`confirm\` that silences nothing: leave it out.`;
}

function newTally() {
  return { tested: 0, doubtful: 0, values: new Set<string>(), row: null as string | null };
}
