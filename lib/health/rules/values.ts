import type { FieldKind, TextForm } from '../../fields';
import { rawText } from '../../fields/raw';
import { type CheckedField, isComputed, keyword, LEAST_ROWS, type Rule, type Tally } from './Rule';

/** Texts and numbers that many panels store for "none": blanks, zeros, zero dates, negative numbers, words. */
const NONE =
  /^(?:[\s0:.+-]*|-.*|\[\]|\{\}|infinity|nan|none|null|nil|n\/?a|never|unlimited|inherit|default)$/i;

/** What to do about values in other forms. */
const ADVICE: Readonly<Partial<Record<FieldKind, string>>> = {
  time: 'read them with `time` or `from`',
  id: 'choose a column of ids',
  list: 'choose its `separator`, or read such texts with `from`',
};

const isAll = ({ tested, doubtful }: Tally) => doubtful === tested;

/** Whether the field is a word that follows from a time. */
const isEnd = (checked: CheckedField) => keyword(checked, 'until') !== undefined;

/** Columns hold a value, and the field does not. */
const unreadable: Rule = {
  code: 'unreadable',
  testOf(checked) {
    const { field, plan } = checked;
    const { isNone, columns } = plan;
    // A field of words may be null for some of them.
    if (field.derivation || (columns.length > 0 && !isNone)) return null;
    const unread = new Set<unknown>([null, isEnd(checked) ? field.fallback : null]);
    return ({ value, raws }) => {
      const isHeld = raws.some((raw) => {
        const text = rawText(raw);
        return text !== null && !NONE.test(text) && !isNone?.(raw);
      });
      return isHeld ? unread.has(value) || (Array.isArray(value) && value.length === 0) : null;
    };
  },
  // A function may return null for some values, and a flag has its own rule.
  isFound: (tally, field) =>
    tally.doubtful > 0 && (isAll(tally) || !(isComputed(field) || field.field.kind === 'flag')),
  shows: 'raw',
  rows: 'rows with a value',
  say: (checked, tally) => [
    `is ${isEnd(checked) ? 'unknown' : 'null'} although ${checked.plan.columns.length > 0 ? 'its column has a value' : 'a value was returned'},`,
    checked.field.kind === 'bytes' && !/^text$/.test(String(keyword(checked, 'unit')))
      ? "say `unit: 'text'` if each names its unit, or read such values with `from`"
      : isAll(tally)
        ? 'correct its description'
        : (ADVICE[checked.field.kind] ?? 'read such values with `from`'),
  ],
};

/** A function returned what nothing reads, such as an object. */
const valueType: Rule = {
  code: 'value_type',
  testOf: ({ plan: { columns } }) =>
    columns.length > 0 ? null : ({ raws, unread }) => unread.length > 0 || (raws[0] === null ? null : false),
  shows: 'type',
  rows: 'rows with a value',
  say: () => [
    'is null although a value was returned,',
    'return text, a number, a boolean or a time in place of this type',
  ],
};

/** A text has a character in place of bytes that are no UTF-8. */
const charset: Rule = {
  code: 'charset',
  testOf: ({ field: { kind } }) =>
    ['text', 'list', 'any'].includes(kind)
      ? ({ value }) => (value === null ? null : [value].flat().join().includes('\u{fffd}'))
      : null,
  say: () => [
    'contains U+FFFD in place of bytes that are no UTF-8',
    'convert them to UTF-8, in MySQL and MariaDB with `CONVERT(… USING utf8mb4)`',
  ],
};

/** A text that every row has is missing: then the API shows an empty one. */
const textMissing: Rule = {
  code: 'text_missing',
  testOf: ({ field: { kind, required } }) =>
    kind === 'text' && required ? ({ value }) => String(value).trim() === '' : null,
  say: () => ['is empty', 'choose another column, or leave these rows out, such as with `where`'],
};

/** How many names are remembered. */
export const MOST_NAMES = 100_000;

const fold = (name: string) => name.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().trim();

/** The field of a list that names its rows, each in its own way. */
const NAMES: Readonly<Record<string, string>> = { accounts: 'username', domains: 'domain', email: 'address' };

/** A row has the name of an earlier one, of the same part of the list or of another. */
const nameRule = (isSame: boolean): Rule => ({
  code: isSame ? 'name_twice' : 'name_shared',
  testOf({ list, name, plan, names }) {
    if (NAMES[list] !== name || plan.cells.length === 0) return null;
    return ({ value }) => {
      const folded = fold(String(value ?? ''));
      if (folded === '') return null;
      const first = names.get(folded);
      // For the rule of other parts, which comes second, this row is of the same part as itself.
      if (!first && names.size < MOST_NAMES) names.set(folded, plan);
      return first !== undefined && (first === plan) === isSame;
    };
  },
  isFound: ({ tested, doubtful }) =>
    isSame ? doubtful > 0 : doubtful >= LEAST_ROWS && doubtful * 5 > tested,
  say: () => [
    `${isSame ? 'is the name of another row' : 'is the name of a row of another part'}, apart from case and accents,`,
    isSame ? 'list each row once, and join by its id instead of its name' : 'leave it out of one part',
  ],
});

/** The list whose rows the API counts for each of these fields, and the type that they have. */
const COUNTED: Readonly<Record<string, readonly [list: string, type?: string]>> = {
  website_count: ['websites'],
  domain_count: ['domains'],
  mailbox_count: ['email', 'mailbox'],
  database_count: ['databases'],
};

/** A field counts other rows than its name says. */
const countList: Rule = {
  code: 'count_list',
  lookUp({ name }) {
    const [list, type] = COUNTED[name] ?? [];
    return list ? { list, by: 'account_id', of: ({ id }) => id, counts: type ? { type } : {} } : null;
  },
  testOf(checked) {
    const [list, type] = COUNTED[checked.name] ?? [];
    const [counted, where] = [keyword(checked, 'count'), Object(keyword(checked, 'where'))];
    const isRight = counted === list && String(Object.entries(where)) === (type ? `type,${type}` : '');
    if (list === undefined || isRight) return null;
    if (counted !== undefined) return ({ value }) => Number(value) > 0;
    return ({ value, other }) =>
      value === null || !other || (value === 0 && other.rows === 0) ? null : value !== other.rows;
  },
  isFound: ({ tested, doubtful }, checked) =>
    keyword(checked, 'count') === undefined ? doubtful >= LEAST_ROWS && doubtful * 4 > tested : doubtful > 0,
  say(checked) {
    const [list, type] = COUNTED[checked.name] ?? [];
    const where = type === undefined ? '' : `, where: { type: '${type}' }`;
    return ['counts other rows', `say \`{ count: '${list}'${where} }\`, or leave the field out`];
  },
};

/** Some fields have values of a certain form. They are texts, so that no example shows one. */
const formRule = (code: TextForm['code']): Rule => ({
  code,
  testOf({ field: { form } }) {
    if (form?.code !== code) return null;
    return ({ value }) => {
      const texts = [value].flat().filter((text) => typeof text === 'string' && text.trim() !== '');
      return texts.length === 0 ? null : !texts.every((text) => form.has(String(text).trim()));
    };
  },
  say: ({ field: { form, kind } }) => [
    `is no ${form?.name}`,
    kind === 'list'
      ? 'choose another column, or its `separator`'
      : 'choose another column, or compose it from `columns`',
  ],
});

const FORM_RULES = ['schedule', 'address', 'domain_name'].map(formRule);

export const VALUE_RULES = [
  unreadable,
  valueType,
  charset,
  textMissing,
  ...[true, false].map(nameRule),
  countList,
  ...FORM_RULES,
];
