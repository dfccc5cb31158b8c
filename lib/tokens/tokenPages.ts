import type { Knex } from 'knex';
import { isTokenId } from '../database/tokenId';
import { checkKeys, InvalidInput } from '../errors/InvalidInput';
import { checkAccountId } from './checkBinding';
import { selectTokens, type TokenRecord, type TokensParts, tokenRecord, whereBoundTo } from './TokenRecord';
import { filterSql, isTokenFilter, type TokenFilter } from './tokenFilters';

const MOST_TOKENS = 1000;
const LONGEST_SEARCH = 128;

/** Which page of the tokens to return. */
export interface TokenPageQuery {
  /** Maximum tokens per page: 1 to 1,000. Default 50. */
  readonly limit?: number;
  /** `next` of the previous page. Default: the first page. */
  readonly cursor?: string;
  /** A part of the name or the beginning of the token, in any letter case, or `#` and the id. Default: all tokens. */
  readonly search?: string;
  /** `active`, `expiring` within 14 days, `unused` for 90 days, or `ended` (expired or revoked). Default: all tokens. */
  readonly filter?: TokenFilter;
  /** Only tokens that are bound to this account, alone or among several; null for those bound to none. Default: all. */
  readonly accountId?: string | number | bigint | null;
}

export interface TokenPage {
  readonly tokens: readonly TokenRecord[];
  /** The cursor of the next page; null on the last page. */
  readonly next: string | null;
}

/** Reads one page. Throws InvalidInput for an invalid query. */
export async function readPage(parts: TokensParts, query: TokenPageQuery): Promise<TokenPage> {
  const { limit, before, ...narrowing } = checkQuery(query, parts);
  const { search, filter, accountId } = narrowing;
  const { database } = parts;
  const isAll = search === '' && filter === null && accountId === undefined;
  // A search or a filter may read every token, so the statements of requests go first.
  const reading = isAll ? database : database.reading('tokens');
  const rows = await reading.query('tokens.page', (knex) => {
    // One more than the limit shows whether there is a next page.
    const selected = selectTokens(parts)
      .orderBy('id', 'desc')
      .limit(limit + 1);
    if (before !== null) selected.where('id', '<', before);
    if (filter !== null) selected.whereRaw(filterSql(filter, parts));
    if (search !== '') selected.where((builder) => whereMatches(knex, builder, search));
    if (accountId === null) selected.whereNull('accounts');
    else if (accountId !== undefined) whereBoundTo(selected, accountId);
    return selected;
  });
  const tokens = rows.slice(0, limit).map(tokenRecord);
  const last = tokens.at(-1);
  return { tokens, next: last && rows.length > limit ? writeCursor(last.id, narrowing) : null };
}

/** Which tokens the pages contain. */
interface Narrowing {
  readonly search: string;
  readonly filter: TokenFilter | null;
  /** Undefined for those of all accounts. */
  readonly accountId: string | null | undefined;
}

interface CheckedQuery extends Narrowing {
  readonly limit: number;
  /** The id of the last token of the previous page. */
  readonly before: number | null;
}

function checkQuery(query: TokenPageQuery, parts: Pick<TokensParts, 'prefix'>): CheckedQuery {
  checkKeys(query, 'A page of tokens', ['limit', 'cursor', 'search', 'filter', 'accountId']);
  const { limit = 50, cursor, search: given = '', filter, accountId } = query;
  if (!Number.isSafeInteger(limit) || limit < 1 || limit > MOST_TOKENS) {
    throw new InvalidInput('limit', `The limit must be a whole number from 1 to ${MOST_TOKENS}.`);
  }
  if (typeof given !== 'string' || given.length > LONGEST_SEARCH || given.includes('\0')) {
    throw new InvalidInput('search', `The search must be a string of at most ${LONGEST_SEARCH} characters.`);
  }
  if (filter !== undefined && !isTokenFilter(filter)) {
    throw new InvalidInput('filter', 'The filter must be active, expiring, unused or ended.');
  }
  const narrowing: Narrowing = {
    search: given.trim().toWellFormed(),
    filter: filter ?? null,
    // An account that is undefined by mistake must not return the tokens of all accounts.
    accountId:
      accountId === null ? null : 'accountId' in query ? checkAccountId(accountId, parts) : undefined,
  };
  return { limit, before: cursor === undefined ? null : readCursor(cursor, narrowing), ...narrowing };
}

/** Encodes a place among these tokens as a cursor. */
function writeCursor(id: number, { search, filter, accountId }: Narrowing): string {
  const account = accountId === undefined ? [] : [accountId];
  return Buffer.from(JSON.stringify([id, search, filter, ...account])).toString('base64url');
}

/** Throws InvalidInput for any text that is not a cursor of these tokens. */
function readCursor(cursor: unknown, narrowing: Narrowing): number {
  try {
    const [id] = JSON.parse(Buffer.from(String(cursor), 'base64url').toString());
    if (isTokenId(id) && writeCursor(id, narrowing) === cursor) return id;
  } catch {
    // The text is no JSON, or no array.
  }
  throw new InvalidInput('cursor', 'The cursor is not from a page of these tokens.');
}

/** Selects the ids of the tokens whose name contains a text, in any letter case. */
export function idsOfNamed(knex: Knex, table: string, text: string): Knex.QueryBuilder {
  return knex(table).select('id').where(isNamed(knex, text));
}

const LIKE = "LOWER(??) LIKE LOWER(?) ESCAPE '!'";

function whereMatches(knex: Knex, query: Knex.QueryBuilder, search: string): void {
  const [, digits] = /^#(\d{1,10})$/.exec(search) ?? [];
  if (digits !== undefined) {
    const id = Number(digits);
    query.where('id', isTokenId(id) ? id : 0);
    return;
  }
  query.where(isNamed(knex, search)).orWhere(knex.raw(LIKE, ['prefix', `${literal(search)}%`]));
}

function isNamed(knex: Knex, text: string): Knex.Raw {
  return knex.raw(LIKE, ['name', `%${literal(text)}%`]);
}

/** A text for LIKE that matches only itself. */
function literal(text: string): string {
  return text.replace(/[!%_]/g, '!$&');
}
