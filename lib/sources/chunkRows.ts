import type { RowsQuery } from './Source';

/**
 * Rows of a long list that are read, made and written at once. A thousand would be a little faster, and would keep
 * every other request waiting several times as long.
 */
const CHUNK_ROWS = 250;

/** Rows that are read at once where so many and no more are wanted. */
export const MOST_AT_ONCE = 1000;

/** How many rows to read at once for a query that is likely to take so many. */
export function chunkRows({ limit }: Pick<RowsQuery, 'limit'>): number {
  return limit === null ? CHUNK_ROWS : Math.min(limit, MOST_AT_ONCE + 1);
}
