import { Cancellation } from '../async/Cancellation';
import { withTimeout } from '../async/withTimeout';
import { DatabaseFailure } from '../database/DatabaseFailure';
import type { Run } from '../database/Statement';
import { ApiError } from '../errors/ApiError';
import { InvalidInput } from '../errors/InvalidInput';
import { printable } from '../errors/printable';
import { filterTest } from '../sources/filters';
import type { IdColumn, OwnedAccounts } from '../sources/OwnedAccounts';
import { EVERY_ROW, isInDatabase, type Row, retryOnSchemaChange, type Source } from '../sources/Source';
import { type Binding, type BoundAccount, bindingTo, type PresentAccount } from '../tokens/TokenRecord';

/** An account as the list of accounts shows it now. */
export interface ShownAccount extends BoundAccount {
  readonly isSuspended: boolean;
}

/** A list, and its field with a row's account. */
export interface RowsOf {
  readonly source: Source;
  readonly field: string;
}

/** The fields of an account that say whether it is still the same one, and may be served. */
const FIELDS = ['id', 'username', 'status', 'created_at'] as const;

/** The field of an account with the account that owns it. */
const OWNER = 'owner_id';

/** The panel's list of accounts, in which the accounts of tokens are looked up. */
export class AccountList {
  readonly #source: Source | undefined;
  /** Whether a look-up is statements alone, and calls no function of the panel's. */
  readonly isInDatabase: boolean;

  constructor(source: Source | undefined) {
    this.#source = source;
    this.isInDatabase = source === undefined || isInDatabase(source);
  }

  /** Whether the list says which account owns an account. Rejects with a DatabaseFailure. */
  async hasOwners(run?: Run): Promise<boolean> {
    const report = await this.#source?.report(run);
    return report?.state === 'served' && OWNER in report.itemSchema.properties;
  }

  /**
   * Returns the accounts with these ids; null if the panel has no list of accounts. Rejects if it cannot be read. A list
   * whose table does not exist is none, unless the caller needs those that the options name.
   */
  async withIds(ids: ReadonlySet<string>, run: Run, end: Cancellation, isNeeded = false) {
    const source = this.#source;
    const report = await source?.report(run);
    if (isNeeded && report?.state === 'missing') throw new Error('The table of the accounts is missing.');
    if (!source || !report || report.state === 'off' || report.state === 'missing') return null;
    return readAccounts(source, 'id', ids, run, end);
  }

  /**
   * Returns how SQL finds this account and those that it owns in the statement that reads the rows; null if both lists
   * are not tables with whole numbers.
   */
  async findOwned(accountId: string, rowsOf: RowsOf, run: Run): Promise<OwnedAccounts | null> {
    const { field } = rowsOf;
    const id = await this.#source?.idColumn?.('id', run);
    const owner = await this.#source?.idColumn?.(OWNER, run);
    const rows = await rowsOf.source.idColumn?.(field, run);
    const isPlain = (one: IdColumn) => /^[^\s?]+$/.test(one.table + one.column.name);
    // The statement does not know which accounts are left out.
    if (!id?.isWhole || !owner || !rows || ![id, owner, rows].every(isPlain)) return null;
    return { field, accountId, id, owner };
  }

  /** Returns the accounts that this one owns, at least `most + 1` of them if there are more than `most`. */
  async ownedBy(id: string, most: number, run: Run, end: Cancellation): Promise<readonly ShownAccount[]> {
    if (!this.#source || !(await this.hasOwners(run)))
      throw new Error('The list of accounts has no field owner_id any more.');
    return readAccounts(this.#source, OWNER, new Set([id]), run, end, most);
  }

  /**
   * Returns the binding with what makes each account itself; unchanged if the panel has no list of accounts. Throws
   * InvalidInput for an account that is not in the list, or that cannot be told from another one with its id, and
   * if the list cannot be read. Rejects with a DatabaseFailure.
   */
  async bind({ accounts, owner }: Binding, run: Run, deadlineMs: number): Promise<Binding> {
    if (accounts.length === 0) return bindingTo([]);
    const shown = await this.#inTime(new Set(accounts.map(({ id }) => id)), run, deadlineMs);
    if (owner && !(await this.hasOwners(run)))
      throw new InvalidInput('owner', 'The list of accounts does not say which account owns an account.');
    return bindingTo(shown ? accounts.map(({ id }) => boundTo(id, shown)) : accounts, owner);
  }

  /** Returns an account as the list shows it now. Throws as `bind` does, but not for an account that is not in the list. */
  async find(id: string, run: Run, deadlineMs: number): Promise<PresentAccount> {
    const shown = await this.#inTime(new Set([id]), run, deadlineMs, true);
    const unknown = { id, createdAt: null, username: null };
    if (!shown) return { state: 'served', account: unknown };
    if (shown.length === 0) return { state: 'gone', account: unknown };
    const isSuspended = shown.some((account) => account.isSuspended);
    return { state: isSuspended ? 'suspended' : 'served', account: boundTo(id, shown) };
  }

  async #inTime(ids: ReadonlySet<string>, run: Run, deadlineMs: number, isNeeded = false) {
    const end = Cancellation.after(deadlineMs);
    const found = retryOnSchemaChange(() => this.withIds(ids, run, end, isNeeded));
    return withTimeout(found, deadlineMs).catch((error) => {
      if (error instanceof DatabaseFailure) throw error;
      throw new InvalidInput('accountId', 'The list of accounts cannot be read at the moment.');
    });
  }
}

function boundTo(id: string, shown: readonly ShownAccount[]): BoundAccount {
  const account = shown.find((one) => one.id === id);
  if (!account) throw new InvalidInput('accountId', `The list of accounts has no account ${printable(id)}.`);
  const { createdAt, username } = account;
  if (createdAt !== null || username !== null) return { id, createdAt, username };
  throw new InvalidInput(
    'accountId',
    `The list of accounts shows neither created_at nor username of account ${printable(id)}, so a token cannot follow it.`,
  );
}

async function readAccounts(
  source: Source,
  field: 'id' | typeof OWNER,
  wanted: ReadonlySet<string>,
  run: Run,
  end: Cancellation,
  most = Infinity,
): Promise<readonly ShownAccount[]> {
  const query = { ...EVERY_ROW, filters: new Map([[field, wanted]]), fields: [...FIELDS, field] };
  const isWanted = filterTest(query.filters);
  const groups = await source.groups({ ...query, sums: [], latest: [] }, run);
  if (groups)
    return groups
      .map(({ item }) => item)
      .filter(isWanted)
      .map(shownAccount);
  const found: ShownAccount[] = [];
  // For a function, the account of an account's row is the account itself.
  const accountIds = field === 'id' ? wanted : null;
  for await (const { items } of source.chunks({ ...query, accountIds, end }, run)) {
    end.throwIfOver();
    found.push(...items.filter(isWanted).map(shownAccount));
    if (found.length > most) break;
  }
  return found;
}

function shownAccount({ id, username, status, created_at }: Row): ShownAccount {
  const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : null);
  return {
    id: String(id),
    username: text(username),
    createdAt: text(created_at),
    isSuspended: status === 'suspended',
  };
}

/** Throws any failure of the list of accounts as one of the database, or as ApiError `unavailable`. */
export function throwUnavailable(error: unknown): never {
  throw error instanceof DatabaseFailure ? error : new ApiError('unavailable', {}, error);
}
