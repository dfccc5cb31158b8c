import { CHANGED, type Row } from '../sources/Source';
import { rfc3339OfSeconds } from '../time/time';
import type { ListQuery } from './ListQuery';

/**
 * Whether an item is among those that were asked for. A source may give more than that, so every item of every list
 * is asked here, and this is what keeps a token to its account.
 */
export function passes({ filters, updatedSince }: ListQuery): (item: Row) => boolean {
  const wanted = [...filters];
  const since = updatedSince === null ? null : rfc3339OfSeconds(updatedSince);
  if (wanted.length === 0 && since === null) return () => true;
  const has = (item: Row, name: string, values: ReadonlySet<string>) => {
    const value = item[name];
    return value !== null && value !== undefined && values.has(String(value));
  };
  return (item) =>
    wanted.every(([name, values]) => has(item, name, values)) &&
    // Times in the API's one form sort as texts.
    (since === null || (typeof item[CHANGED] === 'string' && item[CHANGED] >= since));
}
