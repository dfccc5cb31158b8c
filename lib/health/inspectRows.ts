import { Cancellation } from '../async/Cancellation';
import { keyName } from '../fields';
import type { Operation } from '../operations/Operation';
import { type Finding, isConfirmed } from '../sources/findings';
import { EVERY_ROW, type Row, type Source } from '../sources/Source';
import { FORM_RULES } from './rules/forms';
import { type CheckedField, findingOf, type Rule, type Test } from './rules/Rule';
import { REFERENCE_RULES, References, type SourceParts, strangeOwner } from './rules/references';
import { SIZE_RULES } from './rules/sizes';
import { TIME_RULES } from './rules/times';
import { VALUE_RULES } from './rules/values';
import { WORD_RULES } from './rules/words';

const RULES: readonly Rule[] = [
  ...WORD_RULES,
  ...REFERENCE_RULES,
  ...VALUE_RULES,
  ...SIZE_RULES,
  ...TIME_RULES,
  ...FORM_RULES,
];

/** How many different values of a field an example shows. */
const MOST_SHOWN = 5;

export interface InspectedRows {
  readonly count: number;
  readonly isAll: boolean;
  readonly findings: readonly Finding[];
}

/**
 * Reads the first `most` rows of a source without parts, or all of them, and finds what their values say about the
 * descriptions of their fields. Those that the panel has confirmed are left out.
 */
export async function inspectRows(
  source: Source,
  operation: Operation,
  most: number | null,
  parts: SourceParts,
): Promise<InspectedRows> {
  const { checks } = parts;
  const { readings = {}, itemSchema } = await source.report(checks.run);
  const fields = Object.keys(itemSchema.properties).flatMap((name): CheckedField | [] => {
    const [field, reading] = [operation.fields[name], readings[name]];
    const isChecked = field && reading && !isConfirmed(reading.description);
    return isChecked ? { list: operation.name, name, field, reading } : [];
  });
  const key = keyName(operation.fields);
  // A text may be confidential.
  const rowOf = (item: Row) => (/^\d{1,20}$/.test(String(item[key])) ? String(item[key]) : null);
  const watches = fields.flatMap((field) =>
    RULES.flatMap((rule) => rule.testOf(field).map((test) => new Watch(rule, field, test))),
  );
  const references = new References(fields, parts);
  let count = 0;
  let isAll = true;
  const end = most === null ? new Cancellation() : Cancellation.after(checks.deadlineMs);
  for await (const { items, raws, last } of source.chunks({ ...EVERY_ROW, limit: most, end }, checks.run)) {
    end.throwIfOver();
    for (const [index, item] of items.entries())
      for (const watch of watches) watch.see(item, raws?.[index], rowOf);
    await references.see(items, raws, rowOf);
    count += items.length;
    isAll = last || most === null || count < most;
    if (last || !isAll) break;
  }
  const found = watches.flatMap((watch) => watch.finding());
  const accounts = await parts.sources.get('accounts')?.report(checks.run);
  const owner = strangeOwner(fields, accounts?.readings?.id?.columns[0]?.name);
  return { count, isAll, findings: [...owner, ...references.findings(), ...found] };
}

/** One test of a field's rows, and what they have shown so far. */
class Watch {
  readonly #rule: Rule;
  readonly #field: CheckedField;
  readonly #test: Test;
  readonly #values = new Set<string>();
  #tested = 0;
  #doubtful = 0;
  #row: string | null = null;

  constructor(rule: Rule, field: CheckedField, test: Test) {
    this.#rule = rule;
    this.#field = field;
    this.#test = test;
  }

  see(item: Row, raw: Row | undefined, rowOf: (item: Row) => string | null): void {
    const { name, reading } = this.#field;
    const checked = { value: item[name] ?? null, raws: reading.cells.map((cell) => raw?.[cell]), item };
    const isDoubtful = this.#test(checked);
    if (isDoubtful === null) return;
    this.#tested += 1;
    if (!isDoubtful) return;
    this.#doubtful += 1;
    this.#row ??= rowOf(item);
    const value = this.#values.size < MOST_SHOWN ? (this.#rule.shown?.(checked) ?? null) : null;
    if (value !== null) this.#values.add(value);
  }

  finding(): Finding | [] {
    const tally = { tested: this.#tested, doubtful: this.#doubtful, values: this.#values };
    const isFound = this.#rule.isFound?.(tally) ?? tally.doubtful > 0;
    return isFound ? findingOf(this.#rule, this.#field, tally, this.#row) : [];
  }
}
