/** Where a selected row holds the column of a position in its plan. Numbered names are no database's own words. */
export function cell(position: number): string {
  return `c${position}`;
}

/** Where a row says that values of it were held back because they are long. */
export const HELD_BACK = 'held';

/** Where it holds the same column as it is compared, if that is not what the column holds. */
export function keyCell(position: number): string {
  return `k${position}`;
}
