import type { AuditEntry } from '../lib/audit/AuditLog';
import { InvalidInput } from '../lib/errors/InvalidInput';
import type { AccountToken, AccountTokens } from '../lib/tokens/TokenRecord';
import { SectionFailure } from '../section/SectionFailure';
import type { SectionRequest } from '../section/SectionRequest';
import type { TokenActionName, TokenView } from '../section/TokenView';

/** Why a customer can create no token now. */
export type Refusal = 'off' | 'suspended' | 'gone' | 'full';

/** The account of a customer, with what the settings allow it. */
interface Customer extends AccountTokens {
  /** How many active tokens the customer has created. */
  readonly active: number;
  readonly refusal: Refusal | null;
}

/** The details of an entry that a customer is shown: none that an administrator wrote for others to read. */
const SHOWN_DETAILS = ['scopes', 'allowed_addresses', 'rate_limit', 'expires_at', 'grace_seconds'];

/** What a customer sees of the tokens: those of the own account, and nothing that is said of other people. */
export class AccountView implements TokenView {
  readonly #request: SectionRequest;
  #customer: Promise<Customer> | undefined;
  #isOpen = false;

  constructor(request: SectionRequest) {
    this.#request = request;
  }

  /** Returns the account, which is read once for each request. */
  customer(): Promise<Customer> {
    this.#customer ??= this.#read();
    return this.#customer;
  }

  async #read(): Promise<Customer> {
    const { api, person } = this.#request;
    const found = await api.tokens.ofAccount(person.accountId ?? '').catch((error) => {
      // The panel named the account, not the customer.
      throw error instanceof InvalidInput ? new SectionFailure('unavailable', error) : error;
    });
    const tokens = found.tokens.map((token) => this.#shown(token));
    const { bounds } = found;
    const active = tokens.filter(({ isOwn, state }) => isOwn && state === 'active').length;
    const closed = bounds.scopes.length === 0 ? 'off' : found.state === 'served' ? null : found.state;
    this.#isOpen = closed === null;
    const refusal = closed ?? (active < bounds.customerTokens ? null : 'full');
    return { ...found, tokens, active, refusal };
  }

  #shown(token: AccountToken): AccountToken {
    return { ...token, name: token.name || this.#request.text('account.unnamed') };
  }

  async get(id: number): Promise<AccountToken | null> {
    const { tokens } = await this.customer();
    return tokens.find((token) => token.id === id) ?? null;
  }

  async lineage({ lineage }: AccountToken): Promise<readonly AccountToken[]> {
    const { tokens } = await this.customer();
    return tokens.filter((token) => token.lineage === lineage);
  }

  async entries({ id, isOwn }: AccountToken, limit: number): Promise<readonly AuditEntry[]> {
    if (!isOwn) return [];
    const entries = await this.#request.api.audit.list({ tokenId: id, limit });
    return entries.map((entry) => this.#shownEntry(entry));
  }

  #shownEntry(entry: AuditEntry): AuditEntry {
    const shown = Object.entries(entry.details).filter(([name]) => SHOWN_DETAILS.includes(name));
    const details = Object.fromEntries(shown);
    if (entry.origin === 'account-section' && entry.details.by === undefined) return { ...entry, details };
    return { ...entry, details, actor: this.#request.text('account.administrator'), address: null };
  }

  /** An administrator's token may have been bound to another account before, and a program of the host may use it. */
  seesUse({ isOwn }: AccountToken): boolean {
    return isOwn;
  }

  async life() {
    return (await this.customer()).bounds.life;
  }

  may(action: TokenActionName, { isOwn, isRevocable }: AccountToken): boolean {
    if (action === 'revoke') return isRevocable;
    return isOwn && this.#isOpen && (action === 'extend' || action === 'rotate');
  }
}

/** The view of a request of the account section. */
export function viewOf({ view }: SectionRequest): AccountView {
  return view as AccountView;
}
