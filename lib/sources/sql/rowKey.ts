import { cell, keyCell, PLACE, type RawRow } from '../mapping/FieldPlan';
import { type Key, KeyNotUnique, UnreadableRow } from '../Source';
import { hasExactKeys, type Ordering } from './ordering';

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
        if (isNoKey(value)) throw new UnreadableRow(field);
        isSame &&= value === before?.[name];
      }
      if (isSame) throw new KeyNotUnique(resource);
    }
  };
}

// SQLite keeps bytes in columns of any type, and sorts them after every text.
function isNoKey(value: unknown): boolean {
  return value === null || value === undefined || value instanceof Uint8Array;
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
