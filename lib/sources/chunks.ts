import type { RowsQuery } from './Source';

/** Rows that one statement returns at most. */
export const MOST_AT_ONCE = 1000;

/** Rows of a long list that are read at once: parsing them blocks the event loop. */
const ROWS_PER_READ = 500;

/** Rows of a long list that are converted and written at once: other requests have their turn before the next ones. */
export const ROWS_PER_TURN = 125;

/** Rows that are read first while their length is unknown: few, because they may be very long. */
export const FIRST_ROWS = 20;

/** By which factor the next read may have more rows at most: they may be longer. */
const GROWTH = 8;

/** About how many characters of values are read at once. The first read takes what may be sent as one answer. */
export const LONG_CHUNK = 2 ** 19;
const FIRST_CHUNK = 2 ** 20;
const SAMPLE_ROWS = 20;

/** The longest read of many rows. Values that could exceed it are held back, and read with few rows. */
const LONGEST_READ = 2 ** 22;

/** Returns how many rows to read first. `length` is the mean length of rows that were read before, if it is known. */
export function firstRows({ limit }: Pick<RowsQuery, 'limit'>, length: number | null): number {
  const most = limit === null ? ROWS_PER_TURN : Math.min(limit, MOST_AT_ONCE + 1);
  return Math.min(most, length === null ? FIRST_ROWS : fitting(FIRST_CHUNK, length));
}

/** Returns how many rows to read after `rows` rows of this mean length. */
export function nextRows({ limit }: Pick<RowsQuery, 'limit'>, rows: number, length: number): number {
  const most = limit === null ? ROWS_PER_READ : MOST_AT_ONCE;
  return Math.min(most, GROWTH * rows, fitting(LONG_CHUNK, length));
}

/** Reads few rows first, and then as many as their length allows, from the start. */
export async function readSome<T>(
  wanted: number,
  read: (most: number) => Promise<readonly T[]>,
): Promise<readonly T[]> {
  const rows = await read(FIRST_ROWS);
  const most = Math.min(wanted, nextRows({ limit: wanted }, wanted, meanLength(rows)));
  return rows.length < FIRST_ROWS || most <= FIRST_ROWS ? rows : read(most);
}

/** Returns the mean length of rows, from a sample that is spread over them. */
export function meanLength(rows: readonly unknown[]): number {
  const step = Math.max(1, Math.ceil(rows.length / SAMPLE_ROWS));
  let sum = 0;
  let sampled = 0;
  for (let index = 0; index < rows.length; index += step) {
    sum += lengthOf(rows[index]);
    sampled += 1;
  }
  return sum / Math.max(1, sampled);
}

/** Returns about how many characters or bytes a value has. */
export function lengthOf(value: unknown): number {
  if (typeof value === 'string' || value instanceof Uint8Array) return value.length;
  if (typeof value !== 'object' || value === null) return 8;
  return Object.values(value).reduce<number>((sum, member) => sum + lengthOf(member), 0);
}

/** Returns how long a value may be in a read of so many rows: one of few powers of two, or null if the rows are few. */
export function longestOf(rows: number): number | null {
  return rows <= FIRST_ROWS + 1 ? null : 2 ** Math.floor(Math.log2(LONGEST_READ / rows));
}

function fitting(length: number, each: number): number {
  return Math.max(1, Math.floor(length / Math.max(1, each)));
}
