import {
  allOf,
  anyOf,
  isIntegerColumn,
  NEVER,
  type SqlCondition,
  type TimeComparison,
} from '../../database/columns';
import type { RawRow, SelectedColumn } from '../mapping/FieldPlan';
import { type Key, KeyNotUnique, UnreadableRow } from '../Source';

/** The name in a selected row of the flag of `isAfterFlag`. */
export const IS_AFTER = 'p0';

/** The name of a key column's value in the form in which keys are compared, if that differs. */
export function keyCell({ cell }: SelectedColumn): string {
  return `k${cell}`;
}

/** A column by which rows are sorted. */
export interface SortColumn {
  readonly field: string;
  readonly column: SelectedColumn;
  readonly comparison: TimeComparison;
  /** The name in a selected row of the value that is compared. */
  readonly cell: string;
}

type Term = (operator: string) => SqlCondition;

/** How rows are sorted: all columns in the same direction. Their values are the key of a row. */
export class Ordering {
  readonly columns: readonly SortColumn[];
  /** The members of ORDER BY, with `??` for the names of the columns. */
  readonly orderBy: readonly SqlCondition[];
  readonly #resource: string;
  /** The operator of a column that comes after a value. */
  readonly #after: '<' | '>';
  readonly #among: readonly SqlCondition[];
  /** Whether keys that differ as texts differ in the database, and sort as they do: whole numbers. */
  readonly #isExact: boolean;

  /** `among` is the condition of the rows that are sorted so; undefined for all of the list. */
  constructor(resource: string, columns: readonly SortColumn[], isDescending: boolean, among?: SqlCondition) {
    this.#resource = resource;
    this.columns = columns;
    this.#after = isDescending ? '<' : '>';
    this.#among = among ? [among] : [];
    this.#isExact = columns.every(({ column }) => isIntegerColumn(column));
    this.orderBy = columns.map(({ column, comparison: { left, bound } }) => ({
      sql: (bound === undefined ? left : '??') + (isDescending ? ' DESC' : ''),
      bindings: [column.name],
    }));
  }

  /** Whether a row could have this key. */
  accepts(key: Key): boolean {
    const { columns } = this;
    const isBound = ({ comparison }: SortColumn, index: number) =>
      comparison.bind(key[index] ?? '') !== undefined;
    return key.length === columns.length && columns.every(isBound);
  }

  /**
   * Returns the conditions of the rows after a key, and at it if `isAfterFlag` tells them apart; of all rows for null. If
   * the key has several columns, the condition on the first column alone lets the database use its index.
   */
  conditions(key: Key | null): readonly SqlCondition[] {
    const terms = key ? this.#terms(key) : [];
    if (!key || !terms[0]) return this.#among;
    const last = this.#isExact ? this.#after : `${this.#after}=`;
    const first = boundCondition(this.columns[0], key[0]) ?? terms[0](`${this.#after}=`);
    return [...this.#among, ...(terms.length > 1 ? [first] : []), afterKey(terms, this.#after, last)];
  }

  /**
   * Returns the SQL that selects how a row lies to a key by the database's own comparison: 0 at it, 1 after it, NULL
   * before it. Undefined if the rows themselves show it.
   */
  isAfterFlag(key: Key | null): SqlCondition | undefined {
    if (key === null || this.#isExact) return undefined;
    const terms = this.#terms(key);
    const [at, behind] = [allOf(terms.map((term) => term('='))), afterKey(terms, this.#after)];
    const sql = `CASE WHEN ${at.sql} THEN 0 WHEN ${behind.sql} THEN 1 END`;
    return { sql, bindings: [...at.bindings, ...behind.bindings] };
  }

  /** Returns the key of a selected row. Throws UnreadableRow if no list can continue after it. */
  keyOf(row: RawRow | undefined): Key {
    return this.columns.map(({ field, cell, comparison }) => {
      const text = String(row?.[cell]);
      if (comparison.bind(text) === undefined) throw new UnreadableRow(field);
      return text;
    });
  }

  /**
   * Requires a key of each row, in their order. A client may continue after any of them, so it throws KeyNotUnique if two
   * have the same key, and UnreadableRow if one has none. `rowsAfter` finds keys that are equal only as the database
   * compares them.
   */
  requireKeys(rows: readonly RawRow[]): void {
    let before: RawRow | undefined;
    for (const row of rows) {
      let isSame = before !== undefined;
      for (const { field, cell } of this.columns) {
        const value = row[cell] ?? null;
        // SQLite keeps bytes in columns of any type, and sorts them after every text.
        if (value === null || (typeof value === 'object' && value instanceof Uint8Array))
          throw new UnreadableRow(field);
        isSame &&= value === before?.[cell];
      }
      if (isSame) throw new KeyNotUnique(this.#resource);
      before = row;
    }
  }

  /**
   * Returns those of the rows of a continued list that come after the key: the row that has it is left out. Throws
   * KeyNotUnique if several rows have the key, as the database compares keys, so that some of them may not have been
   * read before, or if the first row comes before the key, so that the pages of the list would never end.
   */
  rowsAfter(rows: readonly RawRow[], key: Key): readonly RawRow[] {
    const [first, second] = rows;
    if (!first) return rows;
    const firstKey = this.columns.map(({ cell }) => String(first[cell]));
    const isSame = firstKey.every((text, index) => text === key[index]);
    if (this.#isExact) {
      if (isSame || this.#isBefore(firstKey, key)) throw new KeyNotUnique(this.#resource);
      return rows;
    }
    const [flag, next] = [String(first[IS_AFTER]), String(second?.[IS_AFTER])];
    const isInOrder = flag === '0' || (flag === '1' && !isSame);
    if (!isInOrder || next === '0') throw new KeyNotUnique(this.#resource);
    return isSame ? rows.slice(1) : rows;
  }

  /** Returns the comparison of each column with its part of the key. */
  #terms(key: Key): readonly Term[] {
    return this.columns.map(({ field, column, comparison: { left, right, bind } }, index): Term => {
      const value = bind(key[index] ?? '');
      if (value === undefined) throw new UnreadableRow(field);
      return (operator) => ({ sql: `${left} ${operator} ${right}`, bindings: [column.name, value] });
    });
  }

  /** Whether a key of whole numbers comes before another one. */
  #isBefore(key: Key, other: Key): boolean {
    const at = key.findIndex((text, index) => text !== other[index]);
    const [one = Number.NaN, last = Number.NaN] = [key, other].map(
      (each) => this.columns[at]?.comparison.bind(each[at] ?? '') as number | undefined,
    );
    // Neither comparison holds for a value that is no whole number, which is undefined.
    return this.#after === '<' ? one > last : one < last;
  }
}

function afterKey([first, ...rest]: readonly Term[], after: string, last = after): SqlCondition {
  if (!first) return NEVER;
  if (rest.length === 0) return first(last);
  return anyOf([first(after), allOf([first('='), afterKey(rest, after, last)])]);
}

/** Returns a condition of the rows up to a time that an index on the plain column serves, if another does not. */
function boundCondition(sorted: SortColumn | undefined, text = ''): SqlCondition | undefined {
  const value = sorted?.comparison.bind(text);
  if (value === undefined || !sorted?.comparison.bound) return undefined;
  const { sql, bindings } = sorted.comparison.bound(value);
  return { sql: `?? <= ${sql}`, bindings: [sorted.column.name, ...bindings] };
}
