import { Cancellation } from '../lib/async/Cancellation';
import { withTimeout } from '../lib/async/withTimeout';
import type { Installation } from '../lib/Installation';
import { findList } from '../lib/lists/findList';
import { ListReader, readInPlace } from '../lib/lists/ListReader';
import { servedReport } from '../lib/lists/served';
import { EVERY_ROW, type RowsQuery, type SourceReport } from '../lib/sources/Source';
import { accounts } from '../routes/accounts';

/** An account of the panel's own list. */
export interface Account {
  readonly id: string;
  readonly username: string;
  /** The person or company that holds the account; empty if it is unknown. */
  readonly holder: string;
}

/** Whether the panel has a list of accounts, in which they can be searched. */
export async function hasAccounts({ sources }: Installation): Promise<boolean> {
  return (await servedReport(sources.get(accounts.name)).catch(() => null)) !== null;
}

/** The most accounts that a search returns. */
export const MOST_FOUND = 20;

/** The accounts of this id, or whose names begin with the text. Null if the list cannot be read. */
export async function searchAccounts(
  installation: Installation,
  text: string,
): Promise<readonly Account[] | null> {
  return reading(installation, async (read) => [
    ...(await read({ id: text })),
    ...(await read({ search: text })).filter(({ id }) => id !== text),
  ]);
}

/**
 * The accounts that a text means: those of this id or of exactly this login name. Null if the list cannot be read.
 */
export async function meantAccounts(
  installation: Installation,
  text: string,
): Promise<readonly Account[] | null> {
  return reading(installation, async (read) => [
    ...(await read({ id: text })),
    ...(await read({ username: text })).filter(({ id }) => id !== text),
  ]);
}

type Wanted = { readonly id: string } | { readonly username: string } | { readonly search: string };

/** How long a page waits for the panel's list, in milliseconds. */
const TIMEOUT_MS = 2000;

async function reading(
  { readDatabase, sources }: Installation,
  work: (read: (wanted: Wanted) => Promise<readonly Account[]>) => Promise<readonly Account[]>,
): Promise<readonly Account[] | null> {
  const end = Cancellation.after(TIMEOUT_MS);
  const read = async (wanted: Wanted) => {
    const { source, report } = await findList(sources, accounts, null);
    const query = queryFor(wanted, report);
    if (!query) return [];
    const page = { after: null, limit: MOST_FOUND };
    const whole = { ...EVERY_ROW, ...query, fields: null, figures: null, page };
    const list = { resource: accounts.name, source, query: whole, end };
    const { items } = await readInPlace(readDatabase, list, (run) => new ListReader(list).page(run));
    return items.map(
      ({ id, username, name }): Account => ({
        id: String(id),
        username: String(username),
        holder: String(name ?? ''),
      }),
    );
  };
  return withTimeout(work(read), TIMEOUT_MS, () => new Error('The accounts were not read in time.')).catch(
    () => null,
  );
}

/** Null if the list cannot be asked that. */
function queryFor(
  wanted: Wanted,
  { filters, searchable }: SourceReport,
): Pick<RowsQuery, 'filters' | 'search'> | null {
  if ('search' in wanted) {
    if (wanted.search === '') return { filters: new Map(), search: null };
    return searchable.length === 0
      ? null
      : { filters: new Map(), search: { text: wanted.search, fields: searchable } };
  }
  const [[field, value]] = Object.entries(wanted) as [[string, string]];
  return filters.includes(field) ? { filters: new Map([[field, new Set([value])]]), search: null } : null;
}
