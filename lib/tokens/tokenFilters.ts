import type { Knex } from 'knex';
import { DatabaseFailure, integerIn } from '../database/DatabaseFailure';
import type { ModuleTables } from '../database/migrations/Migrations';
import { checkKeys } from '../errors/InvalidInput';
import { EVERY_SCOPE } from '../fields/Operation';
import { causeFacts } from '../log/PanelLog';
import { lastUseSql } from './lastUse';
import {
  checkNarrowing,
  FILTERS,
  NARROWING_KEYS,
  type TokenAttention,
  type TokenGroup,
  type TokenNarrowing,
  whereNarrowed,
} from './tokenQueries';
import { selectTokens, type TokensParts, tokenRecord } from './tokenRows';
import { EXPIRING_SECONDS, LIMITED_SECONDS, UNUSED_SECONDS } from './tokenWarnings';

/** The SQL of each group of tokens that is shown or counted, with the ids of those that are `silent`. @internal */
export function groupConditions({ database, tables }: ModuleTables, silent: readonly number[] = []) {
  const { knex, dialect } = database;
  const { now } = dialect;
  const active = `revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ${now})`;
  // A rotated token is meant to expire, unless the token that replaced it was revoked.
  const replaced = `SELECT lineage FROM ${knex.ref(tables.tokens).toString()}
    WHERE lineage IS NOT NULL AND revoked_at IS NULL AND rotated_at IS NULL`;
  const unreplaced = `revoked_at IS NULL AND (rotated_at IS NULL OR COALESCE(lineage, id) NOT IN (${replaced}))`;
  return {
    active,
    unreplaced: `${active} AND ${unreplaced}`,
    silent: silent.length === 0 ? '1 = 0' : `id IN (${silent.join(', ')})`,
    expired: `revoked_at IS NULL AND expires_at <= ${now}`,
    revoked: 'revoked_at IS NOT NULL',
    ended: `(revoked_at IS NOT NULL OR expires_at <= ${now})`,
    expiring: `${unreplaced} AND expires_at > ${now} AND expires_at <= ${now} + ${EXPIRING_SECONDS}
      AND (rotated_at IS NOT NULL OR expires_at - created_at > ${2 * EXPIRING_SECONDS})`,
    unused: `${active} AND ${usedOrCreatedSql({ database, tables })} < ${now} - ${UNUSED_SECONDS}`,
    limited: `${active} AND id IN (SELECT token_id FROM ${knex.ref(tables.refusals)}
      WHERE code = 'rate_limited' AND at > ${now} - ${LIMITED_SECONDS})`,
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

type CountedTokens = (knex: Knex, tokens: Knex.QueryBuilder) => Knex.QueryBuilder;

type Group = keyof ReturnType<typeof groupConditions>;

/** Returns the ids of the silent tokens, of all or of one: no statement alone could decide which they are. */
export async function silentTokens(parts: ModuleTables, id?: number): Promise<readonly number[]> {
  // Most processes are never asked for them.
  const { findSilent } = require('./silence') as typeof import('./silence');
  const { unreplaced } = groupConditions(parts);
  return findSilent(parts, id === undefined ? unreplaced : `id = ${id} AND ${unreplaced}`);
}

/**
 * The same of all tokens; null if the database cannot tell, which must not hide what else needs attention. The log then has
 * the cause.
 */
async function silentIfReadable(parts: TokensParts): Promise<readonly number[] | null> {
  return silentTokens(parts).catch((error) => {
    if (!(error instanceof DatabaseFailure)) throw error;
    parts.log.warn('panel-api silent tokens not read', causeFacts(error));
    return null;
  });
}

/** Returns the number of tokens in each of these groups, of all or of some, read in one statement. @internal */
export async function countGroups<K extends Group>(
  parts: TokensParts,
  name: string,
  wanted: readonly K[],
  some: CountedTokens = (_knex, tokens) => tokens,
  silent: readonly number[] = [],
): Promise<Record<K, number>> {
  const { database, tables } = parts;
  const conditions = groupConditions(parts, silent);
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

/**
 * Returns the number of tokens that each filter returns. `known` are the silent tokens, if they were read already. Throws
 * InvalidInput for an invalid query.
 */
export async function countByFilter(parts: TokensParts, query: TokenNarrowing, known?: readonly number[]) {
  checkKeys(query, 'A count of tokens', NARROWING_KEYS);
  const narrowing = checkNarrowing(query, parts);
  const some: CountedTokens = (knex, tokens) => whereNarrowed(knex, tokens, narrowing);
  const silent = known ?? (await silentIfReadable(parts));
  const counts = await countGroups(parts, 'tokens.filters', FILTERS, some, silent ?? []);
  return { ...counts, silent: silent && counts.silent };
}

/** How many tokens of each kind `attention` returns. */
const MOST_SHOWN = 10;

const SHOWN = ['expiring', 'lapsed', 'silent', 'limited', 'unused', 'unlimited'] as const;

export async function readAttention(parts: TokensParts): Promise<TokenAttention> {
  const known = await silentIfReadable(parts);
  const silent = known ?? [];
  const counts = await countGroups(parts, 'tokens.attention', SHOWN, undefined, silent);
  const database = parts.database.inSlotsOf('tokens');
  const read = async (group: keyof typeof counts, order: string): Promise<TokenGroup> => {
    if (counts[group] === 0) return { count: 0, tokens: [] };
    const condition = groupConditions(parts, silent)[group];
    const rows = await database.query('tokens.attention', () =>
      selectTokens(parts).whereRaw(condition).orderByRaw(order).limit(MOST_SHOWN),
    );
    return { count: counts[group], tokens: rows.map(tokenRecord) };
  };
  return {
    expiring: await read('expiring', 'expires_at, id'),
    expired: await read('lapsed', 'expires_at DESC, id DESC'),
    silent: known && (await read('silent', `${usedOrCreatedSql(parts)} DESC, id`)),
    limited: await read('limited', `${usedOrCreatedSql(parts)} DESC, id`),
    unused: await read('unused', `${usedOrCreatedSql(parts)}, id`),
    unlimited: await read('unlimited', 'id DESC'),
  };
}
