import { wholeNumber } from '../database/wholeNumber';
import { EVERY_SCOPE } from '../operations/Operation';
import { selectTokens, type TokenRecord, type TokensParts, tokenRecord } from './TokenRecord';
import { EXPIRING_SECONDS, UNUSED_SECONDS } from './tokenWarnings';

const FILTERS = ['active', 'expiring', 'unused', 'ended'] as const;

/**
 * Which tokens to return: `active`; `expiring`: active, not rotated, and expires within 14 days; `unused`: active, and
 * not used for 90 days; `ended`: expired or revoked.
 */
export type TokenFilter = (typeof FILTERS)[number];

export function isTokenFilter(filter: unknown): filter is TokenFilter {
  return FILTERS.some((each) => each === filter);
}

/** The SQL of each group of tokens that is shown or counted. `now` is the SQL of the database's clock. */
function groups(now: string) {
  const active = `revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ${now})`;
  // A rotated token has a successor, and is meant to expire.
  const unrotated = 'revoked_at IS NULL AND rotated_at IS NULL';
  return {
    active,
    expired: `revoked_at IS NULL AND expires_at <= ${now}`,
    revoked: 'revoked_at IS NOT NULL',
    ended: `(revoked_at IS NOT NULL OR expires_at <= ${now})`,
    expiring: `${unrotated} AND expires_at > ${now} AND expires_at <= ${now} + ${EXPIRING_SECONDS}`,
    unused: `${active} AND COALESCE(last_used_at, created_at) < ${now} - ${UNUSED_SECONDS}`,
    everlasting: 'revoked_at IS NULL AND expires_at IS NULL',
    wildcard: `${active} AND scopes = '${EVERY_SCOPE}'`,
    unlimited: `revoked_at IS NULL AND expires_at IS NULL AND scopes = '${EVERY_SCOPE}'`,
    lapsed: `${unrotated} AND expires_at <= ${now} AND expires_at > ${now} - ${EXPIRING_SECONDS}`,
  };
}

type Group = keyof ReturnType<typeof groups>;

/** The SQL of the tokens that a filter returns. */
export function filterSql(filter: TokenFilter, now: string): string {
  return groups(now)[filter];
}

/** Returns the number of tokens in each of these groups, read in one statement. */
export async function countGroups<K extends Group>(
  { database, migrations, table }: TokensParts,
  name: string,
  wanted: readonly K[],
): Promise<Record<K, number>> {
  await migrations.ready();
  const conditions = groups(database.dialect.now);
  const counts = wanted.map(
    (group) => `COALESCE(SUM(CASE WHEN ${conditions[group]} THEN 1 ELSE 0 END), 0) AS ${group}`,
  );
  // It reads every token, so the statements of requests go first.
  const [row] = await database
    .reading('tokens')
    .rows(name, `SELECT ${counts.join(', ')} FROM ${database.knex.ref(table).toString()}`);
  return Object.fromEntries(wanted.map((group) => [group, wholeNumber(name, row?.[group])])) as Record<
    K,
    number
  >;
}

/** How many tokens of each kind `attention` returns. */
const MOST_SHOWN = 10;

/** Tokens that an administrator should see: how many there are, and the first ten of them. */
export interface TokenGroup {
  readonly count: number;
  readonly tokens: readonly TokenRecord[];
}

/** The tokens that an administrator should see. */
export interface TokenAttention {
  /** Active, not rotated, and expires within 14 days; the soonest first. */
  readonly expiring: TokenGroup;
  /** Expired in the last 14 days, and was not rotated; the latest first. */
  readonly expired: TokenGroup;
  /** Active, and was not used for 90 days; the longest unused first. */
  readonly unused: TokenGroup;
  /** Active, has every scope and never expires; the newest first. */
  readonly unlimited: TokenGroup;
}

export async function readAttention(parts: TokensParts): Promise<TokenAttention> {
  const counts = await countGroups(parts, 'tokens.attention', ['expiring', 'lapsed', 'unused', 'unlimited']);
  const database = parts.database.reading('tokens');
  const read = async (group: keyof typeof counts, order: string): Promise<TokenGroup> => {
    const condition = groups(database.dialect.now)[group];
    const rows = await database.query('tokens.attention', () =>
      selectTokens(parts).whereRaw(condition).orderByRaw(order).limit(MOST_SHOWN),
    );
    return { count: counts[group], tokens: rows.map(tokenRecord) };
  };
  return {
    expiring: await read('expiring', 'expires_at, id'),
    expired: await read('lapsed', 'expires_at DESC, id DESC'),
    unused: await read('unused', 'COALESCE(last_used_at, created_at), id'),
    unlimited: await read('unlimited', 'id DESC'),
  };
}
