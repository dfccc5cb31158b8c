import { tokenIndex } from '../migrations/tokenIndex';
import { checkPageQuery, type TokenPageQuery } from './checkPageQuery';
import { encodePlace } from './pageCursor';
import { searchTokens } from './searchTokens';
import { selectTokens } from './selectTokens';
import { type TokenRecord, tokenRecord } from './TokenRecord';
import type { TokensParts } from './TokensParts';
import { placeOf, type Range, rangesFrom } from './tokenOrder';

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
