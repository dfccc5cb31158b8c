import { rawText } from '../../fields/raw';
import { type CheckedField, isComputed, keyword, type Rule, type Test, textOf } from './Rule';

/** Texts and numbers that many panels store for "none". */
const NONE =
  /^(?:[\s0:.+-]*|-.*|\[\]|\{\}|infinity|nan|none|null|nil|n\/?a|never|unlimited|unlim|inherit|default|0000-00-00.*)$/i;

/** Forms of numbers and times, which are not confidential in a field of these. */
const PLAIN =
  /^\d{1,12}(?:[.,]\d{1,3})?\s?(?:[KMGTP]i?B?|B|bytes|s|sec|ms|m|min|h|d|days?)?$|^\d{1,4}([./-])\d{1,2}\1\d{1,4}(?:[ T]\d\d:\d\d(?::\d\d)?)?$/i;

const ADVICE: Readonly<Record<string, string>> = {
  bytes: 'read such texts with `from`',
  milliseconds: 'read such texts with `from`',
  number: 'read such texts with `from`',
  time: 'read them with `time` or `from`',
  id: 'choose a column of ids',
  list: 'choose its `separator`, or read such texts with `from`',
};

/** Some values of a column cannot be read. Those of a column of which none can be read are found apart. */
const unreadable: Rule = {
  code: 'unreadable',
  testOf(field) {
    const { reading } = field;
    if (!(field.field.kind in ADVICE) || isComputed(field) || keyword(field, 'values') !== undefined)
      return [];
    if (reading.cells.length !== 1 || field.field.derivation) return [];
    return [
      ({ value, raws: [raw] }) => {
        const text = rawText(raw);
        if (text === null || NONE.test(text) || reading.isNone?.(raw)) return null;
        return isNothing(value);
      },
    ];
  },
  isFound: ({ tested, doubtful }) => doubtful > 0 && doubtful < tested,
  shown(checked) {
    const text = textOf(checked);
    return text !== null && PLAIN.test(text) ? text : null;
  },
  say: ({ field: { kind } }: CheckedField) => ['is null although its column has a value', ADVICE[kind] ?? ''],
};

function isNothing(value: unknown): boolean {
  return value === null || (Array.isArray(value) && value.length === 0);
}

/** How many names are remembered. */
const MOST_NAMES = 100_000;

const fold = (name: string) => name.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().trim();

/** The field of a list that names its rows, each in its own way. */
const NAMES: Readonly<Record<string, string>> = { accounts: 'username', domains: 'domain', email: 'address' };

/** Two rows have a name that many collations take for the same. */
const nameTwice: Rule = {
  code: 'name_twice',
  testOf({ list, name, reading }) {
    const names = new Set<string>();
    const test: Test = ({ value }) => {
      const folded = fold(String(value ?? ''));
      const isAgain = names.has(folded);
      if (names.size < MOST_NAMES) names.add(folded);
      return isAgain;
    };
    return NAMES[list] === name && reading.cells.length > 0 ? [test] : [];
  },
  say: () => [
    'is the name of another row, apart from case and accents,',
    'list each row once, and join by its id instead of its name',
  ],
};

export const VALUE_RULES: readonly Rule[] = [unreadable, nameTwice];
