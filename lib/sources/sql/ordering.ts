import {
  allOf,
  anyOf,
  type Column,
  isIntegerColumn,
  NEVER,
  type SqlCondition,
  type TimeComparison,
} from '../../database/columns';
import type { Dialect } from '../../database/Dialect';
import type { Finding } from '../findings';
import { cell, keyCell, PLACE, type RawRow, type RowPlan } from '../mapping/FieldPlan';
import { type Key, KeyNotUnique, type Order, UnreadableRow } from '../Source';

/** A column by which rows are sorted. */
interface SortColumn {
  readonly field: string;
  /** Its position in the plan. */
  readonly position: number;
  readonly column: Column;
  readonly comparison: TimeComparison;
  /** The name in a selected row of the value that is compared. */
  readonly cell: string;
}

/** How rows are sorted: all columns in the same direction. Their values are the key of a row. */
export type Ordering = ReturnType<typeof createOrdering>;

/** For each order that a client can ask for, and null for none: how its rows are sorted, one group after another. */
export type Orderings = ReadonlyMap<Order | null, readonly Ordering[]>;

/**
 * Returns the orderings of a list, and for each of the `times` by which it cannot be sorted a sentence that says why.
 */
export function orderingsOf(
  resource: string,
  plan: RowPlan,
  dialect: Dialect,
  times: readonly string[] = [],
): { readonly orderings: Orderings; readonly warnings: readonly Finding[] } {
  const columns = keyColumns(plan).map((column, index): SortColumn => {
    const [position = 0, comparison] = [plan.key[index], dialect.compareKey(column)];
    const cellOf = comparison.keySql === undefined ? cell : keyCell;
    return { field: plan.fields[0]?.name ?? '', position, column, comparison, cell: cellOf(position) };
  });
  const orderings = new Map<Order | null, readonly Ordering[]>([
    [null, [createOrdering(resource, columns, false)]],
    ['desc', [createOrdering(resource, columns, true)]],
  ]);
  const warnings: Finding[] = [];
  for (const name of times) {
    const time = timeColumn(name, plan, dialect);
    if (typeof time === 'string') {
      const sentence = `The list cannot be sorted by ${name}: ${time}.`;
      warnings.push({ code: 'not_sortable', field: name, sentence });
      continue;
    }
    const bindings = [time.column.name];
    // An index on the time serves both groups. In one statement, few databases would use it and have NULL last.
    orderings.set(`-${name}`, [
      createOrdering(resource, [time, ...columns], true, { sql: '?? IS NOT NULL', bindings }),
      createOrdering(resource, columns, true, { sql: '?? IS NULL', bindings }),
    ]);
  }
  return { orderings, warnings };
}

/** Returns the column of a field of times, or why no row can be sorted by it. */
export function timeColumn(name: string, plan: RowPlan, dialect: Dialect): SortColumn | string {
  const field = plan.fields.find((one) => one.name === name);
  const position = field?.positions[0];
  if (!field?.range || !field.column || position === undefined) return 'no column supplies this field';
  const { column } = field;
  const comparison = dialect.compareTime(column);
  if (comparison) return { field: name, position, column, comparison, cell: cell(position) };
  return `the column ${column.name} holds no numbers and no times by its type, so it may sort in another order`;
}

export function keyColumns({ key, columns }: RowPlan): readonly Column[] {
  return key.map((position) => columns[position] as Column);
}

/** `among` is the condition of the rows that are sorted so; undefined for all of the list. */
function createOrdering(
  resource: string,
  columns: readonly SortColumn[],
  descending: boolean,
  among?: SqlCondition,
) {
  const after = descending ? '<' : '>';
  /** Whether keys that differ as texts differ in the database, and sort as they do: whole numbers. */
  const isExact = columns.every(({ column }) => isIntegerColumn(column));

  /** Returns the comparison of each column with its part of the key. */
  const termsOf = (key: Key) =>
    columns.map(({ field, column, comparison: { left, right, bind } }, index): Term => {
      const value = bind(key[index] ?? '');
      if (value === undefined) throw new UnreadableRow(field);
      return (operator) => ({ sql: `${left} ${operator} ${right}`, bindings: [column.name, value] });
    });

  /** Whether a key of whole numbers comes before another one. */
  const isBefore = (key: Key, other: Key) => {
    const at = key.findIndex((text, index) => text !== other[index]);
    const [own = Number.NaN, last = Number.NaN] = [key, other].map(
      (one) => columns[at]?.comparison.bind(one[at] ?? '') as number | undefined,
    );
    // Neither comparison holds for a value that is no whole number, which is undefined.
    return descending ? own > last : own < last;
  };

  return {
    keyLength: columns.length,
    /** The positions of the columns by which it sorts. */
    positions: columns.map(({ position }) => position),
    /** The members of ORDER BY, with `??` for the names of the columns. */
    orderBy: columns.map(({ column, comparison: { left, bound } }) => ({
      sql: (bound === undefined ? left : '??') + (descending ? ' DESC' : ''),
      bindings: [column.name],
    })),
    /** Whether a row could have this key. */
    mayHold: (key: Key) =>
      key.length === columns.length &&
      columns.every(({ comparison }, index) => comparison.bind(key[index] ?? '') !== undefined),
    /**
     * Returns the conditions of the rows after a key, and at it if `placeOf` tells them apart; of all rows for null. If the
     * key has several columns, the condition on the first column alone lets the database use its index.
     */
    conditions(key: Key | null): readonly SqlCondition[] {
      const every = among ? [among] : [];
      const terms = key ? termsOf(key) : [];
      if (!key || !terms[0]) return every;
      const last = isExact ? after : `${after}=`;
      const first = boundCondition(columns[0], key[0]) ?? terms[0](`${after}=`);
      return [...every, ...(terms.length > 1 ? [first] : []), afterKey(terms, after, last)];
    },
    /**
     * Returns the SQL that selects how a row lies to a key by the database's own comparison: 0 at it, 1 after it, NULL
     * before it. Undefined if the rows themselves show it.
     */
    placeOf(key: Key | null): SqlCondition | undefined {
      if (key === null || isExact) return undefined;
      const terms = termsOf(key);
      const [at, behind] = [allOf(terms.map((term) => term('='))), afterKey(terms, after)];
      const sql = `CASE WHEN ${at.sql} THEN 0 WHEN ${behind.sql} THEN 1 END`;
      return { sql, bindings: [...at.bindings, ...behind.bindings] };
    },
    /** Returns the key of a selected row. Throws UnreadableRow if no list can continue after it. */
    keyOf: (row: RawRow | undefined): Key =>
      columns.map(({ field, cell, comparison }) => {
        const text = String(row?.[cell]);
        if (comparison.bind(text) === undefined) throw new UnreadableRow(field);
        return text;
      }),
    /**
     * Checks rows in the order of their keys. A client may continue after any of them, so it throws KeyNotUnique if two
     * have the same key, and UnreadableRow if one has none. `rowsAfter` finds keys that are equal only as the database
     * compares them.
     */
    checkKeys(rows: readonly RawRow[]): void {
      let before: RawRow | undefined;
      for (const row of rows) {
        let isSame = before !== undefined;
        for (const { field, cell } of columns) {
          const value = row[cell];
          // SQLite keeps bytes in columns of any type, and sorts them after every text.
          if (
            value === undefined ||
            value === null ||
            (typeof value === 'object' && value instanceof Uint8Array)
          )
            throw new UnreadableRow(field);
          isSame &&= value === before?.[cell];
        }
        if (isSame) throw new KeyNotUnique(resource);
        before = row;
      }
    },
    /**
     * Returns those of the rows of a continued list that come after the key: the row that has it is left out. Throws
     * KeyNotUnique if several rows have the key, as the database compares keys, so that some of them may not have been
     * read before, or if the first row comes before the key, so that the pages of the list would never end.
     */
    rowsAfter(rows: readonly RawRow[], key: Key): readonly RawRow[] {
      const [first, second] = rows;
      if (!first) return rows;
      const own = columns.map(({ cell }) => String(first[cell]));
      const isSame = own.every((text, index) => text === key[index]);
      if (isExact) {
        if (isSame || isBefore(own, key)) throw new KeyNotUnique(resource);
        return rows;
      }
      const [place, next] = [String(first[PLACE]), String(second?.[PLACE])];
      const isInPlace = place === '0' || (place === '1' && !isSame);
      if (!isInPlace || next === '0') throw new KeyNotUnique(resource);
      return isSame ? rows.slice(1) : rows;
    },
  };
}

type Term = (operator: string) => SqlCondition;

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
