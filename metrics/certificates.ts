import type { RowTally } from '../lib/lists/RowsReader';
import { DAY_SECONDS } from '../lib/time/time';
import { countOf, seconds } from './counts';
import { gauge } from './exposition';
import { type ListView, listReading, unlessTooMany } from './Reading';

/** How many certificates are shown: those that end first. */
const MOST_SHOWN = 20;

/** If there are more names, only certificates that end about now are looked at. */
const MOST_NAMES = 10_000;
const NEAR = 14 * DAY_SECONDS;

/** The names that are looked at again, because some of their certificates may have been replaced. */
const MOST_CANDIDATES = 100;

/** Not served by any website, or not issued. */
const NOT_HELD: readonly unknown[] = ['revoked', 'failed', 'pending'];

export const certificates = listReading('ssl', async (list) => {
  // A status that is computed from the end is different for each end.
  const counts = await list.tally({ fields: ['status'] }).catch(unlessTooMany);
  const total = counts?.reduce((sum, { rows }) => sum + rows, 0) ?? Infinity;
  const ends = !list.has('expires_at')
    ? []
    : total <= MOST_NAMES
      ? await endsOf(list, {})
      : await nearEnds(list);
  return [
    ...(counts ? [countOf(list, 'certificates', ['status'], counts)] : []),
    gauge(
      'certificate_expiry_timestamp_seconds',
      'When the certificate ends, for the names whose certificates end first.',
      ends.slice(0, MOST_SHOWN).map(([common_name, value]) => ({ labels: { common_name }, value })),
    ),
  ];
});

/** A name, and when the last of its certificates ends. */
type End = readonly [name: string, seconds: number];

/** Returns the names of which a certificate ends about now, with the end of their last one. */
async function nearEnds(list: ListView): Promise<readonly End[]> {
  const now = Math.floor(Date.now() / 1000);
  const near = await endsOf(list, {
    ranges: new Map([['expires_at', { from: now - NEAR, to: now + NEAR }]]),
  });
  const names = new Set(near.slice(0, MOST_CANDIDATES).map(([name]) => name));
  return endsOf(list, { filters: new Map([['common_name', names]]) });
}

/** Returns the end of each name, the first one first. A name's certificate that ends last has replaced the others. */
async function endsOf(
  list: ListView,
  rows: Pick<Parameters<ListView['tally']>[0], 'filters' | 'ranges'>,
): Promise<readonly End[]> {
  const found = await list.tally({ fields: ['common_name', 'status'], time: 'expires_at', ...rows });
  const ends = new Map<string, number>();
  for (const { item, latest } of found.filter(isHeld)) {
    const [name, end] = [String(item.common_name), seconds(latest)];
    if (end !== undefined) ends.set(name, Math.max(end, ends.get(name) ?? end));
  }
  return [...ends].toSorted(([, one], [, other]) => one - other);
}

function isHeld({ item }: RowTally): boolean {
  return Boolean(item.common_name) && !NOT_HELD.includes(item.status);
}
