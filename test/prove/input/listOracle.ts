import type { Field } from '../../../lib/fields';
import type { Operation } from '../../../lib/fields/Operation';
import { exact, type Item, itemOf, type StoredRow } from './listItems';
import { SHOWN_KEYS } from './listRows';

/** The parameters of a question, without `limit` and `cursor`. */
export type Asked = Readonly<Record<string, string>>;

/** The right answer: items in their order, figures, the parameter that is refused, or the code of another error. */
export type RightAnswer =
  | ({ readonly items: readonly Item[] } & Unknown)
  | ({ readonly figures: Readonly<Record<string, unknown>> } & Unknown)
  | { readonly refused: string; readonly status: 400 }
  | { readonly error: string; readonly status: number };

/** How many words of each filter are unknown, if no row matches and one is. */
interface Unknown {
  readonly unknown?: Readonly<Record<string, number>>;
}

/**
 * Answers questions about a list from the rows of its table, as `docs/reference/lists.md` describes: it filters, sorts
 * and counts in memory, and shares no function with the module.
 */
export class ListOracle {
  readonly #operation: Operation;
  readonly #key: string;
  /** The items of all rows, also of those that no answer shows. */
  readonly items: readonly Item[];

  constructor(operation: Operation, rows: readonly StoredRow[]) {
    this.#operation = operation;
    this.#key = Object.keys(operation.fields)[0]!;
    this.items = rows.map((row) => itemOf(operation, row));
  }

  /** Returns the right answer for a token of the accounts with these ids; null for all. */
  answer(asked: Asked, accounts: ReadonlySet<string> | null): RightAnswer {
    const { fields, owner = 'account_id', allowList } = this.#operation;
    if (accounts && !(owner in fields)) return { error: 'account_forbidden', status: 403 };
    const tests = [(item: Item) => !accounts || accounts.has(String(item[owner]))];
    if (allowList) tests.push((item) => SHOWN_KEYS.includes(String(item[this.#key])));
    for (const [name, text] of Object.entries(asked)) {
      const test = testOf(name, text, fields);
      if (test === 'refused') return { refused: name, status: 400 };
      if (test) tests.push(test);
    }
    const crossed = crossedRange(asked, fields);
    if (crossed) return { refused: crossed, status: 400 };
    const items = this.items.filter((item) => tests.every((test) => test(item)));
    const shownToAll = tests.slice(0, allowList ? 2 : 1);
    const own = this.items.filter((item) => shownToAll.every((test) => test(item)));
    const unknown = items.length === 0 ? unknownWords(asked, fields, own) : {};
    if (asked.count || asked.sum) return { figures: figuresOf(items, asked), ...unknown };
    const named = asked.fields?.split(',');
    const isShown = ([name]: readonly [string, unknown]) =>
      name === this.#key || (named?.includes(name) ?? true);
    const shown = (item: Item) => Object.fromEntries(Object.entries(item).filter(isShown));
    return { items: sorted(items, this.#key, asked.order).map(shown), ...unknown };
  }
}

type Test = (item: Item) => boolean;

/** The test that a parameter means, if it means one. */
function testOf(name: string, text: string, fields: Operation['fields']): Test | 'refused' | undefined {
  if (name === 'search') return searchTest(text, fields);
  const filtered = fields[name];
  if (filtered) return filterTest(name, text, filtered);
  const range = rangeOf(name, fields);
  if (!range) return undefined;
  const { field, isLower } = range;
  const isTime = fields[field]?.kind === 'time';
  const bound = boundOf(text, isTime);
  return (item) => {
    const value = item[field];
    if (value === null || value === undefined) return false;
    const comparable = isTime ? Date.parse(String(value)) : (value as number | bigint);
    if (isLower) return comparable >= bound;
    return isTime ? comparable < bound : comparable <= bound;
  };
}

/** Only the letters A to Z have another form with which they are equal. */
const folded = (text: string) => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());

function searchTest(text: string, fields: Operation['fields']): Test {
  const searched = Object.keys(fields).filter((name) => fields[name]?.searchable);
  return (item) => searched.some((name) => folded(String(item[name] ?? '')).startsWith(folded(text)));
}

function filterTest(name: string, text: string, { kind }: Field): Test | 'refused' {
  const values = valuesIn(text);
  if (values.some((value) => value === undefined || value === '')) return 'refused';
  const isNumber = (value = '') => kind === 'id' && /^-?\d+$/.test(value);
  const wanted = values.map((value) => (isNumber(value) ? String(BigInt(value!)) : value));
  return (item) => item[name] !== null && wanted.includes(String(item[name]));
}

/** Counts the words that neither the declaration names nor one of the token's rows has. */
function unknownWords(asked: Asked, fields: Operation['fields'], rows: readonly Item[]): Unknown {
  const unknown = Object.entries(asked).flatMap(([name, text]): (readonly [string, number])[] => {
    const { kind, schema } = fields[name] ?? {};
    if (kind !== 'word' || !Array.isArray(schema?.examples)) return [];
    const known = new Set([...schema.examples, ...rows.map((row) => row[name])]);
    const words = new Set(valuesIn(text).filter((word) => !known.has(word)));
    return words.size > 0 ? [[name, words.size]] : [];
  });
  return unknown.length > 0 ? { unknown: Object.fromEntries(unknown) } : {};
}

/** The values in the text of a filter, character by character; undefined for quotes that are not closed. */
export function valuesIn(text: string): readonly (string | undefined)[] {
  const values: (string | undefined)[] = [];
  for (let at = 0; at <= text.length; ) {
    let closed = -1;
    if (text[at] === '"') {
      closed = text.indexOf('"', at + 1);
      while (closed >= 0 && text[closed + 1] === '"') closed = text.indexOf('"', closed + 2);
      if (closed < 0) return [...values, undefined];
    }
    const comma = text.indexOf(',', closed < 0 ? at : closed);
    const end = comma < 0 ? text.length : comma;
    const isQuoted = closed === end - 1 && closed > at;
    values.push(
      isQuoted
        ? text
            .slice(at + 1, closed)
            .split('""')
            .join('"')
        : text.slice(at, end),
    );
    at = end + 1;
  }
  return values;
}

/** The field whose range a parameter is an end of. */
function rangeOf(name: string, fields: Operation['fields']) {
  const [, field = '', end = ''] =
    /^(.*)_(since|before|min|max)$/.exec(name.replace(/^updated_since$/, 'updated_at_since')) ?? [];
  return field in fields ? { field, isLower: end === 'since' || end === 'min' } : undefined;
}

function boundOf(text: string, isTime: boolean): number | bigint {
  if (isTime) return Math.floor(Date.parse(text) / 1000) * 1000;
  return text.includes('.') ? Number(text) : BigInt(text);
}

/** The lower end of a range that contains nothing, as it is refused. */
function crossedRange(asked: Asked, fields: Operation['fields']): string | undefined {
  return Object.keys(asked).find((lower) => {
    const range = rangeOf(lower, fields);
    if (!range?.isLower) return false;
    const isTime = fields[range.field]?.kind === 'time';
    const upper = asked[`${range.field}_${isTime ? 'before' : 'max'}`];
    if (upper === undefined) return false;
    const [from, to] = [boundOf(asked[lower]!, isTime), boundOf(upper, isTime)];
    return isTime ? from >= to : from > to;
  });
}

function sorted(items: readonly Item[], key: string, order: string | undefined): readonly Item[] {
  const compare = (one: unknown, other: unknown) => (one === other ? 0 : one! < other! ? -1 : 1);
  const byKey = items.toSorted((one, other) => compare(one[key], other[key]));
  if (order === undefined) return byKey;
  const backwards = byKey.toReversed();
  if (order === 'desc') return backwards;
  const time = order.slice(1);
  return backwards.toSorted((one, other) => compare(other[time] ?? '', one[time] ?? ''));
}

function figuresOf(items: readonly Item[], { count, sum }: Asked): Item {
  const figures: Record<string, unknown> = { total: items.length };
  if (count && count !== 'true') {
    const words = items.map((item) => item[count]).filter((value) => value !== null);
    figures.counts = countsOf(words.map(String));
  }
  if (sum) {
    figures.sums = Object.fromEntries(
      sum.split(',').map((name) => {
        const values = items.map((item) => BigInt((item[name] ?? 0) as number | bigint));
        return [name, exact(values.reduce((one, other) => one + other, 0n))];
      }),
    );
  }
  return figures;
}

function countsOf(words: readonly string[]): Readonly<Record<string, number>> {
  const counts: [string, number][] = [...new Set(words)].map((word) => [
    word,
    words.filter((other) => other === word).length,
  ]);
  return Object.fromEntries(counts);
}
