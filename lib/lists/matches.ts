import type { Row } from '../sources/Source';
import type { ListQuery } from './parseListQuery';
import { matchesRanges } from './ranges';
import { matchesSearch } from './search';

/**
 * Returns the test whether an item matches the query. A source may return more items, so every item of every list is
 * tested here. This test limits a token to its account.
 */
export function matchesFilters({ filters, ranges, search }: ListQuery): (item: Row) => boolean {
  const wanted = [...filters];
  const isWithin = matchesRanges(ranges);
  const isFound = matchesSearch(search);
  if (wanted.length === 0 && ranges.size === 0 && !search) return () => true;
  const has = (item: Row, name: string, values: ReadonlySet<string>) => {
    const value = item[name];
    return value !== null && value !== undefined && values.has(String(value));
  };
  return (item) =>
    isFound(item) && isWithin(item) && wanted.every(([name, values]) => has(item, name, values));
}

export function testedFields({ filters, ranges, search }: ListQuery): readonly string[] {
  return [...filters.keys(), ...ranges.keys(), ...(search?.fields ?? [])];
}

/** Whether a query matches nothing, because a filter has an empty set of values. Then no database is needed. */
export function isEmpty({ filters }: ListQuery): boolean {
  return [...filters.values()].some((values) => values.size === 0);
}
