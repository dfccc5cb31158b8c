import { EVERY_SCOPE } from '../operations/OperationFacts';
import type { TokenRecord } from './TokenRecord';
import type { TokensParts } from './TokensParts';
import { type TokenDoubt, UNUSED_SECONDS } from './tokenDoubts';

const activeBy = (now: string) => `revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ${now})`;

/** How many tokens there are in each state. */
export async function countStates(parts: TokensParts): Promise<Record<TokenRecord['state'], number>> {
  const { now } = parts.database.dialect;
  return count(parts, 'tokens.states', {
    active: activeBy(now),
    expired: `revoked_at IS NULL AND expires_at <= ${now}`,
    revoked: 'revoked_at IS NOT NULL',
  });
}

/** How many active tokens an administrator should look at, and why. */
export async function countDoubtful(parts: TokensParts): Promise<Record<TokenDoubt, number>> {
  const { now } = parts.database.dialect;
  const active = activeBy(now);
  return count(parts, 'tokens.doubtful', {
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
  // It looks at every token, and so goes behind what requests need.
  const [row] = await database
    .reading('tokens')
    .rows(name, `SELECT ${counts.join(', ')} FROM ${database.knex.ref(table).toString()}`);
  return Object.fromEntries(Object.keys(conditions).map((key) => [key, Number(row?.[key])])) as Record<
    K,
    number
  >;
}
