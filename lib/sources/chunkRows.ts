import type { RowsQuery } from './Source';

/** Rows that are read at once. */
export const MOST_AT_ONCE = 1000;

/** Rows of a long list that are made and written at once: others have their turn between them and the next ones. */
export const ROWS_PER_TURN = 250;

/** How many rows to read at once for a query that is likely to take so many. */
export function chunkRows({ limit }: Pick<RowsQuery, 'limit'>): number {
  return limit === null ? MOST_AT_ONCE : Math.min(limit, MOST_AT_ONCE + 1);
}
