import { cell, keyCell, type RawRow } from '../mapping/FieldPlan';
import { type Key, KeyNotUnique, UnreadableRow } from '../Source';
import type { Ordering } from './ordering';

/** Returns the key of a selected row. Throws UnreadableRow if no list can continue after it. */
export function rowKey({ columns }: Ordering, row: RawRow | undefined): Key {
  return columns.map(({ field, position, comparison }) => {
    const text = String(row?.[keyCell(position)] ?? row?.[cell(position)]);
    if (comparison.bind(text) === undefined) throw new UnreadableRow(field);
    return text;
  });
}

interface KeyCell {
  readonly field: string;
  readonly name: string;
  /** Reduces a text to what its collation may compare; undefined if it compares the whole text. */
  readonly fold: ((text: string) => string) | undefined;
}

/**
 * Creates the check of rows in the order of their keys. A client may continue after any of them, so the check throws
 * KeyNotUnique if two have the same key, and UnreadableRow if one has none. Keys that may be equal only under the
 * collation are refused only at the end of a page or a chunk of `size` rows.
 */
export function keyChecker(
  resource: string,
  { columns }: Ordering,
): (rows: readonly RawRow[], size: number) => void {
  const folds = columns.map(({ column }) => foldOf(column.collation, column.type));
  // A plain loop, because it checks every row of every list.
  return (rows, size) => {
    const cells = columns.map(({ field, position }, index): KeyCell => {
      const isApart = rows[0] !== undefined && keyCell(position) in rows[0];
      // A key that is selected in the form in which it is compared is compared byte by byte.
      return isApart
        ? { field, name: keyCell(position), fold: undefined }
        : { field, name: cell(position), fold: folds[index] };
    });
    for (let index = 0; index < rows.length; index += 1) {
      const row = rows[index] as RawRow;
      const before = rows[index - 1];
      let isSame = before !== undefined;
      for (const { field, name, fold } of cells) {
        const value = row[name];
        if (isNoKey(value)) throw new UnreadableRow(field);
        isSame &&= isSameKey(value, before?.[name], index >= size - 1 ? fold : undefined);
      }
      if (isSame) throw new KeyNotUnique(resource);
    }
  };
}

// SQLite keeps bytes in columns of any type, and sorts them after every text.
function isNoKey(value: unknown): boolean {
  return value === null || value === undefined || value instanceof Uint8Array;
}

function isSameKey(one: unknown, other: unknown, fold: KeyCell['fold']): boolean {
  if (one === other) return true;
  if (!fold || typeof one !== 'string' || typeof other !== 'string') return false;
  return fold(one) === fold(other);
}

// Collations of no particular language, which ignore accents and control characters.
const WITHOUT_ACCENTS = /_(?:general|unicode|unicode_520|0900_ai|(?:nopad_)?uca1400_(?:nopad_)?ai)_ci$/;
const WITH_SPACES = /nopad|_0900_|^binary$/;

function foldOf(collation: string | undefined, type: string | undefined): KeyCell['fold'] {
  if (type === 'citext') return (text) => text.toLowerCase();
  if (collation === undefined) return undefined;
  return (given) => {
    const text = WITH_SPACES.test(collation) ? given : given.replace(/ +$/, '');
    if (!collation.endsWith('_ci')) return text;
    const plain = WITHOUT_ACCENTS.test(collation)
      ? text.normalize('NFKD').replace(/[\p{M}\p{C}]/gu, '')
      : text;
    // How a collation folds other letters is not known here.
    return plain.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
  };
}
