import type { Knex } from 'knex';
import { InvalidInput, isTokenId } from '../errors/InvalidInput';
import { EVERY_SCOPE } from '../fields/Operation';
import { checkAccountId } from './checkBinding';
import { type TokensParts, whereBoundTo } from './TokenRecord';

const LONGEST_SEARCH = 128;

/** Which tokens are asked for, whatever their state. */
export interface TokenNarrowing {
  /** A part of the name or a scope, or how the token begins, in any letter case, or `#` and the id. Default: all tokens. */
  readonly search?: string;
  /** Only tokens that have this scope, or `*`, which grants it. Default: all tokens. */
  readonly scope?: string;
  /** Only tokens that are bound to this account, alone or with others; null for those bound to none. Default: all tokens. */
  readonly accountId?: string | number | bigint | null;
}

export const NARROWING_KEYS = ['search', 'scope', 'accountId'] as const;

export interface Narrowing {
  readonly search: string;
  readonly scope: string | null;
  /** Undefined for those of all accounts. */
  readonly accountId: string | null | undefined;
}

/** Throws InvalidInput for an invalid search or account, and for a scope that this mount does not have. */
export function checkNarrowing(
  query: TokenNarrowing,
  parts: Pick<TokensParts, 'prefix' | 'scopes'>,
): Narrowing {
  const { search = '', scope, accountId } = query;
  if (typeof search !== 'string' || search.length > LONGEST_SEARCH || search.includes('\0'))
    throw new InvalidInput('search', `The search must be a string of at most ${LONGEST_SEARCH} characters.`);
  if (scope !== undefined && !parts.scopes.includes(scope))
    throw new InvalidInput('scope', `The scope must be one of ${parts.scopes.join(', ')}.`);
  return {
    search: search.trim().toWellFormed(),
    scope: scope ?? null,
    // An account that is undefined by mistake must not return the tokens of all accounts.
    accountId:
      accountId === null ? null : 'accountId' in query ? checkAccountId(accountId, parts) : undefined,
  };
}

/** Selects these tokens. */
export function whereNarrowed(
  knex: Knex,
  tokens: Knex.QueryBuilder,
  { search, scope, accountId }: Narrowing,
): Knex.QueryBuilder {
  if (search !== '') tokens.where((builder) => whereMatches(knex, builder, search));
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
  return tokens;
}

/** Selects the ids of the tokens whose name contains a text, in any letter case. */
export function idsOfNamed(knex: Knex, table: string, text: string): Knex.QueryBuilder {
  return knex(table)
    .select('id')
    .where(contains(knex, 'name', text));
}

const LIKE = "LOWER(??) LIKE LOWER(?) ESCAPE '!'";

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

function contains(knex: Knex, column: string, text: string): Knex.Raw {
  return knex.raw(LIKE, [column, `%${literal(text)}%`]);
}

/** A text for LIKE that matches only itself. */
function literal(text: string): string {
  return text.replace(/[!%_]/g, '!$&');
}
