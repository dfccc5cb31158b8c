import type { AuditEntry, TokenRecord } from '../../../index';
import { CLIENTS, SCOPES, SETTINGS, type Step, type Way } from './steps';

/*
 * What the module promises about tokens, accounts, settings and limits. All times are whole hours since the life began,
 * waits included.
 */

export interface Account {
  readonly id: string;
  readonly createdAt: string;
  readonly username: string;
  readonly ownerId: string | null;
  readonly state: 'active' | 'suspended' | 'gone';
}

/** A token's record, and what else is known of it. */
export interface Token extends Omit<TokenRecord, 'prefix' | 'readAt' | 'state' | 'accountId'> {
  /** Null if no answer has shown it. */
  readonly plain: string | null;
  /** How often it was counted in the hour of the last count. */
  readonly hits: number;
  readonly countedAt: number;
}

export interface Answer {
  readonly status: number;
  readonly code: string | null;
  /** The requests that are left in the window; null if it was not counted. */
  readonly left: number | null;
  readonly shown: unknown;
}

/** What a step does: whether its change is made, null for no matter; its entries in the audit trail; its answer. */
export interface Effect {
  readonly isDone: boolean | null;
  readonly entries?: readonly Pick<AuditEntry, 'action' | 'tokenId'>[];
  readonly answer?: Answer;
}

/** The token that a step has created. */
export type Created = Pick<Token, 'id' | 'plain'>;

/**
 * How a step may go beside another one: its form was shown before the other change, or that fell between the two
 * transactions of its rotation. An expiry may also differ by seconds.
 */
export type Turn = 'stale' | 'undone' | 'seconds' | null;

const UNUSED = {
  rotatedAt: null,
  revokedAt: null,
  revokedBy: null,
  lastUsedAt: null,
  lastUsedAddress: null,
  version: 1,
  hits: 0,
  countedAt: -1,
};
const BLANK = {
  name: 'life',
  note: null,
  scopes: ['*'],
  allowedAddresses: [],
  rateLimit: null,
  accounts: [],
  owner: false,
};
const LONGEST_GRACE = 30 * 24;
const USUAL_HOURS = 90 * 24;
/** The expiry in a form counts from now. A week more tells it apart from others. */
const FORM_HOURS = 7 * 24;
const SCOPE_ORDER = ['profile.read', 'accounts.read', 'domains.read', 'platform.read'];

export class Model {
  now = 0;
  tokens: readonly Token[] = [];
  settings = SETTINGS;

  accounts: readonly Account[] = [];
  /** The actors of changes, by where they are made. */
  actors: Readonly<Record<Way, string>> = { panel: '', 'api-section': '', cli: '' };

  copy(changes: Partial<Model> = {}): Model {
    return Object.assign(new Model(), this, changes);
  }

  token(id: number): Token {
    return this.tokens.find((one) => one.id === id) as Token;
  }

  state({ revokedAt, expiresAt }: Token): TokenRecord['state'] {
    if (revokedAt !== null) return 'revoked';
    return expiresAt !== null && expiresAt <= this.now ? 'expired' : 'active';
  }

  /** Takes a step of a token, which was `before` when the step and another one began. */
  take(step: Step, created: Created, turn: Turn = null, before = this.token(step.token)): Effect {
    const token = this.token(step.token);
    if (turn === 'stale') return { isDone: false };
    if (turn === 'undone') return this.#undo(before, step, created);
    if (step.do === 'create')
      return this.#insert({ ...BLANK, expiresAt: this.now + USUAL_HOURS } as never, step, created);
    if (step.do === 'duplicate') return this.#duplicate(token, step, created);
    if (step.do === 'edit' || step.do === 'extend') return this.#change(token, step, turn === 'seconds');
    if (step.do === 'rotate') return this.#rotate(token, step, created);
    if (step.do === 'revoke')
      return this.state(token) === 'revoked' ? { isDone: null } : this.#revoke(token, step);
    if (step.do === 'set') return this.#set(step);
    if (step.do === 'ask') return { isDone: null, answer: this.#answer(token, step) };
    if (step.do === 'wait') this.now += step.hours;
    else this.#changeAccount(step);
    return { isDone: null };
  }

  #put(token: Token): void {
    this.tokens = [...this.tokens.filter(({ id }) => id !== token.id), token].toSorted((a, b) => b.id - a.id);
  }

  #entry({ way }: Step, action: AuditEntry['action'], tokenId: number | null, details: object) {
    const address = way === 'api-section' ? '127.0.0.1' : null;
    return { at: this.now, action, actor: this.actors[way], origin: way, address, tokenId, details };
  }

  /** The token with the properties of a step; null if they are refused. */
  #with(token: Token, { do: action, way, properties }: Step): Token | null {
    const { accounts: chosen, owner = false, days, ...others } = properties;
    const isForm = way === 'api-section';
    // The form of a token's properties names its accounts each time.
    const same =
      isForm && (action === 'edit' || action === 'duplicate')
        ? token.accounts.map(({ id }) => id)
        : undefined;
    const ids = chosen === undefined ? same : (chosen ?? []).map((index) => this.accounts[index]?.id);
    const found = ids?.map((id) => this.accounts.find((one) => one.id === id && one.state !== 'gone'));
    const end = (days ?? 0) * 24 + (isForm && action !== 'extend' ? this.now + FORM_HOURS : 0);
    if (found?.includes(undefined) || (typeof days === 'number' && end <= this.now)) return null;
    const ordered = (scopes: readonly string[]) => SCOPE_ORDER.filter((scope) => scopes.includes(scope));
    return {
      ...token,
      ...others,
      ...(others.scopes && !others.scopes.includes('*') && { scopes: ordered(others.scopes) }),
      ...(found && { accounts: found.map((one) => boundTo(one as Account)) }),
      ...(chosen !== undefined && { owner: chosen?.length === 1 && owner }),
      ...(days !== undefined && { expiresAt: days === null ? null : end }),
    };
  }

  #insert(
    token: Token,
    step: Step,
    { id, plain }: Created,
    origin: { replaces?: number; duplicate_of?: number } = {},
  ): Effect {
    const next = this.#with(token, step);
    if (!next) return { isDone: false };
    const lineage = origin.replaces === undefined ? id : token.lineage;
    this.#put({
      ...next,
      ...UNUSED,
      createdAt: this.now,
      createdBy: this.actors[step.way],
      id,
      plain,
      lineage,
    });
    return {
      isDone: true,
      entries: [this.#entry(step, 'token.created', id, { ...audited(next), ...origin })],
    };
  }

  #duplicate(token: Token, step: Step, created: Created): Effect {
    const isEarly = token.rotatedAt !== null && step.properties.days === undefined;
    const isCopy = step.way === 'api-section' && this.state(token) === 'active';
    const name = isCopy ? `${token.name} (copy)` : token.name;
    const lifetime = token.expiresAt === null ? null : this.now + token.expiresAt - token.createdAt;
    return isEarly
      ? { isDone: false }
      : this.#insert({ ...token, name, expiresAt: lifetime }, step, created, { duplicate_of: token.id });
  }

  #change(token: Token, step: Step, bySeconds: boolean): Effect {
    const next = this.state(token) === 'active' ? this.#with(token, step) : null;
    const isLater = (next?.expiresAt ?? Infinity) > (token.expiresAt ?? Infinity);
    if (!next || (step.do === 'extend' && !isLater)) return { isDone: false };
    const [from, to] = [audited(token), audited(next)];
    const differences = Object.entries(from).flatMap(([name, value]) => {
      const isEqual = JSON.stringify(value) === JSON.stringify(to[name as keyof typeof to]);
      return isEqual && !(bySeconds && name === 'expires_at')
        ? []
        : [[name, { from: value, to: to[name as keyof typeof to] }]];
    });
    if (differences.length === 0) return { isDone: null };
    this.#put({ ...next, version: token.version + 1 });
    const action = step.do === 'edit' ? 'token.changed' : 'token.extended';
    return {
      isDone: true,
      entries: [
        this.#entry(step, action, token.id, { name: token.name, ...Object.fromEntries(differences) }),
      ],
    };
  }

  #rotate(token: Token, step: Step, created: Created): Effect {
    if (this.state(token) !== 'active' || token.rotatedAt !== null || step.hours > LONGEST_GRACE)
      return { isDone: false };
    const effect = this.#insert(token, step, created, { replaces: token.id });
    if (!effect.isDone) return effect;
    const expiresAt = Math.min(token.expiresAt ?? Infinity, this.now + step.hours);
    this.#put({ ...token, rotatedAt: this.now, expiresAt, version: token.version + 1 });
    const grace = { replaced_by: created.id, grace_seconds: step.hours * 3600, expires_at: expiresAt };
    const rotated = this.#entry(step, 'token.rotated', token.id, { ...identifying(token), ...grace });
    return { isDone: true, entries: [...(effect.entries ?? []), rotated] };
  }

  /** A rotation that finds its token changed revokes the new one. */
  #undo(before: Token, step: Step, created: Created): Effect {
    const { entries = [] } = this.#insert(before, step, created, { replaces: before.id });
    return {
      isDone: null,
      entries: [...entries, ...(this.#revoke(this.token(created.id), step).entries ?? [])],
    };
  }

  #revoke(token: Token, step: Step): Effect {
    this.#put({ ...token, revokedAt: this.now, revokedBy: this.actors[step.way] });
    return { isDone: true, entries: [this.#entry(step, 'token.revoked', token.id, identifying(token))] };
  }

  #set(step: Step): Effect {
    const [name, to] = step.setting;
    const from = this.settings[name];
    if (name === 'lastUsedAddress' && !to)
      this.tokens = this.tokens.map((one) => ({ ...one, lastUsedAddress: null }));
    this.settings = { ...this.settings, [name]: to };
    if (from === to) return { isDone: null };
    if (name === 'enabled')
      return { isDone: true, entries: [this.#entry(step, to ? 'api.enabled' : 'api.disabled', null, {})] };
    const stored = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    return {
      isDone: true,
      entries: [this.#entry(step, 'settings.changed', null, { [stored]: { from, to } })],
    };
  }

  #changeAccount({ do: action, account: index }: Step): void {
    const changed = (one: Account): Account => {
      if (action === 'delete') return { ...one, state: 'gone' };
      if (action === 'give away') return { ...one, state: 'active', createdAt: dayAfter(one.createdAt) };
      if (action === 'move')
        return {
          ...one,
          ownerId: one.ownerId === this.accounts[0]?.id ? null : String(this.accounts[0]?.id),
        };
      return one.state === 'gone' ? one : { ...one, state: action === 'suspend' ? 'suspended' : 'active' };
    };
    this.accounts = this.accounts.map((one, at) => (at === index ? changed(one) : one));
  }

  #answer(token: Token, { question, client }: Step): Answer {
    const { enabled, assistantsEnabled, httpsRequired, rateLimitRequests, lastUsedAddress } = this.settings;
    const { address, isSafe } = CLIENTS[client];
    // The last use is put back before.
    const used = { ...token, lastUsedAt: token.lastUsedAt === null ? null : token.lastUsedAt - 1 };
    this.#put(used);
    const refused = (status: number, code: string): Answer => ({ status, code, left: null, shown: null });
    const isAllowed = (one: string) =>
      one === address || (one.endsWith('.0/24') && address.startsWith(one.slice(0, -4)));
    if (!enabled || (question === 'assistant' && !assistantsEnabled)) return refused(503, 'api_disabled');
    if (!isSafe && httpsRequired) return refused(403, 'https_required');
    if (this.state(token) !== 'active') return refused(401, `token_${this.state(token)}`);
    if (token.allowedAddresses.length > 0 && !token.allowedAddresses.some(isAllowed))
      return refused(403, 'ip_not_allowed');
    const hits = token.countedAt === this.now ? token.hits + 1 : 1;
    this.#put({
      ...token,
      hits,
      countedAt: this.now,
      lastUsedAt: this.now,
      lastUsedAddress: lastUsedAddress ? address : null,
    });
    const limit = token.rateLimit ?? rateLimitRequests;
    const left = Math.max(0, limit - hits);
    if (hits > limit) return { ...refused(429, 'rate_limited'), left };
    const { status, code, shown } = this.#read(token, question, limit);
    // A tool says in its answer why it reads nothing.
    return { status: question === 'assistant' ? 200 : status, code, left, shown };
  }

  #read(token: Token, question: Step['question'], limit: number): Omit<Answer, 'left'> {
    const refused = (status: number, code: string) => ({ status, code, shown: null });
    const has = (scope: string) => ['*', scope].some((one) => token.scopes.includes(one));
    const needed = SCOPES[question];
    const isBound = token.accounts.length > 0;
    if (needed === null) return refused(404, 'not_found');
    if (!needed.some(has)) return refused(403, 'scope_missing');
    if (question === 'server' && isBound) return refused(403, 'account_forbidden');
    if (question === 'domains, wrongly') return refused(400, 'query_invalid');
    const readable = this.#readable(token);
    if (typeof readable === 'string') return refused(403, readable);
    if (question === 'metrics' && isBound && !has('domains.read') && !has('accounts.read'))
      return refused(403, 'account_forbidden');
    const domains = readable.map(domainOf);
    const { id, name, scopes, allowedAddresses, accounts, owner } = token;
    const shown = {
      domains,
      'domains counted': domains.length,
      accounts: readable.filter(({ state }) => state !== 'gone').map((one) => one.id),
      profile: [id, name, scopes, allowedAddresses, accounts.map((one) => one.id), owner, limit],
      server: null,
      metrics: has('domains.read') ? domains.length : null,
      assistant: domains,
    };
    return { status: 200, code: null, shown: shown[question as keyof typeof shown] };
  }

  /** The accounts whose rows a token reads, or why it reads none. */
  #readable({ accounts, owner }: Token): readonly Account[] | string {
    if (accounts.length === 0) return this.accounts;
    const found = accounts.map(({ id }) => this.accounts.find((one) => one.id === id) as Account);
    const refusals = found.map(({ state, createdAt }, index) => {
      if (state === 'gone') return 'account_gone';
      if (createdAt !== accounts[index]?.createdAt) return 'account_changed';
      return state === 'suspended' && this.settings.suspendedAccounts === 'refuse'
        ? 'account_suspended'
        : null;
    });
    const served = found.filter((_, index) => refusals[index] === null);
    const isOwned = ({ ownerId, state }: Account) => owner && state !== 'gone' && ownerId === served[0]?.id;
    return served.length === 0
      ? String(refusals[0])
      : this.accounts.filter((one) => served.includes(one) || isOwned(one));
  }
}

/** The name of the domain of an account. */
export function domainOf({ id, createdAt }: Pick<Account, 'id' | 'createdAt'>): string {
  return `of-${id}-since-${createdAt.slice(0, 10)}.example`;
}

function dayAfter(time: string): string {
  return new Date(Date.parse(time) + 24 * 3_600_000).toISOString().replace('.000Z', '+00:00');
}

function boundTo({ id, createdAt, username }: Account) {
  return { id, createdAt, username };
}

/** Properties of a token by their names in the audit trail. */
function audited(token: Token) {
  const { name, note, scopes, allowedAddresses, rateLimit, expiresAt } = token;
  return {
    ...identifying(token),
    name,
    note,
    scopes,
    allowed_addresses: allowedAddresses,
    rate_limit: rateLimit,
    expires_at: expiresAt,
  };
}

function identifying({ name, accounts, owner }: Token) {
  const written = accounts.map(({ id, username, createdAt }) => `${id} ${username} ${createdAt}`);
  return { name, account_id: accounts[0]?.id ?? null, accounts: written, owner: owner || null };
}
