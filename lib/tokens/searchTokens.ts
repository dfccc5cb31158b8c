import type { Knex } from 'knex';
import { selectTokens } from './selectTokens';
import type { TokensParts } from './TokensParts';
import { type Place, SECTIONS } from './tokenOrder';

// The order of the ranges in one expression, for the few rows that are found: no index helps a search within a name.
const SECTION = 'CASE WHEN revoked_at IS NOT NULL THEN 2 WHEN expires_at IS NOT NULL THEN 1 ELSE 0 END';
const TIME = 'COALESCE(revoked_at, expires_at, 0)';
const BEHIND = `(${SECTION} > ? OR (${SECTION} = ? AND (${TIME} < ? OR (${TIME} = ? AND id < ?))))`;

const LIKE = "LOWER(??) LIKE LOWER(?) ESCAPE '!'";

/** The query of those tokens behind a place whose name or beginning fits the search, or whose id it is. */
export function searchTokens(parts: TokensParts, search: string, after: Place | null) {
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
