import type { Column } from '../database/Column';
import { KeyNotUnique } from './KeyNotUnique';
import { cell } from './plan/cell';
import type { RawRow, RowPlan } from './plan/RowPlan';
import { UnreadableRow } from './UnreadableRow';

interface KeyCell {
  readonly name: string;
  readonly ignoresCase: boolean;
}

/**
 * What looks at rows in the order of their keys, behind any of which a client may want to go on. Throws KeyNotUnique
 * where two have the same key, and UnreadableRow where one has none. Keys that are the same but for their case are
 * told from each other by their rows, and are refused only where a page or a chunk of `size` rows ends.
 */
export function keyChecker(resource: string, plan: RowPlan): (rows: readonly RawRow[], size: number) => void {
  const [field] = plan.fields;
  const cells = plan.key.map((position): KeyCell => {
    const column = plan.columns[position];
    return { name: cell(position), ignoresCase: column !== undefined && ignoresCase(column) };
  });
  // A plain loop: it looks at every row of every list.
  return (rows, size) => {
    for (let index = 0; index < rows.length; index += 1) {
      const row = rows[index] as RawRow;
      if (cells.some(({ name }) => row[name] === null)) throw new UnreadableRow(field?.name ?? '');
      const before = rows[index - 1];
      if (before && isSameKey(cells, row, before, index >= size - 1)) throw new KeyNotUnique(resource);
    }
  };
}

function isSameKey(cells: readonly KeyCell[], one: RawRow, other: RawRow, mayIgnoreCase: boolean): boolean {
  return cells.every(({ name, ignoresCase }) => isSame(one[name], other[name], mayIgnoreCase && ignoresCase));
}

function ignoresCase({ type, collation = '' }: Column): boolean {
  return collation.endsWith('_ci') || type === 'citext';
}

function isSame(one: unknown, other: unknown, ignoresCase: boolean): boolean {
  if (one === other) return true;
  if (!ignoresCase || typeof one !== 'string' || typeof other !== 'string') return false;
  return asciiLower(one) === asciiLower(other);
}

// What a collation makes of other letters is its own affair.
function asciiLower(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}
