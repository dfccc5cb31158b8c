import type { AccountList } from '../accounts/AccountList';
import { Cancellation } from '../async/Cancellation';
import { withTimeout } from '../async/withTimeout';
import type { Database } from '../database/Database';
import type { Fields } from '../fields';
import type { Row, SourceReport } from '../sources/Source';
import { type ListParts, servedReport } from './findList';
import { WHOLE_LIST } from './parseListQuery';
import { readInSlot, readList } from './readList';
import { parseSearch } from './search';

/** An account, as administrators are shown it. */
export interface PanelAccount {
  readonly id: string;
  readonly username: string;
  /** The person or company that holds the account; empty if it is unknown. */
  readonly holder: string;
}

interface PanelAccountsParts extends ListParts {
  readonly accounts: AccountList;
  /** The database of the lists, in the slots of CHECKS. */
  readonly checks: Database;
}

/** The name of the list. */
const ACCOUNTS = 'accounts';

/** How many accounts a search finds. */
export const MOST_FOUND = 20;

/** How long an administrator waits for the panel's list, in milliseconds. */
const TIMEOUT_MS = 2000;

/** The accounts of the panel, for administrators. A list that cannot be read in time hides nothing else from them. */
export class PanelAccounts {
  readonly #parts: PanelAccountsParts;

  constructor(parts: PanelAccountsParts) {
    this.#parts = parts;
  }

  /** Whether the panel serves a list of accounts. A read of it may fail all the same. */
  async areListed(): Promise<boolean> {
    return (await servedReport(this.#parts.sources.get(ACCOUNTS)).catch(() => null)) !== null;
  }

  /** Whether the list says which account owns an account. */
  async haveOwners(): Promise<boolean> {
    return this.#parts.accounts.hasOwners().catch(() => false);
  }

  /**
   * Returns the accounts of this id, and those of exactly this login name or, in a search, whose names begin with the
   * text; null if the list cannot be read.
   */
  async find(text: string, by: 'search' | 'username'): Promise<readonly PanelAccount[] | null> {
    return withTimeout(this.#find(text, by), TIMEOUT_MS).catch(() => null);
  }

  async #find(text: string, by: 'search' | 'username') {
    const { operations, sources, checks } = this.#parts;
    const end = Cancellation.after(TIMEOUT_MS);
    const { fields = {} } = operations.find(({ name }) => name === ACCOUNTS) ?? {};
    const source = sources.get(ACCOUNTS);
    const report = await servedReport(source);
    if (!source || !report) return null;
    const read = async (what: 'id' | typeof by) => {
      const selected = queryFor(what, text, fields, report);
      if (!selected) return [];
      const page = { after: null, limit: MOST_FOUND };
      const query = { ...WHOLE_LIST, ...selected, page };
      const list = { resource: ACCOUNTS, source, rowsOfToken: null, query, end };
      const { items } = await readInSlot(checks, list, (run) => readList(list, run, (rows) => rows.page()));
      return items.map(panelAccount);
    };
    return [...(await read('id')), ...(await read(by)).filter(({ id }) => id !== text)];
  }
}

function panelAccount({ id, username, name }: Row): PanelAccount {
  return { id: String(id), username: String(username), holder: String(name ?? '') };
}

/** Null if the list cannot be filtered or searched so. */
function queryFor(what: 'id' | 'username' | 'search', text: string, fields: Fields, report: SourceReport) {
  if (what !== 'search')
    return report.filters.includes(what) ? { filters: new Map([[what, new Set([text])]]) } : null;
  if (text === '') return {};
  return report.searchable.length > 0 ? { search: parseSearch(text, fields, report) } : null;
}
