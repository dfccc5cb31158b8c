import type { Cancellation } from '../async/Cancellation';
import type { Run } from '../database/Statement';
import { ApiError } from '../errors/ApiError';
import type { SettingValues } from '../settings/Setting';
import type { OwnedAccounts } from '../sources/OwnedAccounts';
import { type Binding, type BoundAccount, isSameAccount } from '../tokens/TokenRecord';
import { type AccountList, type RowsOf, type ShownAccount, throwUnavailable } from './AccountList';

type Bound = Pick<Binding, 'accounts' | 'owner'>;
type Served = Pick<SettingValues, 'suspendedAccounts'>;

/** The most accounts that a token of an account and those that it owns can read by their ids. */
export const MOST_OWNED = 10_000;

/** Why the rows of an account are not served. */
export type Refusal = 'account_gone' | 'account_changed' | 'account_suspended';

/** The accounts whose rows a token may read at a moment: their ids, or how the statement that reads these rows finds them. */
export type Accounts = {
  /** Equal for the same accounts, and different if an id is another account's. */
  readonly identity: string;
} & (
  | { readonly ids: ReadonlySet<string>; readonly owned: null }
  | { readonly ids: null; readonly owned: OwnedAccounts }
);

/**
 * The accounts of one token. They are looked up anew for each answer: nothing is cached. A look-up after the rows were
 * read tells whether they were rows of these accounts: an id that is given to another account stays with it.
 */
export class TokenAccounts {
  /** The accounts that the token is bound to, as a text. */
  readonly binding: string;
  /** Equal only for requests that get the same answer from `find`. */
  readonly key: string;
  /** Whether a look-up calls no function of the panel's. */
  readonly isInDatabase: boolean;
  readonly #bound: Bound;
  readonly #list: AccountList;
  readonly #allowsSuspended: boolean;

  private constructor(bound: Bound, list: AccountList, { suspendedAccounts }: Served) {
    this.binding = JSON.stringify([bound.accounts.map(marksOf), bound.owner]);
    this.key = `${suspendedAccounts} ${this.binding}`;
    this.isInDatabase = list.isInDatabase;
    this.#bound = bound;
    this.#list = list;
    this.#allowsSuspended = suspendedAccounts === 'allow';
  }

  /** Returns the accounts of a token; null for a token of all. */
  static of(bound: Bound, list: AccountList, served: Served): TokenAccounts | null {
    return bound.accounts.length === 0 ? null : new TokenAccounts(bound, list, served);
  }

  /** Returns for each account why it may not be served; null if it may. */
  async refusals(run: Run, end: Cancellation): Promise<readonly (Refusal | null)[]> {
    const { accounts } = this.#bound;
    const ids = new Set(accounts.map(({ id }) => id));
    const shown = await this.#list.withIds(ids, run, end).catch(throwUnavailable);
    if (shown) return accounts.map((bound) => this.#refusalOf(bound, shown));
    // A token that was bound without a list of accounts is served without one.
    if (accounts.every(({ createdAt, username }) => createdAt === null && username === null))
      return accounts.map(() => null);
    return throwUnavailable(
      new Error('The list of accounts, which the token was bound with, is not served any more.'),
    );
  }

  #refusalOf(bound: BoundAccount, shown: readonly ShownAccount[]): Refusal | null {
    const found = shown.filter(({ id }) => id === bound.id);
    if (found.length === 0) return 'account_gone';
    if (!found.every((account) => isSameAccount(bound, account))) return 'account_changed';
    if (!this.#allowsSuspended && found.some(({ isSuspended }) => isSuspended)) return 'account_suspended';
    return null;
  }

  /**
   * Returns those of the accounts that may be served. Throws ApiError with the refusal of the first if none may, and
   * `unavailable` if the list of accounts cannot be read.
   */
  async requireServed(run: Run, end: Cancellation): Promise<readonly [BoundAccount, ...BoundAccount[]]> {
    const refused = await this.refusals(run, end);
    const [first, ...others] = this.#bound.accounts.filter((_, index) => refused[index] === null);
    if (!first) throw new ApiError(refused[0] ?? 'account_gone');
    return [first, ...others];
  }

  /**
   * Looks up all accounts that may be read. Those that an account owns are looked up unless the statement that reads these
   * rows finds them. Throws as `requireServed` does, and ApiError `resource_unavailable` for too many.
   */
  async find(run: Run, end: Cancellation, rows: RowsOf | null): Promise<Accounts> {
    const served = await this.requireServed(run, end);
    if (!this.#bound.owner) return theAccounts(served);
    const found = rows && (await this.#ownedIn(served, run, rows));
    if (found) return found;
    const [first] = served;
    const owned = await this.#list.ownedBy(first.id, MOST_OWNED, run, end).catch(throwUnavailable);
    const all = theAccounts([first, ...owned.filter(({ id }) => id !== first.id)]);
    if (all.ids.size > MOST_OWNED) throw new ApiError('resource_unavailable', { reason: TOO_MANY });
    return all;
  }

  /**
   * Returns the accounts whose rows to read before the first look-up. Throws as `find` does if only a look-up can
   * tell them.
   */
  async findBeforeRead(run: Run, end: Cancellation, rows: RowsOf): Promise<Accounts> {
    const { accounts, owner } = this.#bound;
    if (!owner) return theAccounts(accounts);
    return (await this.#ownedIn(accounts, run, rows)) ?? this.find(run, end, rows);
  }

  async #ownedIn(some: readonly BoundAccount[], run: Run, rows: RowsOf): Promise<Accounts | null> {
    const owned = await this.#list.findOwned(some[0]?.id ?? '', rows, run);
    return owned && { ...theAccounts(some), ids: null, owned };
  }
}

const TOO_MANY = `The account of this token owns more than ${MOST_OWNED.toLocaleString('en')} accounts, the most that one token can read if SQL cannot find them with their rows.`;

function theAccounts(accounts: readonly BoundAccount[]) {
  const marks = accounts.map((account) => JSON.stringify(marksOf(account)));
  return { ids: new Set(accounts.map(({ id }) => id)), owned: null, identity: marks.toSorted().join() };
}

function marksOf({ id, createdAt, username }: BoundAccount) {
  return [id, createdAt, username];
}
