/** Where a selected row holds the column of a position in its plan. Numbered names are no database's own words. */
export function cell(position: number): string {
  return `c${position}`;
}
