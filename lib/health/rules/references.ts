import { type Finding, isConfirmed } from '../../sources/findings';
import { PAIR_RULES } from './pairs';
import type { CheckedField, Rule } from './Rule';

/** A reference is no id of the list that it refers to. */
const reference: Rule = {
  code: 'reference',
  testOf: ({ field: { refersTo } }) =>
    refersTo === undefined ? null : ({ other }) => (other === undefined ? null : other === null),
  lookUp: ({ name, field: { refersTo: list } }) =>
    list === undefined ? null : { list, by: 'id', of: (item) => item[name] },
  shows: 'raw',
  say({ field: { refersTo } }, { tested, doubtful, values }) {
    const [only = ''] = values;
    const advice =
      values.size === 1 && /^(?:0|-\d+)$/.test(only)
        ? `if this means none, say \`null: ${only}\``
        : doubtful * 2 > tested
          ? `they look like other ids: choose the column of the ids of ${refersTo}`
          : 'leave these rows out, too, or read null for them, such as with a `leftJoin` that has the same condition';
    return [`is no id of ${refersTo}`, advice];
  },
};

/** A row is not its own parent. */
const referenceSelf: Rule = {
  code: 'reference_self',
  testOf: ({ list, name, field: { refersTo } }) =>
    refersTo === list && name !== 'id'
      ? ({ value, item }) => (value === null ? null : value === item.id)
      : null,
  say: ({ name }) => [
    'is the id of the same row',
    `choose the column of ${name}, or read null for such rows`,
  ],
};

export const REFERENCE_RULES: readonly Rule[] = [reference, referenceSelf, ...PAIR_RULES];

/** Words in the names of columns that hold the ids of something else than accounts. */
const OTHERS =
  /(?:^|[._])(?:sys_?)?(?:group|server|node|role|plan|package|template|creator|created_by|parent)_?(?:id)?$/i;

const columnOf = ({ plan: { columns } }: CheckedField) =>
  columns.length === 1 ? columns[0]?.name : undefined;
const lastPart = (reference = '') => reference.replace(/^.*\./, '');

/** Names of fields of which one column may mean several. */
const ALIKE =
  /^(?:username|email|name|key|label|group|primary_domain|domain|system_user|(?:created|issued|last_renewal|queued|started)_at|ssl_enabled|force_https)$/;

/** Whether a field shows all that its column holds. */
const isWhole = ({ field: { kind, derivation }, plan: { description } }: CheckedField) =>
  !/^(?:word|any)$/.test(kind) &&
  (description !== undefined || !derivation) &&
  !['from', 'values', 'cases', 'until'].some((name) => name in Object(description));

/** Whether two fields of a list are not meant to have one column. */
function isAmiss(one: CheckedField, other: CheckedField): boolean {
  if (columnOf(one) !== columnOf(other) || one === other || one.field.kind !== other.field.kind) return false;
  if (isOwner(one)) return other.field.refersTo !== 'accounts';
  // A domain and its website may be one row, and so may a certificate and its website.
  if (one.field.kind === 'id') return other.name === 'id' && !/^(?:domains|ssl)$/.test(one.list);
  return [one, other].every(isWhole) && ![one, other].every(({ name }) => ALIKE.test(name));
}

const isOwner = ({ list, field: { refersTo } }: CheckedField) =>
  refersTo === 'accounts' && list !== 'accounts';

/**
 * Finds fields that share a column, and an account's id whose column is by its name likely to hold other ids. `key` is
 * the column of the accounts' own ids.
 */
export function strangeColumns(fields: readonly CheckedField[], key: string | undefined): readonly Finding[] {
  return fields.flatMap((field, index) => {
    const [column, ofAccount] = [columnOf(field), isOwner(field)];
    const code = ofAccount ? 'reference_column' : 'column_shared';
    if (column === undefined || isConfirmed(field.plan.description, code)) return [];
    const others = ofAccount ? fields : fields.slice(0, index);
    const other = others.find((one) => isAmiss(field, one));
    if (!other && !(ofAccount && OTHERS.test(column) && lastPart(column) !== lastPart(key))) return [];
    const why = other ? `from which ${other.name} is read, too` : 'whose name says that it holds other ids';
    const advice = ofAccount ? "choose the column of the account's id" : 'choose another, or leave one out';
    const sentence = `The field ${field.name} is read from the column ${column}, ${why}: ${advice}.`;
    return [{ code, field: field.name, sentence }];
  });
}
