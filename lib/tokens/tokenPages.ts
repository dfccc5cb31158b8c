import { checkKeys, InvalidInput, isTokenId } from '../errors/InvalidInput';
import { groupConditions, silentTokens } from './tokenFilters';
import {
  checkNarrowing,
  FILTERS,
  NARROWING_KEYS,
  type Narrowing,
  ORDERS,
  type TokenFilter,
  type TokenOrder,
  type TokenPageQuery,
  tokenOrders,
  whereNarrowed,
} from './tokenQueries';
import { selectTokens, type TokensParts, tokenRecord } from './tokenRows';

const MOST_TOKENS = 1000;

/** Reads one page. `known` are the silent tokens, if they were read already. Throws InvalidInput for an invalid query. */
export async function readPage(parts: TokensParts, query: TokenPageQuery, known?: readonly number[]) {
  const { wanted, limit, after } = checkQuery(query, parts);
  const { filter, order, search, scope, accountId, origin } = wanted;
  const { database, tables } = parts;
  const [value, direction] = ORDERS[order ?? 'newest'];
  const sql = groupConditions(parts, filter === 'silent' ? (known ?? (await silentTokens(parts))) : []);
  const ended = `CASE WHEN ${sql.active} THEN 0 ELSE 1 END`;
  const groups = order === null ? '' : `${ended}, `;
  const isNarrowed = search !== '' || accountId !== undefined || (scope ?? filter ?? origin) !== null;
  // All others may read every token, so the statements of requests go first.
  const slots = isNarrowed || value !== ORDERS.newest[0] ? database.inSlotsOf('tokens') : database;
  const rows = await slots.query('tokens.page', (knex) => {
    const sorting = { value: knex.raw(value), ended: knex.raw(order === null ? '0' : ended) };
    const selected = whereNarrowed(knex, selectTokens(parts).select(sorting), wanted)
      .orderByRaw(`${groups}${value} ${direction}, id DESC`)
      // One more than the limit shows whether there is a next page.
      .limit(limit + 1);
    if (order === 'requests') selected.leftJoin(tables.usageTokens, 'token_id', 'id');
    if (order === 'used') selected.leftJoin({ last: tables.rateLimits }, 'last.token_id', 'id');
    if (filter !== null) selected.whereRaw(sql[filter]);
    if (after === null) return selected;
    const further = `(${value} ${direction === 'asc' ? '>' : '<'} ? OR (${value} = ? AND id < ?))`;
    const rest = [after.value, after.value, after.id];
    return order === null
      ? selected.whereRaw(further, rest)
      : selected.whereRaw(`(${ended} > ? OR (${ended} = ? AND ${further}))`, [
          after.ended,
          after.ended,
          ...rest,
        ]);
  });
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  const next = last && rows.length > limit ? writeCursor(last, wanted) : null;
  return { tokens: shown.map(tokenRecord), next };
}

/** Where a page ends: the id of its last token, the value that it is ordered by, and 1 if it is among ended ones. */
interface Position {
  readonly id: number;
  readonly value: string | number;
  readonly ended: number;
}

/** Which tokens the pages contain, and how they are ordered. */
interface Wanted extends Narrowing {
  readonly filter: TokenFilter | null;
  readonly order: TokenOrder | null;
}

/** Returns what the pages contain, the limit of a page, and where the one before it ends. */
function checkQuery(query: TokenPageQuery, parts: Pick<TokensParts, 'prefix' | 'scopes'>) {
  checkKeys(query, 'A page of tokens', ['limit', 'cursor', 'filter', 'order', ...NARROWING_KEYS]);
  const { limit = 50, cursor, filter, order } = query;
  if (!Number.isSafeInteger(limit) || limit < 1 || limit > MOST_TOKENS)
    throw new InvalidInput('limit', `The limit must be a whole number from 1 to ${MOST_TOKENS}.`);
  if (filter !== undefined && !FILTERS.includes(filter))
    throw new InvalidInput('filter', `The filter must be one of ${FILTERS.join(', ')}.`);
  if (order !== undefined && !tokenOrders.includes(order))
    throw new InvalidInput('order', `The order must be one of ${tokenOrders.join(', ')}.`);
  const wanted: Wanted = { ...checkNarrowing(query, parts), filter: filter ?? null, order: order ?? null };
  return { wanted, limit, after: cursor === undefined ? null : readCursor(cursor, wanted) };
}

/** Encodes a position among these tokens, which may be a row of the database, as a cursor. */
function writeCursor({ id, value, ended }: Record<keyof Position, unknown>, wanted: Wanted): string {
  const key = wanted.order === 'name' ? String(value) : Number(value);
  return Buffer.from(JSON.stringify([Number(id), key, Number(ended), wanted])).toString('base64url');
}

/** Throws InvalidInput for any text that is not a cursor of these tokens. */
function readCursor(cursor: unknown, wanted: Wanted): Position {
  try {
    const [id, value, ended] = JSON.parse(Buffer.from(String(cursor), 'base64url').toString());
    const isValue = typeof value === (wanted.order === 'name' ? 'string' : 'number');
    const position = { id, value, ended };
    if (isTokenId(id) && isValue && [0, 1].includes(ended) && writeCursor(position, wanted) === cursor)
      return position;
  } catch {
    // The text is no JSON, or no array.
  }
  throw new InvalidInput('cursor', 'The cursor is not from a page of these tokens.');
}
