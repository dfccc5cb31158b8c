import type { Knex } from 'knex';
import { tokenIndex } from '../migrations/tokenIndex';
import { checkPageQuery, type TokenPageQuery } from './checkPageQuery';
import { encodePlace } from './pageCursor';
import { selectTokens } from './selectTokens';
import { type TokenRecord, tokenRecord } from './TokenRecord';
import type { TokensParts } from './TokensParts';
import { placeOf, type Range, rangesFrom } from './tokenOrder';

export interface TokenPage {
  readonly tokens: readonly TokenRecord[];
  /** The cursor of the next page; null on the last one. */
  readonly next: string | null;
}

/** Reads one page, range after range until it is full. Throws InvalidInput for a wrong query. */
export async function readPage(parts: TokensParts, query: TokenPageQuery): Promise<TokenPage> {
  const { limit, after, search } = checkPageQuery(query);
  const found: TokenRecord[] = [];
  for (const range of rangesFrom(after)) {
    // One more than asked for tells whether there is a next page.
    const missing = limit + 1 - found.length;
    if (missing === 0) break;
    const rows = await parts.database.query('tokens.page', (knex) =>
      inRange(parts, range)
        .where((builder) => void narrow(knex, builder, search))
        .limit(missing),
    );
    found.push(...rows.map(tokenRecord));
  }
  const tokens = found.slice(0, limit);
  const last = tokens.at(-1);
  return { tokens, next: last && found.length > limit ? encodePlace(placeOf(last), search) : null };
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

function narrow(knex: Knex, query: Knex.QueryBuilder, search: string): void {
  if (search === '') return;
  const [, digits] = /^#(\d{1,10})$/.exec(search) ?? [];
  if (digits !== undefined) {
    // Beyond 32 bits there is none, and PostgreSQL refuses to compare.
    query.where('id', Number(digits) < 2 ** 31 ? Number(digits) : 0);
    return;
  }
  const text = search.replace(/[!%_]/g, '!$&');
  const like = "LOWER(??) LIKE LOWER(?) ESCAPE '!'";
  query.where(knex.raw(like, ['name', `%${text}%`])).orWhere(knex.raw(like, ['prefix', `${text}%`]));
}
