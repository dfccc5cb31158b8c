import type { Knex } from 'knex';
import { tokenIndex } from '../database/migrations/0003_grow_tokens';
import { InvalidInput } from '../errors/InvalidInput';
import { type CursorOf, decodeCursor, encodeCursor } from '../json/cursor';
import { selectTokens, type TokenRecord, type TokensParts, tokenRecord } from './TokenRecord';

export interface TokenPage {
  readonly tokens: readonly TokenRecord[];
  /** The cursor of the next page; null on the last one. */
  readonly next: string | null;
}

/** Reads one page. Throws InvalidInput for a wrong query. */
export async function readPage(parts: TokensParts, query: TokenPageQuery): Promise<TokenPage> {
  const { limit, after, search } = checkPageQuery(query);
  const { database } = parts;
  // One more than asked for tells whether there is a next page.
  const wanted = limit + 1;
  const found =
    search === ''
      ? await readRanges(parts, rangesFrom(after), wanted)
      : (await database.query('tokens.search', () => searchTokens(parts, search, after).limit(wanted))).map(
          tokenRecord,
        );
  const tokens = found.slice(0, limit);
  const last = tokens.at(-1);
  return { tokens, next: last && found.length > limit ? encodePlace(placeOf(last), search) : null };
}

/** Reads range after range until there are as many tokens as are wanted. */
async function readRanges(
  parts: TokensParts,
  ranges: readonly Range[],
  wanted: number,
): Promise<readonly TokenRecord[]> {
  const found: TokenRecord[] = [];
  for (const range of ranges) {
    if (found.length === wanted) break;
    const rows = await parts.database.query('tokens.page', () =>
      inRange(parts, range).limit(wanted - found.length),
    );
    found.push(...rows.map(tokenRecord));
  }
  return found;
}

function inRange(parts: TokensParts, { index, fixed, order, below }: Range) {
  const { knex, dialect } = parts.database;
  const { from, namesFixed } = dialect.byIndex;
  const { table } = parts;
  const columns = [...(namesFixed ? Object.keys(fixed) : []), ...order];
  const query = selectTokens(parts, knex.raw(from, { table, index: tokenIndex(table, index) }))
    .where(fixed)
    .orderBy(columns.map((column) => ({ column, order: 'desc' as const })));
  return below === undefined ? query : query.where(String(order[0]), '<', below);
}

const MOST_TOKENS = 1000;
const LONGEST_SEARCH = 128;

export interface TokenPageQuery {
  /** How many tokens at most: 1 to 1,000; 50 by default. */
  readonly limit?: number;
  /** `next` of the page before. */
  readonly cursor?: string;
  /** Part of the name or the beginning of the token, in capitals or not, or `#` and the id. Empty: all tokens. */
  readonly search?: string;
}

interface CheckedPageQuery {
  readonly limit: number;
  readonly after: Place | null;
  readonly search: string;
}

/** Settles what is asked of a page. Throws InvalidInput, naming what is wrong. */
function checkPageQuery({ limit = 50, cursor, search: given = '' }: TokenPageQuery): CheckedPageQuery {
  if (!Number.isSafeInteger(limit) || limit < 1 || limit > MOST_TOKENS) {
    throw new InvalidInput('limit', `The limit must be a whole number from 1 to ${MOST_TOKENS}.`);
  }
  if (typeof given !== 'string' || given.length > LONGEST_SEARCH || given.includes('\0')) {
    throw new InvalidInput('search', `The search must be text of at most ${LONGEST_SEARCH} characters.`);
  }
  const search = given.trim().toWellFormed();
  const after = cursor === undefined ? null : decodePlace(cursor, search);
  if (cursor !== undefined && after === null) {
    throw new InvalidInput('cursor', 'The cursor is none of this list.');
  }
  return { limit, after, search };
}

/** Text that says where a page of this search ended. */
function encodePlace({ section, time, id }: Place, search: string): string {
  return encodeCursor([section, String(time), String(id)], cursorOf(search));
}

/** Reads the end of a page; null for the cursor of another search, and for any other text. */
function decodePlace(cursor: unknown, search: string): Place | null {
  const key = typeof cursor === 'string' ? decodeCursor(cursor, cursorOf(search)) : null;
  const section = SECTIONS.find((name) => name === key?.[0]);
  const [time, id] = [Number(key?.[1]), Number(key?.[2])];
  const sound = Number.isSafeInteger(time) && Number.isInteger(id) && id > 0 && id < 2 ** 31;
  return section !== undefined && sound ? { section, time, id } : null;
}

function cursorOf(search: string): CursorOf {
  return {
    resource: 'tokens',
    filters: new Map([['search', new Set([search])]]),
    updatedSince: null,
    accountId: null,
  };
}

// The order of the ranges in one expression, for the few rows that are found: no index helps a search within a name.
const SECTION = 'CASE WHEN revoked_at IS NOT NULL THEN 2 WHEN expires_at IS NOT NULL THEN 1 ELSE 0 END';
const TIME = 'COALESCE(revoked_at, expires_at, 0)';
const BEHIND = `(${SECTION} > ? OR (${SECTION} = ? AND (${TIME} < ? OR (${TIME} = ? AND id < ?))))`;

const LIKE = "LOWER(??) LIKE LOWER(?) ESCAPE '!'";

/** The query of those tokens behind a place whose name or beginning fits the search, or whose id it is. */
function searchTokens(parts: TokensParts, search: string, after: Place | null) {
  const { knex } = parts.database;
  const query = selectTokens(parts)
    .where((builder) => narrow(knex, builder, search))
    .orderByRaw(`${SECTION}, ${TIME} DESC, id DESC`);
  if (!after) return query;
  const section = SECTIONS.indexOf(after.section);
  return query.whereRaw(BEHIND, [section, section, after.time, after.time, after.id]);
}

function narrow(knex: Knex, query: Knex.QueryBuilder, search: string): void {
  const [, digits] = /^#(\d{1,10})$/.exec(search) ?? [];
  if (digits !== undefined) {
    // Beyond 32 bits there is none, and PostgreSQL refuses to compare.
    query.where('id', Number(digits) < 2 ** 31 ? Number(digits) : 0);
    return;
  }
  const text = search.replace(/[!%_]/g, '!$&');
  query.where(knex.raw(LIKE, ['name', `%${text}%`])).orWhere(knex.raw(LIKE, ['prefix', `${text}%`]));
}

/** The parts of the list of tokens, in their order. */
const SECTIONS = ['everlasting', 'expiring', 'revoked'] as const;

/** Where a token stands among all: those that never expire, those that do, and those that were revoked. */
interface Place {
  readonly section: (typeof SECTIONS)[number];
  /** The time by which its section is sorted first; 0 where there is none. */
  readonly time: number;
  readonly id: number;
}

/** Tokens that stand together in an index, in its order backwards. */
interface Range {
  readonly index: 'expiry' | 'revoked';
  /** The index's first columns. */
  readonly fixed: Readonly<Record<string, number | null>>;
  /** The rest of them. */
  readonly order: readonly string[];
  /** Where it begins, in the first column of the order. */
  readonly below?: number;
}

// Later than every time of a token.
const END_OF_TIME = Number.MAX_SAFE_INTEGER;

const revoked = (below: number): Range => ({
  index: 'revoked',
  fixed: {},
  order: ['revoked_at', 'id'],
  below,
});

const expiring = (below: number): Range => ({
  index: 'expiry',
  fixed: { revoked_at: null },
  order: ['expires_at', 'id'],
  below,
});

function placeOf({ id, revokedAt, expiresAt }: TokenRecord): Place {
  if (revokedAt !== null) return { section: 'revoked', time: revokedAt, id };
  if (expiresAt !== null) return { section: 'expiring', time: expiresAt, id };
  return { section: 'everlasting', time: 0, id };
}

/**
 * What comes after a place, or from the beginning: the newest of those that never expire, then by expiry and by the
 * time of revocation, the latest first. Each range is read from one end in every database, whatever the others hold.
 */
function rangesFrom(place: Place | null): readonly Range[] {
  const order = ['id'];
  const begun = place ? { order, below: place.id } : { order };
  const time = place?.time ?? 0;
  switch (place?.section ?? 'everlasting') {
    case 'everlasting':
      return [
        { index: 'expiry', fixed: { revoked_at: null, expires_at: null }, ...begun },
        expiring(END_OF_TIME),
        revoked(END_OF_TIME),
      ];
    case 'expiring':
      return [
        { index: 'expiry', fixed: { revoked_at: null, expires_at: time }, ...begun },
        expiring(time),
        revoked(END_OF_TIME),
      ];
    case 'revoked':
      return [{ index: 'revoked', fixed: { revoked_at: time }, ...begun }, revoked(time)];
  }
}
