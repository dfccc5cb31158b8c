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
import { KeyNotUnique } from '../KeyNotUnique';
import { cell, keyCell, PLACE, type RawRow, type RowPlan } from '../mapping/FieldPlan';
import { type Key, type Order, UnreadableRow } from '../Source';

/** A column by which rows are sorted. */
interface SortColumn {
  readonly field: string;
  /** Its position in the plan. */
  readonly position: number;
  readonly column: Column;
  readonly comparison: TimeComparison;
}

/** How rows are sorted: all columns in the same direction. Their values are the key of a row. */
export interface Ordering {
  readonly columns: readonly SortColumn[];
  readonly descending: boolean;
  /** The condition of the rows that are sorted so; undefined for all of the list. */
  readonly among?: SqlCondition;
}

/** For each order that a client can ask for, and null for none: how its rows are sorted, one group after another. */
export type Orderings = ReadonlyMap<Order | null, readonly Ordering[]>;

/**
 * Returns the orderings of a list, and for each of the `times` by which it cannot be sorted a sentence that says why.
 */
export function orderingsOf(
  plan: RowPlan,
  dialect: Dialect,
  times: readonly string[] = [],
): { readonly orderings: Orderings; readonly warnings: readonly Finding[] } {
  const columns = keyColumns(plan).map((column, index) => ({
    field: plan.fields[0]?.name ?? '',
    position: plan.key[index] ?? 0,
    column,
    comparison: dialect.compareKey(column),
  }));
  const byKey = { columns, descending: false };
  const backwards = { ...byKey, descending: true };
  const orderings = new Map<Order | null, readonly Ordering[]>([
    [null, [byKey]],
    ['desc', [backwards]],
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
      { ...backwards, columns: [time, ...byKey.columns], among: { sql: '?? IS NOT NULL', bindings } },
      { ...backwards, among: { sql: '?? IS NULL', bindings } },
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
  if (comparison) return { field: name, position, column, comparison };
  return `the column ${column.name} holds no numbers and no times by its type, so it may sort in another order`;
}

/** Returns the groups of rows that come after a key in an order, and the first of them at that key. */
export function groupsAfter(orderings: readonly Ordering[], key: Key | null): readonly Ordering[] {
  // Each group of an order has a key of another length.
  return key ? orderings.slice(orderings.findIndex((one) => one.columns.length === key.length)) : orderings;
}

export function keyColumns({ key, columns }: RowPlan): readonly Column[] {
  return key.map((position) => columns[position] as Column);
}

/** Whether a row could have this key in one of the groups. */
export function mayHold(orderings: readonly Ordering[], key: Key): boolean {
  return orderings.some(
    ({ columns }) =>
      key.length === columns.length &&
      columns.every(({ comparison }, index) => comparison.bind(key[index] ?? '') !== undefined),
  );
}

/** Returns the members of ORDER BY, with `??` for the names of the columns. */
export function orderBy({ columns, descending }: Ordering): readonly SqlCondition[] {
  const direction = descending ? ' DESC' : '';
  return columns.map(({ column, comparison: { left, bound } }) => ({
    sql: (bound === undefined ? left : '??') + direction,
    bindings: [column.name],
  }));
}

/** Returns the conditions of the rows of a group after a key, which is null for all. */
export function groupConditions(ordering: Ordering, key: Key | null): readonly SqlCondition[] {
  return [...(ordering.among ? [ordering.among] : []), ...(key ? afterConditions(ordering, key) : [])];
}

/** Whether keys that differ as texts differ in the database, and sort as they do: whole numbers. */
function hasExactKeys({ columns }: Ordering): boolean {
  return columns.every(({ column }) => isIntegerColumn(column));
}

/**
 * Returns the SQL that selects how a row lies to a key by the database's own comparison: 0 at it, 1 after it, NULL before
 * it. Undefined if the rows themselves show it.
 */
export function placeOf(ordering: Ordering, key: Key | null): SqlCondition | undefined {
  if (key === null || hasExactKeys(ordering)) return undefined;
  const terms = termsOf(ordering, key);
  const [at, after] = [allOf(terms.map((term) => term('='))), afterKey(terms, operatorOf(ordering))];
  const sql = `CASE WHEN ${at.sql} THEN 0 WHEN ${after.sql} THEN 1 END`;
  return { sql, bindings: [...at.bindings, ...after.bindings] };
}

/**
 * Returns the conditions of the rows after a key, and at it if `placeOf` tells them apart. If the key has several
 * columns, the condition on the first column alone lets the database use its index.
 */
function afterConditions(ordering: Ordering, key: Key): readonly SqlCondition[] {
  const terms = termsOf(ordering, key);
  const [first] = terms;
  if (!first) return [];
  const after = operatorOf(ordering);
  const last = hasExactKeys(ordering) ? after : `${after}=`;
  if (terms.length === 1) return [first(last)];
  return [boundCondition(ordering.columns[0], key[0]) ?? first(`${after}=`), afterKey(terms, after, last)];
}

function operatorOf({ descending }: Ordering): '<' | '>' {
  return descending ? '<' : '>';
}

/** Returns the comparison of each column with its part of the key. */
function termsOf({ columns }: Ordering, key: Key): readonly Term[] {
  return columns.map(({ field, column, comparison: { left, right, bind } }, index) => {
    const value = bind(key[index] ?? '');
    if (value === undefined) throw new UnreadableRow(field);
    return (operator) => ({ sql: `${left} ${operator} ${right}`, bindings: [column.name, value] });
  });
}

/** Returns a condition of the rows up to a time that an index on the plain column serves, if another does not. */
function boundCondition(sorted: SortColumn | undefined, text = ''): SqlCondition | undefined {
  const value = sorted?.comparison.bind(text);
  if (value === undefined || !sorted?.comparison.bound) return undefined;
  const { sql, bindings } = sorted.comparison.bound(value);
  return { sql: `?? <= ${sql}`, bindings: [sorted.column.name, ...bindings] };
}

type Term = (operator: string) => SqlCondition;

function afterKey([first, ...rest]: readonly Term[], after: string, last = after): SqlCondition {
  if (!first) return NEVER;
  if (rest.length === 0) return first(last);
  return anyOf([first(after), allOf([first('='), afterKey(rest, after, last)])]);
}

/** Returns the key of a selected row. Throws UnreadableRow if no list can continue after it. */
export function rowKey({ columns }: Ordering, row: RawRow | undefined): Key {
  return columns.map(({ field, position, comparison }) => {
    const text = keyText(row, position);
    if (comparison.bind(text) === undefined) throw new UnreadableRow(field);
    return text;
  });
}

function keyText(row: RawRow | undefined, position: number): string {
  return String(row?.[keyCell(position)] ?? row?.[cell(position)]);
}

/**
 * Creates the check of rows in the order of their keys. A client may continue after any of them, so the check throws
 * KeyNotUnique if two have the same key, and UnreadableRow if one has none. `rowsAfter` finds keys that are equal only as
 * the database compares them.
 */
export function keyChecker(resource: string, { columns }: Ordering): (rows: readonly RawRow[]) => void {
  // A plain loop, because it checks every row of every list.
  return (rows) => {
    const cells = columns.map(({ field, position }) => {
      const isApart = rows[0] !== undefined && keyCell(position) in rows[0];
      return { field, name: isApart ? keyCell(position) : cell(position) };
    });
    for (let index = 0; index < rows.length; index += 1) {
      const row = rows[index] as RawRow;
      const before = rows[index - 1];
      let isSame = before !== undefined;
      for (const { field, name } of cells) {
        const value = row[name];
        // SQLite keeps bytes in columns of any type, and sorts them after every text.
        if (value === null || value === undefined || value instanceof Uint8Array)
          throw new UnreadableRow(field);
        isSame &&= value === before?.[name];
      }
      if (isSame) throw new KeyNotUnique(resource);
    }
  };
}

/**
 * Returns those of the rows of a continued list that come after the key: the row that has it is left out. Throws
 * KeyNotUnique if several rows have the key, as the database compares keys, so that some of them may not have been read
 * before, or if the first row comes before the key, so that the pages of the list would never end.
 */
export function rowsAfter(
  resource: string,
  ordering: Ordering,
  rows: readonly RawRow[],
  after: Key,
): readonly RawRow[] {
  const [first, second] = rows;
  if (!first) return rows;
  const key = ordering.columns.map(({ position }) => keyText(first, position));
  const isSame = key.every((text, index) => text === after[index]);
  if (hasExactKeys(ordering)) {
    if (isSame || isBefore(ordering, key, after)) throw new KeyNotUnique(resource);
    return rows;
  }
  const [place, next] = [String(first[PLACE]), String(second?.[PLACE])];
  const isInPlace = place === '0' || (place === '1' && !isSame);
  if (!isInPlace || next === '0') throw new KeyNotUnique(resource);
  return isSame ? rows.slice(1) : rows;
}

/** Compares whole numbers. */
function isBefore({ columns, descending }: Ordering, key: Key, after: Key): boolean {
  const at = key.findIndex((text, index) => text !== after[index]);
  const [own, last] = [key, after].map((one) => columns[at]?.comparison.bind(one[at] ?? '') as number);
  // Undefined for a value that is no whole number: then neither comparison holds.
  return own !== undefined && last !== undefined && (descending ? own > last : own < last);
}
