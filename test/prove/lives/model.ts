import type { AuditEntry, TokenRecord } from '../../../index';
import { daysOf, type Settings, type Step, storedName } from './steps';

/*
 * What the module promises about tokens, accounts, settings and limits. All times are whole hours since the life began,
 * waits included.
 */

export type Account = Readonly<Record<'id' | 'createdAt' | 'username' | 'status', string>> & {
  readonly ownerId: string | null;
};

/** A token's record, with its secret and its count. `plain` is null if the secret was not shown. */
export type Token = Omit<TokenRecord, 'prefix' | 'readAt' | 'state' | 'accountId'> &
  Readonly<{ plain: string | null; hits: number; countedAt: number }>;

/** An entry of the audit trail, without its id. */
export type Entry = Pick<AuditEntry, 'action' | 'tokenId'>;

/** The token that a step has created. */
export type Created = Pick<Token, 'id' | 'plain'>;

/** How a step may go beside another one: its form was shown before the other change. An expiry may also differ by seconds. */
export type Turn = 'stale' | 'seconds' | null;

const BLANK = { name: 'life', note: null, scopes: ['*'], accounts: [], owner: false };
const NEW = { ...BLANK, allowedAddresses: [], rateLimit: null };
const UNUSED = { lastUsedAt: null, lastUsedAddress: null, hits: 0, countedAt: -1 };
const CURRENT = { rotatedAt: null, revokedAt: null, revokedBy: null, version: 1 };
const DAY = 24;
const USUAL = 90 * DAY;

export class Model {
  now = 0;
  tokens: readonly Token[] = [];
  entries: readonly Entry[] = [];
  settings = {} as Settings;
  accounts: readonly Account[] = [];
  /** The actors of changes, by their way. */
  actors: Readonly<Record<string, string>> = {};

  copy(changes: Partial<Model> = {}): Model {
    return Object.assign(new Model(), this, { entries: [], ...changes });
  }

  token(id: number): Token {
    return this.tokens.find((one) => one.id === id) as Token;
  }

  state({ revokedAt, expiresAt }: Pick<Token, 'revokedAt' | 'expiresAt'>): TokenRecord['state'] {
    if (revokedAt !== null) return 'revoked';
    return expiresAt !== null && expiresAt <= this.now ? 'expired' : 'active';
  }

  /** Takes a step. Returns whether its change is made; null if that is open. */
  take(step: Step, created: Created, turn: Turn): boolean | null {
    const token = this.token(step.token);
    if (turn === 'stale') return false;
    if (step.do === 'create')
      return this.#insert({ ...NEW, expiresAt: this.now + USUAL } as never, step, created, {});
    if (step.do === 'edit' || step.do === 'extend') return this.#change(token, step, turn === 'seconds');
    if (step.do === 'duplicate') return this.#duplicate(token, step, created);
    if (step.do === 'rotate') return this.#rotate(token, step, created);
    if (step.do === 'revoke') return this.state(token) === 'revoked' ? null : this.#revoke(token, step);
    if (step.do === 'set') return this.#set(step, step.setting);
    if (step.do === 'wait') this.now += step.hours;
    else
      this.accounts = this.accounts.map((one, at) => (at === step.account ? this.accountAfter(step) : one));
    return null;
  }

  put(token: Token, changes: Partial<Token>): void {
    const others = this.tokens.filter(({ id }) => id !== token.id);
    this.tokens = [...others, { ...token, ...changes }].toSorted((a, b) => b.id - a.id);
  }

  #log({ way }: Step, action: string, tokenId: number | null, details: object): true {
    const by = { actor: this.actors[way], origin: way, address: way === 'api-section' ? '127.0.0.1' : null };
    this.entries = this.entries.concat({ at: this.now, action, ...by, tokenId, details } as Entry);
    return true;
  }

  /** The token with the properties of a step; null if these are refused. */
  #with(token: Token, step: Step): Token | null {
    const { accounts: chosen, owner = false, days: _, ...others } = step.properties;
    const days = daysOf(step);
    // The form of a token's properties names its accounts each time.
    const isForm = step.way === 'api-section' && step.do === 'edit';
    const same = isForm ? token.accounts.map(({ id }) => id) : undefined;
    const ids = chosen === undefined ? same : (chosen ?? []).map((index) => this.accounts[index]?.id);
    const found = this.accounts.filter(({ id, status }) => ids?.includes(id) && status !== 'gone');
    const end = (days ?? 0) * DAY;
    if (found.length < (ids?.length ?? 0) || (typeof days === 'number' && end <= this.now)) return null;
    return {
      ...token,
      ...others,
      ...(ids && { accounts: found.map(({ id, createdAt, username }) => ({ id, createdAt, username })) }),
      ...(chosen !== undefined && { owner: chosen?.length === 1 && owner }),
      ...(days !== undefined && { expiresAt: days === null ? null : end }),
    };
  }

  #insert(token: Token, step: Step, created: Created, replaced: object): boolean {
    const next = this.#with(token, step);
    if (!next) return false;
    const line =
      'replaces' in replaced
        ? { lineage: token.lineage, origin: token.origin }
        : { lineage: created.id, origin: step.way as Token['origin'] };
    const by = { createdAt: this.now, createdBy: this.actors[step.way] as string };
    this.put({ ...next, ...UNUSED, ...CURRENT, ...by, ...line, ...created }, {});
    return this.#log(step, 'token.created', created.id, { ...audited(next), ...replaced });
  }

  #duplicate(token: Token, step: Step, created: Created): boolean {
    if (token.rotatedAt !== null && daysOf(step) === undefined) return false;
    const expiresAt = token.expiresAt && this.now + token.expiresAt - token.createdAt;
    return this.#insert({ ...token, expiresAt }, step, created, {});
  }

  #change(token: Token, step: Step, bySeconds: boolean): boolean | null {
    const next = this.state(token) === 'active' ? this.#with(token, step) : null;
    const isLater = (next?.expiresAt ?? Infinity) > (token.expiresAt ?? Infinity);
    if (!next || (step.do === 'extend' && !isLater)) return false;
    const after = audited(next);
    const differences = Object.entries(audited(token))
      .map(([name, from]) => [name, { from, to: after[name] }] as const)
      .filter(([name, { from, to }]) => String(from) !== String(to) || (bySeconds && name === 'expires_at'));
    if (differences.length === 0) return null;
    this.put(next, { version: token.version + 1 });
    const details = { name: token.name, ...Object.fromEntries(differences) };
    return this.#log(step, step.do === 'edit' ? 'token.changed' : 'token.extended', token.id, details);
  }

  #rotate(token: Token, step: Step, created: Created): boolean {
    const mayBe = this.state(token) === 'active' && token.rotatedAt === null && step.hours <= 30 * DAY;
    if (!mayBe || !this.#insert(token, step, created, { replaces: token.id })) return false;
    const expiresAt = Math.min(token.expiresAt ?? Infinity, this.now + step.hours);
    this.put(token, { rotatedAt: this.now, expiresAt, version: token.version + 1 });
    const grace = { replaced_by: created.id, grace_seconds: step.hours * 3600, expires_at: expiresAt };
    return this.#log(step, 'token.rotated', token.id, { ...identifying(token), ...grace });
  }

  #revoke(token: Token, step: Step): true {
    this.put(token, { revokedAt: this.now, revokedBy: this.actors[step.way] as string });
    return this.#log(step, 'token.revoked', token.id, identifying(token));
  }

  #set(step: Step, [name, to]: Step['setting']): true | null {
    const from = this.settings[name];
    this.settings = { ...this.settings, [name]: to };
    if (name === 'lastUsedAddress' && !to)
      for (const token of this.tokens) this.put(token, { lastUsedAddress: null });
    if (from === to) return null;
    if (name === 'enabled') return this.#log(step, to ? 'api.enabled' : 'api.disabled', null, {});
    return this.#log(step, 'settings.changed', null, { [storedName(name)]: { from, to } });
  }

  /** The account of a step as it is after the step. */
  accountAfter({ do: action, account: index }: Step): Account {
    const account = this.accounts[index] as Account;
    const { status, ownerId, createdAt } = account;
    if (action === 'delete') return { ...account, status: 'gone' };
    if (action === 'move')
      return { ...account, ownerId: ownerId === null ? String(this.accounts[0]?.id) : null };
    const next = new Date(Date.parse(createdAt) + 86_400_000).toISOString().replace('.000Z', '+00:00');
    if (action === 'give away') return { ...account, status: 'active', createdAt: next };
    if (status === 'gone') return account;
    return { ...account, status: action === 'suspend' ? 'suspended' : 'active' };
  }
}

/** The name of the domain of an account. */
export function domainOf({ id, createdAt }: Pick<Account, 'id' | 'createdAt'>): string {
  return `of-${id}-since-${createdAt.slice(0, 10)}.example`;
}

/** Properties of a token by their names in the audit trail. */
function audited(token: Token): Record<string, unknown> {
  const { name, note, scopes, allowedAddresses, rateLimit, expiresAt } = token;
  const others = { allowed_addresses: allowedAddresses, rate_limit: rateLimit, expires_at: expiresAt };
  return { ...identifying(token), name, note, scopes, ...others };
}

function identifying({ name, accounts, owner }: Token) {
  const written = accounts.map(({ id, username, createdAt }) => `${id} ${username} ${createdAt}`);
  return { name, account_id: accounts[0]?.id ?? null, accounts: written, owner: owner || null };
}
