import type { RawRow } from './plan/RowPlan';
import type { RowsQuery } from './Source';

/** Rows that one statement gives at most. */
export const MOST_AT_ONCE = 1000;

/** Rows of a long list that are read at once: what arrives together is taken in together, and holds up all others. */
const ROWS_PER_READ = 500;

/** Rows of a long list that are made and written at once: others have their turn between them and the next ones. */
export const ROWS_PER_TURN = 125;

/** About so many characters of raw values are read at once. */
const LONG_CHUNK = 2 ** 19;
const SAMPLE_ROWS = 20;

/** How many rows to read at once where these are the ones before: fewer where they are long. */
export function nextChunkRows({ limit }: Pick<RowsQuery, 'limit'>, rows: readonly RawRow[]): number {
  const sample = rows.slice(0, SAMPLE_ROWS);
  const length = sample.reduce((sum, row) => sum + rawLength(row), 0) / Math.max(1, sample.length);
  const most = limit === null ? ROWS_PER_READ : MOST_AT_ONCE;
  return Math.max(1, Math.min(most, Math.floor(LONG_CHUNK / Math.max(1, length))));
}

function rawLength(row: RawRow): number {
  return Object.values(row).reduce<number>(
    (sum, value) => sum + (typeof value === 'string' || value instanceof Uint8Array ? value.length : 8),
    0,
  );
}

/** How many rows to read at first for a query that is likely to take so many. */
export function chunkRows({ limit }: Pick<RowsQuery, 'limit'>): number {
  return limit === null ? ROWS_PER_TURN : Math.min(limit, MOST_AT_ONCE + 1);
}
