import type { Column } from '../../database/columns';
import type { Dialect } from '../../database/Dialect';
import { cell, keyCell, type RawRow, type RowPlan } from '../mapping/FieldPlan';
import { type Key, KeyNotUnique, UnreadableRow } from '../Source';

/** Returns the key of a selected row. Throws UnreadableRow if no list can continue after it. */
export function rowKey({ key, columns }: RowPlan, row: RawRow | undefined, dialect: Dialect): Key {
  return key.map((position) => {
    const text = String(row?.[keyCell(position)] ?? row?.[cell(position)]);
    if (dialect.compareKey(columns[position] as Column).bind(text) === undefined)
      throw new UnreadableRow('id');
    return text;
  });
}

interface KeyCell {
  readonly name: string;
  /** Reduces a text to what its collation may compare; undefined if it compares the whole text. */
  readonly fold: ((text: string) => string) | undefined;
}

/**
 * Creates the check of rows in the order of their keys. A client may continue after any of them, so the check throws
 * KeyNotUnique if two have the same key, and UnreadableRow if one has none. Keys that may be equal only under the
 * collation are refused only at the end of a page or a chunk of `size` rows.
 */
export function keyChecker(resource: string, plan: RowPlan): (rows: readonly RawRow[], size: number) => void {
  const [field] = plan.fields;
  const folds = plan.key.map((position) =>
    foldOf(plan.columns[position]?.collation, plan.columns[position]?.type),
  );
  // A plain loop, because it checks every row of every list.
  return (rows, size) => {
    const cells = plan.key.map((position, index): KeyCell => {
      const isApart = rows[0] !== undefined && keyCell(position) in rows[0];
      // A key that is selected in the form in which it is compared is compared byte by byte.
      return isApart
        ? { name: keyCell(position), fold: undefined }
        : { name: cell(position), fold: folds[index] };
    });
    for (let index = 0; index < rows.length; index += 1) {
      const row = rows[index] as RawRow;
      if (cells.some(({ name }) => isNoKey(row[name]))) throw new UnreadableRow(field?.name ?? '');
      const before = rows[index - 1];
      if (before && isSameKey(cells, row, before, index >= size - 1)) throw new KeyNotUnique(resource);
    }
  };
}

// SQLite keeps bytes in columns of any type, and sorts them after every text.
function isNoKey(value: unknown): boolean {
  return value === null || value instanceof Uint8Array;
}

function isSameKey(cells: readonly KeyCell[], one: RawRow, other: RawRow, mayFold: boolean): boolean {
  return cells.every(({ name, fold }) => isSame(one[name], other[name], mayFold ? fold : undefined));
}

function isSame(one: unknown, other: unknown, fold: KeyCell['fold']): boolean {
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
