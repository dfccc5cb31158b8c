import fc from 'fast-check';
import type { Field } from '../../../lib/fields';
import type { Operation } from '../../../lib/fields/Operation';
import type { Asked, ListOracle } from './listOracle';
import { ACCOUNTS, anyName, type GivenRow, ORDERS } from './listRows';

/** A question: the list, the account of the token, and the parameters. */
export interface Question {
  readonly list: string;
  readonly account: number | null;
  readonly asked: Asked;
  /** The rows of a page; null for the whole list. */
  readonly limit: number | null;
  /** The rows of the list, if it is asked of others than all that were generated. */
  readonly rows?: readonly GivenRow[];
}

/** Questions about a list whose rows the oracle knows. */
export function questionsOf(operation: Operation, oracle: ListOracle): fc.Arbitrary<Question> {
  const { fields } = operation;
  const names = Object.keys(fields);
  const named = (test: (field: Field) => boolean) => names.filter((one) => test(fields[one]!));
  const filters = named(({ kind, filterable }) => kind !== 'list' && filterable === true).map((one) =>
    filterText(fields[one]!, held(oracle, one)).map((text) => [one, text] as const),
  );
  const ranges = named(
    ({ kind, derivation }) =>
      (!derivation || derivation.inputRange !== undefined) &&
      ['time', 'number', 'bytes', 'milliseconds'].includes(kind),
  );
  const bounds = ranges.flatMap((one) =>
    (fields[one]!.kind === 'time' ? ['since', 'before'] : ['min', 'max']).map((end) => {
      const parameter = `${one}_${end}`.replace(/^updated_at_since$/, 'updated_since');
      return boundText(fields[one]!, held(oracle, one)).map((text) => [parameter, text] as const);
    }),
  );
  const searched = named(({ searchable }) => searchable === true);
  const begun = searched.map((one) => near(held(oracle, one)).map((text) => text.slice(0, 256)));
  const search = begun.map((text) => text.filter(isText).map((one) => ['search', one] as const));
  const some = (pairs: readonly fc.Arbitrary<readonly [string, string]>[], most: number) =>
    pairs.length > 0 ? fc.array(fc.oneof(...pairs), { maxLength: most }) : fc.constant([]);
  // With more of them, few questions had an answer that is not empty.
  const chosen = fc
    .oneof(
      fc.tuple(some(filters, 1), some(bounds, 1)),
      fc.tuple(some(bounds, 2)),
      fc.tuple(some(filters, 2), some(bounds, 1), some(search, 1)),
    )
    .map((pairs): Asked => Object.fromEntries(pairs.flat()));
  const orders = ['desc', ...(ORDERS[operation.name] ?? []).map((time) => `-${time}`)];
  const items = fc.record(
    { order: fc.constantFrom(...orders), fields: listed(names), limit: fc.integer({ min: 1, max: 70 }) },
    { requiredKeys: [] },
  );
  const hasFewValues = (one: string) =>
    fields[one]!.words !== undefined || fields[one]!.kind === 'flag' || ['plan', 'type'].includes(one);
  const counted = ['true', ...named(({ filterable }) => filterable === true).filter(hasFewValues)];
  const sums = named(({ kind }) => kind === 'bytes');
  const figures = fc.record(
    { count: fc.constantFrom(...counted), ...(sums.length > 0 ? { sum: listed(sums) } : {}) },
    { requiredKeys: [] },
  );
  return fc
    .record({
      account: fc.constantFrom(null, null, null, null, ...ACCOUNTS),
      chosen,
      shape: fc.oneof({ weight: 4, arbitrary: items }, { weight: 1, arbitrary: figures }),
    })
    .map(({ account, chosen: wanted, shape }) => {
      const { limit = null, ...rest } = shape as Asked & { limit?: number };
      return { list: operation.name, account, asked: { ...wanted, ...rest }, limit };
    });
}

/** The values that the rows have, as texts. */
function held(oracle: ListOracle, field: string): readonly string[] {
  const values = oracle.items.map((item) => item[field]).filter((value) => value !== null);
  return [...new Set(values.map(String)), 'x'];
}

/** Texts that the rows have, and ones that are easily mistaken for them. */
function near(texts: readonly string[]): fc.Arbitrary<string> {
  const change = fc.constantFrom<(text: string) => string>(
    (text) => text,
    (text) => text.toUpperCase(),
    (text) => text.toLowerCase(),
    (text) => `${text} `,
    (text) => text.trim(),
    (text) => text.normalize('NFD'),
    (text) => text.normalize('NFKC'),
    (text) => text.slice(0, 1),
  );
  return fc.oneof(
    { weight: 4, arbitrary: fc.tuple(fc.constantFrom(...texts), change).map(([text, to]) => to(text)) },
    { weight: 1, arbitrary: anyName },
  );
}

/** A text that a parameter can have: no NUL, and no half of a surrogate pair. */
const isText = (text: string) => text !== '' && !/[\0\p{Cs}]/u.test(text);

const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;

function filterText({ kind }: Field, texts: readonly string[]): fc.Arbitrary<string> {
  const whole = texts.filter((text) => /^-?\d+$/.test(text));
  const someNumber = fc.oneof(
    fc.constantFrom(...whole, '0', '007'),
    fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }).map(String),
  );
  const value = {
    // The last text is no value of a row.
    id: whole.length < texts.length - 1 ? undefined : someNumber,
    flag: fc.constantFrom('true', 'false'),
  }[kind as 'id'];
  const written = near(texts)
    .filter(isText)
    .chain((text) => fc.constantFrom(text, quoted(text)));
  return fc.array(value ?? written, { minLength: 1, maxLength: 3 }).map((values) => values.join());
}

/** An end of a range: a value of a row, or one beside it. */
function boundText({ kind, schema }: Field, texts: readonly string[]): fc.Arbitrary<string> {
  if (kind !== 'time') {
    const numbers = texts.filter((text) => /^-?\d+$/.test(text)).map(BigInt);
    const beside = fc
      .tuple(fc.constantFrom(...numbers, 0n), fc.constantFrom(0n, 1n, -1n))
      .map(([number, more]) => number + more);
    // Beyond every column and every time, and exact as a decimal too.
    const far = fc.constantFrom(2n ** 96n, -(2n ** 96n));
    const bound = fc.oneof({ weight: 9, arbitrary: beside }, { weight: 1, arbitrary: far }).map(String);
    return schema.type === 'number'
      ? fc.oneof(
          bound,
          bound.map((text) => `${text}.5`),
        )
      : bound;
  }
  const seconds = texts.map((text) => Date.parse(text) / 1000).filter((second) => !Number.isNaN(second));
  const beside = fc.tuple(fc.constantFrom(...seconds, 0), fc.constantFrom(0, 1, -1));
  const form = fc.constantFrom<(time: string) => string>(
    (time) => `${time}Z`,
    (time) => `${time}.999Z`,
    (time) => time.slice(0, 10),
    (time) => `${time}+00:00`,
  );
  return fc.tuple(beside, form).map(([[second, more], write]) => {
    const time = new Date((second + more) * 1000);
    const year = time.getUTCFullYear();
    // The API knows the years 1 to 9999.
    const known = year >= 1 && year <= 9999 ? time : new Date(second * 1000);
    return write(known.toISOString().slice(0, 19));
  });
}

/** Some of these names, separated by commas. */
function listed(names: readonly string[]): fc.Arbitrary<string> {
  return fc
    .subarray([...names], { minLength: 1, maxLength: Math.min(4, names.length) })
    .map((some) => some.join());
}
