import type { Knex } from 'knex';
import { tokenIndex } from '../database/migrations/0003_grow_tokens';
import { isTokenId } from '../database/tokenId';
import { InvalidInput } from '../errors/InvalidInput';
import { selectTokens, type TokenRecord, type TokensParts, tokenRecord } from './TokenRecord';

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
}

export interface TokenPage {
  readonly tokens: readonly TokenRecord[];
  /** The cursor of the next page; null on the last page. */
  readonly next: string | null;
}

/** Reads one page. Throws InvalidInput for an invalid query. */
export async function readPage(parts: TokensParts, query: TokenPageQuery): Promise<TokenPage> {
  const { limit, after, search } = checkQuery(query);
  // One more than the limit shows whether there is a next page.
  const found = await (search === ''
    ? readRanges(parts, after, limit + 1)
    : searchTokens(parts, search, after, limit + 1));
  const tokens = found.slice(0, limit);
  const last = tokens.at(-1);
  return { tokens, next: last && found.length > limit ? encodeCursor(placeOf(last), search) : null };
}

interface CheckedQuery {
  readonly limit: number;
  readonly after: Place | null;
  readonly search: string;
}

function checkQuery({ limit = 50, cursor, search: given = '' }: TokenPageQuery): CheckedQuery {
  if (!Number.isSafeInteger(limit) || limit < 1 || limit > MOST_TOKENS) {
    throw new InvalidInput('limit', `The limit must be a whole number from 1 to ${MOST_TOKENS}.`);
  }
  if (typeof given !== 'string' || given.length > LONGEST_SEARCH || given.includes('\0')) {
    throw new InvalidInput('search', `The search must be a string of at most ${LONGEST_SEARCH} characters.`);
  }
  const search = given.trim().toWellFormed();
  return { limit, after: cursor === undefined ? null : decodeCursor(cursor, search), search };
}

/** Encodes a place in the results of this search as a cursor. */
function encodeCursor({ section, time, id }: Place, search: string): string {
  return Buffer.from(JSON.stringify([section, time, id, search])).toString('base64url');
}

/** Throws InvalidInput for any text that is not a cursor of this search. */
function decodeCursor(cursor: unknown, search: string): Place {
  try {
    const [section, time, id] = JSON.parse(Buffer.from(String(cursor), 'base64url').toString());
    const isPlace = [0, 1, 2].includes(section) && Number.isSafeInteger(time) && isTokenId(id);
    if (isPlace && encodeCursor({ section, time, id }, search) === cursor) return { section, time, id };
  } catch {
    // The text is no JSON, or no array.
  }
  throw new InvalidInput('cursor', 'The cursor is not from a page of the tokens.');
}

/** A token's place in the order: by section, then by time and by id, both descending. */
interface Place {
  /** 0 if the token never expires, 1 if it does, 2 if it was revoked. */
  readonly section: number;
  /** When it was revoked or expires; 0 if it never expires. */
  readonly time: number;
  readonly id: number;
}

function placeOf({ id, revokedAt, expiresAt }: TokenRecord): Place {
  const section = revokedAt !== null ? 2 : expiresAt !== null ? 1 : 0;
  return { section, time: revokedAt ?? expiresAt ?? 0, id };
}

/** Each section is a range of an index: its first columns are fixed, and its next ones are the order, descending. */
const SECTIONS: readonly Section[] = [
  { index: 'expiry', fixed: { revoked_at: null, expires_at: null } },
  { index: 'expiry', fixed: { revoked_at: null }, time: 'expires_at' },
  { index: 'revoked', fixed: {}, time: 'revoked_at' },
];

interface Section {
  readonly index: 'expiry' | 'revoked';
  readonly fixed: Readonly<Record<string, number | null>>;
  /** The column of the time that the section is sorted by first. */
  readonly time?: string;
}

/** Tokens that are adjacent in an index. */
interface Range extends Pick<Section, 'index' | 'fixed'> {
  readonly order: readonly [string, ...string[]];
  /** The upper bound of the first column of the order, exclusive. */
  readonly below?: number;
}

// Later than every stored time. A condition with it excludes times that are null.
const END_OF_TIME = Number.MAX_SAFE_INTEGER;

/**
 * The ranges after a place, or all of them. A database reads a range from its end, so the cost does not depend on the
 * number of tokens.
 */
function rangesBehind(place: Place | null): readonly Range[] {
  return SECTIONS.flatMap(({ index, fixed, time }, section): readonly Range[] => {
    if (place && section < place.section) return [];
    const rest = place && section === place.section ? place : null;
    const sameTime = (at: object, below?: number): Range => ({
      index,
      fixed: { ...fixed, ...at },
      order: ['id'],
      ...(below === undefined ? {} : { below }),
    });
    if (time === undefined) return [sameTime({}, rest?.id)];
    const earlier: Range = { index, fixed, order: [time, 'id'], below: rest?.time ?? END_OF_TIME };
    return rest ? [sameTime({ [time]: rest.time }, rest.id), earlier] : [earlier];
  });
}

async function readRanges(
  parts: TokensParts,
  after: Place | null,
  wanted: number,
): Promise<readonly TokenRecord[]> {
  const found: TokenRecord[] = [];
  for (const range of rangesBehind(after)) {
    if (found.length === wanted) break;
    const rows = await parts.database.query('tokens.page', () =>
      selectRange(parts, range).limit(wanted - found.length),
    );
    found.push(...rows.map(tokenRecord));
  }
  return found;
}

function selectRange(parts: TokensParts, { index, fixed, order, below }: Range) {
  const { knex, dialect } = parts.database;
  const { from, namesFixed } = dialect.byIndex;
  const { table } = parts;
  const columns = [...(namesFixed ? Object.keys(fixed) : []), ...order];
  const query = selectTokens(parts, knex.raw(from, { table, index: tokenIndex(table, index) }))
    .where(fixed)
    .orderBy(columns.map((column) => ({ column, order: 'desc' as const })));
  return below === undefined ? query : query.where(order[0], '<', below);
}

// The place of a row, in SQL. No index helps to find a part of a name, so the matching rows are sorted.
const SECTION = 'CASE WHEN revoked_at IS NOT NULL THEN 2 WHEN expires_at IS NOT NULL THEN 1 ELSE 0 END';
const TIME = 'COALESCE(revoked_at, expires_at, 0)';
const BEHIND = `(${SECTION} > ? OR (${SECTION} = ? AND (${TIME} < ? OR (${TIME} = ? AND id < ?))))`;

async function searchTokens(
  parts: TokensParts,
  search: string,
  after: Place | null,
  wanted: number,
): Promise<readonly TokenRecord[]> {
  const { knex } = parts.database;
  const rows = await parts.database.query('tokens.search', () => {
    const query = selectTokens(parts)
      .where((builder) => whereMatches(knex, builder, search))
      .orderByRaw(`${SECTION}, ${TIME} DESC, id DESC`)
      .limit(wanted);
    if (!after) return query;
    const { section, time, id } = after;
    return query.whereRaw(BEHIND, [section, section, time, time, id]);
  });
  return rows.map(tokenRecord);
}

const LIKE = "LOWER(??) LIKE LOWER(?) ESCAPE '!'";

function whereMatches(knex: Knex, query: Knex.QueryBuilder, search: string): void {
  const [, digits] = /^#(\d{1,10})$/.exec(search) ?? [];
  if (digits !== undefined) {
    const id = Number(digits);
    query.where('id', isTokenId(id) ? id : 0);
    return;
  }
  const text = search.replace(/[!%_]/g, '!$&');
  query.where(knex.raw(LIKE, ['name', `%${text}%`])).orWhere(knex.raw(LIKE, ['prefix', `${text}%`]));
}
