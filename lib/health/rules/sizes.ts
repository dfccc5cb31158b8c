import { usedOf } from '../../problems/problems';
import { keyword, type Rule, type Tally, type Test } from './Rule';

/** How many rows must agree: one may be small by chance. */
const LEAST_ROWS = 2;

const allOf = ({ tested, doubtful }: Tally) => tested === doubtful && doubtful >= LEAST_ROWS;

/** In the API's units, values of which none reaches these are likely to have another unit. */
const SMALL: Readonly<Record<string, number>> = { bytes: 100_000, milliseconds: 100 };

/** 1 PiB. */
const LARGE = 2 ** 50;

const unit: Rule = {
  code: 'unit',
  testOf(field) {
    const { kind, derivation } = field.field;
    const small = SMALL[kind];
    if (small === undefined || derivation || keyword(field, 'unit') !== undefined) return null;
    return ({ value }) => (Number(value) > 0 ? Number(value) < small : null);
  },
  isFound: allOf,
  say({ field: { kind } }) {
    const [named, unit] = kind === 'bytes' ? ['bytes', 'KB'] : ['milliseconds', 'seconds'];
    const advice = `say the unit of the column, such as \`unit: '${unit}'\``;
    return [`is less than ${SMALL[kind]?.toLocaleString('en')} ${named}`, advice];
  },
};

const unitLarge: Rule = {
  code: 'unit_large',
  testOf: ({ field: { kind } }) =>
    kind === 'bytes' ? ({ value }) => value !== null && Number(value) >= LARGE : null,
  say(field) {
    const advice =
      keyword(field, 'unit') === undefined
        ? 'if this means no limit, say so with `null`'
        : 'if the column holds a smaller unit, correct `unit`; if this means no limit, say so with `null`';
    return ['is 1 PiB or more', advice];
  },
};

const limit: Rule = {
  code: 'limit',
  testOf(field) {
    const used = usedOf(field.name);
    if (used === null) return null;
    // Where 0 means no limit, few rows may have it.
    return [true, false].map(
      (isZero): Test =>
        ({ value, item }) =>
          value === null || (item[used] ?? null) === null || (Number(value) === 0) !== isZero
            ? null
            : Number(item[used]) > Number(value),
    );
  },
  // Panels check a number when they create a thing, and a size later.
  isFound: ({ tested, doubtful }, { name }) =>
    doubtful > tested * (name.endsWith('_limit') ? 0.2 : 0.5) && doubtful >= LEAST_ROWS,
  say: ({ name }, { values }) => [
    `is a limit below ${usedOf(name)}`,
    values.has('0') ? 'if 0 means no limit, say `null: 0`' : 'correct the column or the unit of one of them',
  ],
};

export const SIZE_RULES: readonly Rule[] = [unit, unitLarge, limit];
