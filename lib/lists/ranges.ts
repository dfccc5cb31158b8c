import type { Bounds } from '../database/columns';
import { refuseParameter } from '../errors/ApiError';
import { type Integer, readInteger } from '../fields/raw';
import { INT64 } from '../fields/scalars';
import type { JsonSchema } from '../json/json';
import { CHANGED, type Ranges, type Row, type SourceReport } from '../sources/Source';
import { parseTime, rfc3339OfSeconds } from '../time/time';
import type { QueryValues } from './filterValues';

/** How clients write the bounds of a field. */
interface BoundForm {
  /** The ends of the names of the two parameters. */
  readonly suffixes: readonly [from: string, to: string];
  /** What each of them asks of the value. */
  readonly asks: readonly [from: string, to: string];
  readonly schema: JsonSchema;
  /** The form, in the words of a message. */
  readonly expected: string;
  readonly parse: (text: string) => Integer | null;
  /** What the lower bound must be, seen from the upper one. */
  readonly order: string;
  readonly inOrder: (from: Integer, to: Integer) => boolean;
}

const TIMES: BoundForm = {
  suffixes: ['since', 'before'],
  asks: ['is this time or day, or later', 'is earlier than this time or day'],
  schema: { type: 'string', examples: ['2026-06-12T00:00:00Z'] },
  expected: 'a time such as 2026-06-12T00:00:00Z, or a day such as 2026-06-12',
  parse: parseTime,
  order: 'earlier than',
  inOrder: (from, to) => from < to,
};

const INTEGERS: BoundForm = {
  suffixes: ['min', 'max'],
  asks: ['is at least this number', 'is at most this number'],
  schema: INT64,
  expected: 'a whole number of up to 30 digits, such as 1048576',
  parse: (text) => (/^-?\d{1,30}$/.test(text) ? readInteger(text) : null),
  order: 'at most',
  inOrder: (from, to) => from <= to,
};

const DECIMALS: BoundForm = {
  ...INTEGERS,
  schema: { type: 'number' },
  expected: 'a decimal number such as 99.5, with up to 30 digits on each side of the point',
  parse: (text) => (/^-?\d{1,30}(?:\.\d{1,30})?$/.test(text) ? Number(text) : null),
};

export interface RangeParameters {
  readonly field: string;
  readonly form: BoundForm;
  readonly names: readonly [from: string, to: string];
}

/** The parameters of ranges that the list has in this installation. */
export function rangeParameters({ ranges, itemSchema }: SourceReport): readonly RangeParameters[] {
  return ranges.map((field) => {
    const { type, format } = itemSchema.properties[field] ?? {};
    const numbers = [type].flat().includes('integer') ? INTEGERS : DECIMALS;
    const form = format === 'date-time' ? TIMES : numbers;
    const [from, to] = form.suffixes;
    return { field, form, names: [listedName(`${field}_${from}`), `${field}_${to}`] };
  });
}

/** Returns the name by which a parameter is listed: `updated_at_since` is accepted too, as the names of all ranges are. */
export function listedName(name: string): string {
  return name === `${CHANGED}_since` ? 'updated_since' : name;
}

/** Parses the ranges of a query. Throws ApiError `query_invalid` that names the first wrong bound. */
export function parseRanges(query: QueryValues, report: SourceReport): Ranges {
  const ranges = new Map<string, Bounds>();
  for (const { field, form, names } of rangeParameters(report)) {
    const [lower, upper] = names;
    const [from = null, to = null] = names.map((name) => {
      const text = query.get(name)?.[0];
      return text === undefined ? null : (form.parse(text) ?? refuseParameter(name, form.expected));
    });
    if (from !== null && to !== null && !form.inOrder(from, to))
      refuseParameter(lower, `${form.order} ${upper}`);
    if (from !== null || to !== null) ranges.set(field, { from, to });
  }
  return ranges;
}

/** Returns a test for each range. An item that matches passes all. */
export function rangeTests(ranges: Ranges): readonly ((item: Row) => boolean)[] {
  return [...ranges].map(([name, { from, to }]) => {
    // Times in the API's one form sort as texts.
    const [since, before] = [from, to].map((bound) =>
      rfc3339OfSeconds(bound === null ? null : Number(bound)),
    );
    return (item: Row) => {
      const value = item[name];
      if (typeof value === 'string') return (!since || value >= since) && (!before || value < before);
      if (typeof value !== 'number' && typeof value !== 'bigint') return false;
      return (from === null || value >= from) && (to === null || value <= to);
    };
  });
}

/** The ranges as texts, the same for the same ranges. */
export function rangeTexts(ranges: Ranges): readonly (readonly string[])[] {
  return [...ranges].map(([name, { from, to }]) => [name, String(from), String(to)]).toSorted();
}
