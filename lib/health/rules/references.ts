import type { Database } from '../../database/Database';
import { type Fields, keyName } from '../../fields';
import type { ListParts } from '../../lists/findList';
import type { Finding } from '../../sources/findings';
import { readFirst, type Source } from '../../sources/Source';
import type { CheckedField, Rule } from './Rule';

/** All lists, to look ids up in. */
export interface SourceParts extends ListParts {
  /** The database of the lists, in the slots of CHECKS. */
  readonly checks: Database;
}

/** How many ids are looked up with one statement. */
const AT_ONCE = 500;

/** How many ids of a list are remembered. */
const MOST_KNOWN = 100_000;

/** The ids of a list, of which some were looked up. */
export function createKnownIds(source: Source, fields: Fields, checks: Database) {
  const key = keyName(fields);
  const known = new Map<string, boolean>();
  return {
    /** Whether the list has a row with this id; undefined if that is not known. */
    has: (id: unknown) => known.get(String(id)),
    /** Looks ids up. If the list cannot be read, they stay unknown, and its own check says why. */
    async learn(ids: readonly string[]): Promise<void> {
      if (known.size > MOST_KNOWN) known.clear();
      const unknown = [...new Set(ids)].filter((id) => !known.has(id));
      for (let start = 0; start < unknown.length; start += AT_ONCE) {
        const asked = new Set(unknown.slice(start, start + AT_ONCE));
        const found = await readFirst(source, asked.size, checks, new Map([[key, asked]])).catch(() => null);
        if (!found) return;
        const present = new Set(found.rows.map((row) => String(row[key])));
        for (const id of asked) known.set(id, present.has(id));
      }
    },
  };
}

/** A reference is no id of the list that it refers to. */
const reference: Rule = {
  code: 'reference',
  testOf({ field: { refersTo }, refers }) {
    if (refersTo === undefined) return null;
    return ({ value }) => {
      const isKnown = value === null ? undefined : refers(value);
      return isKnown === undefined ? null : !isKnown;
    };
  },
  shows: 'raw',
  say({ field: { refersTo } }, { tested, doubtful, values }) {
    const [only = ''] = values;
    const advice =
      values.size === 1 && /^(?:0|-\d+)$/.test(only)
        ? `if this means none, say \`null: ${only}\``
        : doubtful * 2 > tested
          ? `they look like other ids: choose the column of the ids of ${refersTo}`
          : 'read null for a row that is gone, such as with a `leftJoin`';
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

export const REFERENCE_RULES: readonly Rule[] = [reference, referenceSelf];

/** Words in the names of columns that hold the ids of something else than accounts. */
const OTHERS =
  /(?:^|[._])(?:sys_?)?(?:group|server|node|role|plan|package|template|creator|created_by|parent)_?(?:id)?$/i;

const columnOf = ({ plan: { columns } }: CheckedField) =>
  columns.length === 1 ? columns[0]?.name : undefined;
const lastPart = (reference = '') => reference.replace(/^.*\./, '');

/**
 * Finds an account's id whose column is likely to hold other ids: it is that of the id of something else, or its name
 * says so. `key` is the column of the accounts' own ids.
 */
export function strangeOwner(fields: readonly CheckedField[], key: string | undefined): readonly Finding[] {
  const owner = fields.find(
    ({ list, field: { refersTo } }) => refersTo === 'accounts' && list !== 'accounts',
  );
  const column = owner && columnOf(owner);
  if (!owner || column === undefined) return [];
  const other = fields.find(
    (one) => columnOf(one) === column && one.field.kind === 'id' && one.field.refersTo !== 'accounts',
  );
  const isNamed = OTHERS.test(column) && lastPart(column) !== lastPart(key);
  if (!other && !isNamed) return [];
  const why = other ? `from which ${other.name} is read, too` : 'whose name says that it holds other ids';
  const sentence = `The field ${owner.name} is read from the column ${column}, ${why}: choose the column of the account's id.`;
  return [{ code: 'reference_column', field: owner.name, sentence }];
}
