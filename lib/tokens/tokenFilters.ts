import type { Knex } from 'knex';
import { integerIn } from '../database/DatabaseFailure';
import type { ModuleTables } from '../database/migrations/Migrations';
import { checkKeys } from '../errors/InvalidInput';
import { EVERY_SCOPE } from '../fields/Operation';
import { lastUseSql } from './lastUse';
import {
  checkNarrowing,
  FILTERS,
  NARROWING_KEYS,
  type TokenAttention,
  type TokenFilter,
  type TokenGroup,
  type TokenNarrowing,
  whereNarrowed,
} from './tokenQueries';
import { selectTokens, type TokensParts, tokenRecord } from './tokenRows';
import { EXPIRING_SECONDS, UNUSED_SECONDS } from './tokenWarnings';

/** The SQL of each group of tokens that is shown or counted. @internal */
export function groupConditions({ database, tables }: ModuleTables) {
  const { knex, dialect } = database;
  const { now } = dialect;
  const active = `revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ${now})`;
  // A rotated token is meant to expire, unless the token that replaced it was revoked.
  const replaced = `SELECT lineage FROM ${knex.ref(tables.tokens).toString()}
    WHERE lineage IS NOT NULL AND revoked_at IS NULL AND rotated_at IS NULL`;
  const unreplaced = `revoked_at IS NULL AND (rotated_at IS NULL OR COALESCE(lineage, id) NOT IN (${replaced}))`;
  return {
    active,
    expired: `revoked_at IS NULL AND expires_at <= ${now}`,
    revoked: 'revoked_at IS NOT NULL',
    ended: `(revoked_at IS NOT NULL OR expires_at <= ${now})`,
    expiring: `${unreplaced} AND expires_at > ${now} AND expires_at <= ${now} + ${EXPIRING_SECONDS}
      AND (rotated_at IS NOT NULL OR expires_at - created_at > ${2 * EXPIRING_SECONDS})`,
    unused: `${active} AND ${usedOrCreatedSql({ database, tables })} < ${now} - ${UNUSED_SECONDS}`,
    everlasting: 'revoked_at IS NULL AND expires_at IS NULL',
    wildcard: `${active} AND scopes = '${EVERY_SCOPE}'`,
    unlimited: `revoked_at IS NULL AND expires_at IS NULL AND scopes = '${EVERY_SCOPE}'`,
    lapsed: `${unreplaced} AND expires_at <= ${now} AND expires_at > ${now} - ${EXPIRING_SECONDS}`,
  };
}

/** SQL for when a token was last used, or created if it was never used. */
function usedOrCreatedSql(moduleTables: ModuleTables): string {
  return `COALESCE(${lastUseSql(moduleTables, 'last_used_at')}, created_at)`;
}

type Group = keyof ReturnType<typeof groupConditions>;

/** Returns the number of tokens in each of these groups, of all or of some, read in one statement. @internal */
export async function countGroups<K extends Group>(
  parts: TokensParts,
  name: string,
  wanted: readonly K[],
  some: (knex: Knex, tokens: Knex.QueryBuilder) => Knex.QueryBuilder = (_knex, tokens) => tokens,
): Promise<Record<K, number>> {
  const { database, tables } = parts;
  const conditions = groupConditions(parts);
  const counts = wanted.map(
    (group) => `COALESCE(SUM(CASE WHEN ${conditions[group]} THEN 1 ELSE 0 END), 0) AS ${group}`,
  );
  // It reads every token, so the statements of requests go first.
  const [row] = await database
    .inSlotsOf('tokens')
    .query(name, (knex) => some(knex, knex(tables.tokens).select(knex.raw(counts.join(', ')))));
  const counted = wanted.map((group) => [group, integerIn(name, row?.[group])]);
  return Object.fromEntries(counted) as Record<K, number>;
}

/** Returns the number of tokens that each filter returns. Throws InvalidInput for an invalid query. */
export async function countByFilter(
  parts: TokensParts,
  query: TokenNarrowing,
): Promise<Record<TokenFilter, number>> {
  checkKeys(query, 'A count of tokens', NARROWING_KEYS);
  const narrowing = checkNarrowing(query, parts);
  return countGroups(parts, 'tokens.filters', FILTERS, (knex, tokens) =>
    whereNarrowed(knex, tokens, narrowing),
  );
}

/** How many tokens of each kind `attention` returns. */
const MOST_SHOWN = 10;

export async function readAttention(parts: TokensParts): Promise<TokenAttention> {
  const counts = await countGroups(parts, 'tokens.attention', ['expiring', 'lapsed', 'unused', 'unlimited']);
  const database = parts.database.inSlotsOf('tokens');
  const read = async (group: keyof typeof counts, order: string): Promise<TokenGroup> => {
    if (counts[group] === 0) return { count: 0, tokens: [] };
    const condition = groupConditions(parts)[group];
    const rows = await database.query('tokens.attention', () =>
      selectTokens(parts).whereRaw(condition).orderByRaw(order).limit(MOST_SHOWN),
    );
    return { count: counts[group], tokens: rows.map(tokenRecord) };
  };
  return {
    expiring: await read('expiring', 'expires_at, id'),
    expired: await read('lapsed', 'expires_at DESC, id DESC'),
    unused: await read('unused', `${usedOrCreatedSql(parts)}, id`),
    unlimited: await read('unlimited', 'id DESC'),
  };
}
