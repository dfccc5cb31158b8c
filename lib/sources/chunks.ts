import type { RowsQuery } from './Source';

/** Maximum rows per statement. */
export const MOST_AT_ONCE = 1000;

/** How many rows of a long list are read at once. Parsing them blocks the event loop. */
const ROWS_PER_READ = 500;

/** How many rows of a long list are converted and written at once. Then other requests get their turn. */
export const ROWS_PER_TURN = 125;

/** How many rows are read first while their length is unknown: few, because they may be very long. */
export const FIRST_ROWS = 20;

/** How many times more rows the next read may have, because they may be longer. */
const GROWTH = 8;

/** About how many characters are read at once. The first read is as long as one answer may be. */
export const LONG_CHUNK = 2 ** 19;
const FIRST_CHUNK = 2 ** 20;
const SAMPLE_ROWS = 20;

/** The longest read of many rows. Values that might exceed it are omitted, and read later with few rows. */
const LONGEST_READ = 2 ** 22;

/** Returns how many rows to read first. `length` is the mean length of earlier rows, if known. */
export function firstRows({ limit }: Pick<RowsQuery, 'limit'>, length: number | null): number {
  const most = limit === null ? ROWS_PER_TURN : Math.min(limit, MOST_AT_ONCE + 1);
  return Math.min(most, length === null ? FIRST_ROWS : fitting(FIRST_CHUNK, length));
}

/** Returns how many rows to read after `rows` rows with this mean length. */
export function nextRows({ limit }: Pick<RowsQuery, 'limit'>, rows: number, length: number): number {
  const most = limit === null ? ROWS_PER_READ : MOST_AT_ONCE;
  return Math.min(most, GROWTH * rows, fitting(LONG_CHUNK, length));
}

/** Returns the mean length of rows, estimated from a sample spread over them. */
export function meanLength(rows: readonly unknown[]): number {
  const step = Math.max(1, Math.ceil(rows.length / SAMPLE_ROWS));
  let length = 0;
  for (let index = 0; index < rows.length; index += step) length += lengthOf(rows[index]);
  return length / Math.max(1, Math.ceil(rows.length / step));
}

/** Returns the approximate length of a value in characters or bytes. */
export function lengthOf(value: unknown): number {
  if (typeof value === 'string' || value instanceof Uint8Array) return value.length;
  if (typeof value !== 'object' || value === null) return 8;
  let length = 0;
  for (const member of Object.values(value)) length += lengthOf(member);
  return length;
}

/** Returns how long a value may be in a read of this many rows, as one of few powers of two; null for few rows. */
export function longestOf(rows: number): number | null {
  return rows <= FIRST_ROWS + 1 ? null : 2 ** Math.floor(Math.log2(LONGEST_READ / rows));
}

function fitting(length: number, each: number): number {
  return Math.max(1, Math.floor(length / Math.max(1, each)));
}
