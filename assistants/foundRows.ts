import { writtenValue } from '../lib/errors/printable';
import { keyName } from '../lib/fields';
import type { Row } from '../lib/sources/Source';
import { rfc3339OfSeconds } from '../lib/time/time';
import type { PanelReader, ReadableList } from './PanelReader';

/** The rows of a list that have a problem. */
export interface FoundRows {
  readonly rows: number;
  /** The first of them, those of the lowest rank. */
  readonly first: readonly Ranked[];
  /** Whether no other rows could have it. */
  readonly isAll: boolean;
}

interface Ranked {
  readonly row: Row;
  readonly rank: number;
}

/** With what the rows of a list are read. */
export interface RowsContext {
  readonly reader: PanelReader;
  readonly list: ReadableList;
  /** The fields that are read of all rows, as far as the list has them. */
  readonly fields: readonly string[];
  /** How many rows are shown at most. */
  readonly most: number;
}

export const NOTHING: FoundRows = { rows: 0, first: [], isAll: true };

/** Counts the rows of a query that have a rank, and keeps the first of them. */
export async function findRows(
  { reader, list, fields, most }: RowsContext,
  query: URLSearchParams,
  rankOf: (row: Row) => number | null,
): Promise<FoundRows> {
  const make = () => ({ rows: 0, first: [] as Ranked[] });
  const { made, isAll } = await reader.fold(list.operation.name, query, { fields }, make, (found, row) => {
    const rank = rankOf(row);
    if (rank === null) return;
    found.rows += 1;
    found.first.push({ row, rank });
    if (found.first.length > 10 * most) found.first = firstOf(found.first, most);
  });
  return { rows: made.rows, first: firstOf(made.first, most), isAll };
}

export function bothOf(one: FoundRows, other: FoundRows): FoundRows {
  const first = [...one.first, ...other.first];
  return { rows: one.rows + other.rows, first, isAll: one.isAll && other.isAll };
}

function firstOf(found: readonly Ranked[], most: number): Ranked[] {
  return found.toSorted((one, other) => one.rank - other.rank).slice(0, most);
}

/** Returns a query for the rows with this time from one moment on, and before another, if the list has such ranges. */
export function rangeQuery(
  { report }: ReadableList,
  time: string,
  from: number | null,
  to: number | null,
): URLSearchParams {
  const query = new URLSearchParams();
  if (!report.ranges.includes(time)) return query;
  if (from !== null) query.set(`${time}_since`, rfc3339OfSeconds(from));
  if (to !== null) query.set(`${time}_before`, rfc3339OfSeconds(to));
  return query;
}

/** Whether the fields that are only shown are read afterwards, by the keys of the shown rows. */
export function areShownApart({ operation, report }: ReadableList): boolean {
  return report.filters.includes(keyName(operation.fields));
}

/** Returns the first rows with these fields too. */
export async function shownRows(
  { reader, list, fields, most }: RowsContext,
  found: FoundRows,
  shown: readonly string[],
): Promise<readonly Row[]> {
  const rows = firstOf(found.first, most).map(({ row }) => row);
  if (rows.length === 0 || !areShownApart(list)) return rows;
  const { operation, report } = list;
  const key = keyName(operation.fields);
  const served = [...fields, ...shown].filter((name) => name in report.itemSchema.properties);
  const query = new URLSearchParams({ fields: served.join(','), limit: String(2 * most) });
  for (const row of rows) query.append(key, writtenValue(String(row[key])));
  const { items } = await reader.page(operation.name, query);
  // A row may have gone since it was counted.
  return rows.map((row) => items.find((item) => item[key] === row[key]) ?? row);
}
