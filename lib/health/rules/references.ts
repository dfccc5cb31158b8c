import type { Database } from '../../database/Database';
import { keyName } from '../../fields';
import type { ListParts } from '../../lists/served';
import type { Finding } from '../../sources/findings';
import { type Row, readFirst } from '../../sources/Source';
import { type CheckedField, findingOf, type Rule, textOf } from './Rule';

/** All lists, to look ids up in. */
export interface SourceParts extends ListParts {
  /** The database of the lists, in the slots of CHECKS. */
  readonly checks: Database;
}

/** How many ids are looked up with one statement. */
const AT_ONCE = 500;

/** How many ids of a list are remembered. */
const MOST_KNOWN = 100_000;

/** A reference to a row that its list does not have. */
const reference: Pick<Rule, 'code' | 'say'> = {
  code: 'reference',
  say({ field: { refersTo } }, { tested, doubtful, values }) {
    const [only] = values;
    const problem = `is no id of ${refersTo}`;
    if (only !== undefined && values.size === 1 && /^(?:0|-\d+)$/.test(only))
      return [problem, `if this means none, say \`null: ${only}\``];
    if (doubtful * 2 > tested)
      return [
        problem,
        `its values look like the ids of another list: choose the column of the ids of ${refersTo}`,
      ];
    return [problem, 'read null for a row that is gone, such as with a `leftJoin`'];
  },
};

/** Looks the references of a part's rows up in the lists that they refer to, through the sources of these lists. */
export class References {
  readonly #watched: readonly Watched[];
  readonly #parts: SourceParts;

  constructor(fields: readonly CheckedField[], parts: SourceParts) {
    this.#parts = parts;
    this.#watched = fields
      .filter(({ field: { refersTo } }) => refersTo !== undefined && parts.sources.has(refersTo))
      .map((field) => ({ field, known: new Map(), tested: 0, doubtful: 0, values: new Set(), row: null }));
  }

  async see(items: readonly Row[], raws: readonly Row[] | undefined, rowOf: (item: Row) => string | null) {
    for (const watched of this.#watched) {
      const { field, known, values } = watched;
      const { name, reading } = field;
      await this.#learn(watched, new Set(items.flatMap((item) => item[name] ?? []).map(String)));
      for (const [index, item] of items.entries()) {
        const isKnown = known.get(String(item[name] ?? ''));
        if (isKnown === undefined) continue;
        watched.tested += 1;
        if (isKnown) continue;
        watched.doubtful += 1;
        watched.row ??= rowOf(item);
        const raw = reading.cells.length === 1 && raws ? raws[index]?.[reading.cells[0] ?? ''] : item[name];
        const text = textOf({ value: null, raws: [raw], item });
        // A text may be confidential.
        if (text !== null && /^-?\d{1,20}$/.test(text) && values.size < 5) values.add(text);
      }
    }
  }

  findings(): readonly Finding[] {
    return this.#watched.flatMap((watched) =>
      watched.doubtful > 0 ? findingOf(reference, watched.field, watched, watched.row) : [],
    );
  }

  /** Finds out which of these ids the list has. If it cannot be read, its own check says so. */
  async #learn({ field: { field }, known }: Watched, ids: ReadonlySet<string>): Promise<void> {
    const { sources, operations, checks } = this.#parts;
    const list = field.refersTo ?? '';
    const source = sources.get(list);
    const fields = operations.find(({ name }) => name === list)?.fields;
    if (!source || !fields) return;
    const key = keyName(fields);
    if (known.size > MOST_KNOWN) known.clear();
    const unknown = [...ids].filter((id) => !known.has(id));
    for (let start = 0; start < unknown.length; start += AT_ONCE) {
      const asked = unknown.slice(start, start + AT_ONCE);
      const filters = new Map([[key, new Set(asked)]]);
      const found = await readFirst(source, asked.length, checks, filters).catch(() => null);
      if (!found) return;
      const present = new Set(found.rows.map((row) => String(row[key])));
      for (const id of asked) known.set(id, present.has(id));
    }
  }
}

interface Watched {
  readonly field: CheckedField;
  /** Whether the list has a row with this id. */
  readonly known: Map<string, boolean>;
  readonly values: Set<string>;
  tested: number;
  doubtful: number;
  row: string | null;
}

/** A row is not its own parent. */
const referenceSelf: Rule = {
  code: 'reference_self',
  testOf: ({ list, name, field: { refersTo } }) =>
    refersTo === list && name !== 'id'
      ? [({ value, item }) => (value === null ? null : value === item.id)]
      : [],
  say: ({ name }) => [
    `is the id of the same row`,
    `choose the column of ${name}, or read null for such rows`,
  ],
};

export const REFERENCE_RULES: readonly Rule[] = [referenceSelf];

/** Words in the names of columns that hold the ids of something else than accounts. */
const OTHERS =
  /(?:^|[._])(?:sys_?)?(?:group|server|node|role|plan|package|template|creator|created_by|parent)_?(?:id)?$/i;

const columnOf = ({ reading: { columns } }: CheckedField) =>
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
