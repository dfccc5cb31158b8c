import type { RowsQuery } from './Source';

/** Rows that are read at once: few enough to be parsed and written in a few milliseconds. */
export const CHUNK_ROWS = 1000;

/** How many rows to read at once for a query that is likely to take so many. */
export function chunkRows({ limit }: Pick<RowsQuery, 'limit'>): number {
  return limit === null ? CHUNK_ROWS : Math.min(limit, CHUNK_ROWS + 1);
}
