import { EVERY_SCOPE } from '../operations/Operation';
import { DAY_SECONDS } from '../time/time';
import type { TokenRecord, TokensParts } from './TokenRecord';

/** An active token that was not used for 90 days is `unused`. */
const UNUSED_SECONDS = 90 * DAY_SECONDS;

/** Why an administrator should review an active token. */
export type TokenWarning = 'everlasting' | 'wildcard' | 'unused';

/** The warnings about one token; none if it is expired or revoked. */
export function tokenWarnings(token: TokenRecord): readonly TokenWarning[] {
  if (token.state !== 'active') return [];
  const isOf: Readonly<Record<TokenWarning, boolean>> = {
    everlasting: token.expiresAt === null,
    wildcard: token.scopes.includes(EVERY_SCOPE),
    unused: (token.lastUsedAt ?? token.createdAt) < token.readAt - UNUSED_SECONDS,
  };
  return (Object.keys(isOf) as TokenWarning[]).filter((warning) => isOf[warning]);
}

const activeBy = (now: string) => `revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ${now})`;

/** Returns the number of tokens in each state. */
export async function countStates(parts: TokensParts): Promise<Record<TokenRecord['state'], number>> {
  const { now } = parts.database.dialect;
  return count(parts, 'tokens.states', {
    active: activeBy(now),
    expired: `revoked_at IS NULL AND expires_at <= ${now}`,
    revoked: 'revoked_at IS NOT NULL',
  });
}

/** Returns the number of active tokens with each warning. */
export async function countWarnings(parts: TokensParts): Promise<Record<TokenWarning, number>> {
  const { now } = parts.database.dialect;
  const active = activeBy(now);
  return count(parts, 'tokens.warnings', {
    everlasting: `${active} AND expires_at IS NULL`,
    wildcard: `${active} AND scopes = '${EVERY_SCOPE}'`,
    unused: `${active} AND COALESCE(last_used_at, created_at) < ${now} - ${UNUSED_SECONDS}`,
  });
}

async function count<K extends string>(
  { database, migrations, table }: TokensParts,
  name: string,
  conditions: Record<K, string>,
): Promise<Record<K, number>> {
  await migrations.ready();
  const counts = Object.entries<string>(conditions).map(
    ([key, condition]) => `COALESCE(SUM(CASE WHEN ${condition} THEN 1 ELSE 0 END), 0) AS ${key}`,
  );
  // It reads every token, so the statements of requests go first.
  const [row] = await database
    .reading('tokens')
    .rows(name, `SELECT ${counts.join(', ')} FROM ${database.knex.ref(table).toString()}`);
  return Object.fromEntries(Object.keys(conditions).map((key) => [key, Number(row?.[key])])) as Record<
    K,
    number
  >;
}
