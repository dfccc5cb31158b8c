import type { Knex } from 'knex';
import { ORIGINS, type Origin } from '../audit/AuditLog';
import { contains, LIKE, literal } from '../database/columns';
import { InvalidInput, isTokenId } from '../errors/InvalidInput';
import { EVERY_SCOPE } from '../fields/Operation';
import { checkAccountId } from './checkBinding';
import type { TokenRecord } from './TokenRecord';
import { type TokensParts, whereBoundTo } from './tokenRows';

const LONGEST_SEARCH = 128;

/** Which tokens are asked for, whatever their state. */
export interface TokenNarrowing {
  /**
   * A part of the name or a scope, or how the token begins, in any letter case (on SQLite of A to Z alone), or `#` and the
   * id. A whole scope, also without `.read`, finds the tokens with `*` too. Default: all tokens.
   */
  readonly search?: string;
  /** Only tokens that have this scope, or `*`, which grants it. Default: all tokens. */
  readonly scope?: string;
  /**
   * Only tokens that are bound to this account, alone or with others; null for those bound to none. Default: all tokens,
   * and not for `undefined`, which is refused.
   */
  readonly accountId?: string | number | bigint | null;
  /** Only tokens that were created through this, such as `account-section` for those of customers. Default: all tokens. */
  readonly origin?: Origin;
}

export const FILTERS = ['active', 'expiring', 'silent', 'unused', 'ended'] as const;

/**
 * Which tokens to return: `active`; `expiring`: active, not replaced by another, lives more than 28 days and expires
 * within 14; `silent`: active, not replaced by another, and unused for longer than its uses before explain; `unused`:
 * active, and not used for 90 days; `ended`: expired or revoked.
 */
export type TokenFilter = (typeof FILTERS)[number];

/**
 * How many tokens each filter returns. The number of `silent` ones is null if the counts of requests, which tell them, cannot
 * be read.
 */
export type FilterCounts = Readonly<Record<Exclude<TokenFilter, 'silent'>, number>> & {
  readonly silent: number | null;
};

/** SQL of what tokens are ordered by, which is never null, and its direction. Of equal tokens, the newest is the first. */
export const ORDERS = {
  newest: ['id', 'desc'],
  name: ['LOWER(name)', 'asc'],
  used: ['COALESCE(last.last_used_at, 0)', 'desc'],
  // A token that never expires is behind all others.
  expiry: [`COALESCE(expires_at, ${Number.MAX_SAFE_INTEGER})`, 'asc'],
  requests: ['COALESCE(requests, 0)', 'desc'],
} as const;

/** How tokens are ordered. */
export type TokenOrder = keyof typeof ORDERS;

export const tokenOrders = Object.keys(ORDERS) as readonly TokenOrder[];

/** Which page of the tokens to return. */
export interface TokenPageQuery extends TokenNarrowing {
  /** Maximum tokens per page: 1 to 1,000. Default 50. */
  readonly limit?: number;
  /** `next` of the previous page. Default: the first page. */
  readonly cursor?: string;
  /** `active`, `expiring` soon, `silent`, `unused` for 90 days, or `ended` (expired or revoked). Default: all tokens. */
  readonly filter?: TokenFilter;
  /**
   * The `newest` first, by `name`, by last use (`used`, the latest first), by `expiry` (the soonest first), or by the
   * `requests` of the last 30 days (the most first); each with active tokens before ended ones. Default: the newest first,
   * whatever their state.
   */
  readonly order?: TokenOrder;
}

export interface TokenPage {
  readonly tokens: readonly TokenRecord[];
  /** The cursor of the next page; null on the last page. */
  readonly next: string | null;
}

/** Tokens that an administrator should see: how many there are, and the first ten of them. */
export interface TokenGroup {
  readonly count: number;
  readonly tokens: readonly TokenRecord[];
}

/** The tokens that an administrator should see. */
export interface TokenAttention {
  /** Active, not replaced by another, lives more than 28 days and expires within 14; the soonest first. */
  readonly expiring: TokenGroup;
  /** Expired in the last 14 days, and was not replaced by another; the latest first. */
  readonly expired: TokenGroup;
  /**
   * Active, not replaced by another, and unused for at least two days and more than twice the longest run of unused days in
   * the 28 days before; the latest used first. Null if the counts of requests, which tell them, cannot be read.
   */
  readonly silent: TokenGroup | null;
  /** Active, and one of its last 20 refusals, in the last 7 days, was for its limit; the latest used first. */
  readonly limited: TokenGroup;
  /** Active, and was not used for 90 days; the longest unused first. */
  readonly unused: TokenGroup;
  /** Active, has every scope and never expires; the newest first. */
  readonly unlimited: TokenGroup;
}

export const NARROWING_KEYS = ['search', 'scope', 'accountId', 'origin'] as const;

export interface Narrowing {
  readonly search: string;
  /** Whether the search is a scope of this mount, or what it allows to read; a token with `*` has it too. */
  readonly isScopeSearch: boolean;
  readonly scope: string | null;
  /** Undefined for those of all accounts. */
  readonly accountId: string | null | undefined;
  readonly origin: Origin | null;
}

/** Throws InvalidInput for an invalid search, account or origin, and for a scope that this mount does not have. */
export function checkNarrowing(
  query: TokenNarrowing,
  parts: Pick<TokensParts, 'prefix' | 'scopes'>,
): Narrowing {
  const { search = '', scope, accountId, origin } = query;
  if (typeof search !== 'string' || search.length > LONGEST_SEARCH || search.includes('\0'))
    throw new InvalidInput('search', `The search must be a string of at most ${LONGEST_SEARCH} characters.`);
  if (scope !== undefined && !parts.scopes.includes(scope))
    throw new InvalidInput('scope', `The scope must be one of ${parts.scopes.join(', ')}.`);
  if (origin !== undefined && !ORIGINS.includes(origin))
    throw new InvalidInput('origin', `The origin must be one of ${ORIGINS.join(', ')}.`);
  const text = search.trim().toWellFormed();
  return {
    search: text,
    isScopeSearch: parts.scopes.some((one) => `${one}.`.startsWith(`${text.toLowerCase()}.`)),
    scope: scope ?? null,
    origin: origin ?? null,
    // An account that is undefined by mistake must not return the tokens of all accounts.
    accountId:
      accountId === null ? null : 'accountId' in query ? checkAccountId(accountId, parts) : undefined,
  };
}

/** Selects these tokens. */
export function whereNarrowed(
  knex: Knex,
  tokens: Knex.QueryBuilder,
  { search, isScopeSearch, scope, accountId, origin }: Narrowing,
): Knex.QueryBuilder {
  if (search !== '') {
    tokens.where((builder) => {
      whereMatches(knex, builder, search);
      if (isScopeSearch) builder.orWhere('scopes', EVERY_SCOPE);
    });
  }
  if (scope !== null) {
    // The scopes of a token have spaces between them.
    const forms = [`${literal(scope)} %`, `% ${literal(scope)}`, `% ${literal(scope)} %`];
    tokens.where((builder) => {
      builder.whereIn('scopes', [scope, EVERY_SCOPE]);
      for (const form of forms) builder.orWhereRaw("scopes LIKE ? ESCAPE '!'", [form]);
    });
  }
  if (accountId === null) tokens.whereNull('accounts');
  else if (accountId !== undefined) whereBoundTo(tokens, accountId);
  if (origin !== null) tokens.where({ origin });
  return tokens;
}

/** Selects the ids of the tokens whose name contains a text, in any letter case. */
export function idsOfNamed(knex: Knex, table: string, text: string): Knex.QueryBuilder {
  return knex(table)
    .select('id')
    .where(contains(knex, 'name', text));
}

function whereMatches(knex: Knex, query: Knex.QueryBuilder, search: string): void {
  const [, digits] = /^#(\d{1,10})$/.exec(search) ?? [];
  if (digits !== undefined) {
    const id = Number(digits);
    query.where('id', isTokenId(id) ? id : 0);
    return;
  }
  query
    .where(contains(knex, 'name', search))
    .orWhere(contains(knex, 'scopes', search))
    .orWhere(knex.raw(LIKE, ['prefix', `${literal(search)}%`]));
}
