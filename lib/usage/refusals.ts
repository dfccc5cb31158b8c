import { integerIn } from '../database/DatabaseFailure';
import type { ModuleTables } from '../database/migrations/Migrations';
import type { Session } from '../database/Session';
import type { TokenRefusal } from './UsageRow';

/** How many refusals of a token are kept. */
export const MOST_REFUSALS = 20;

/** Adds refusals, and deletes those of the same tokens that are older than their last ones. @internal */
export async function addRefusals(
  { database, tables }: ModuleTables,
  session: Session,
  refusals: readonly TokenRefusal[],
): Promise<void> {
  if (refusals.length === 0) return;
  const rows = refusals.map(({ tokenId, requestId, ...same }) => ({
    ...same,
    token_id: tokenId,
    request_id: requestId,
  }));
  await session.run<unknown>((knex) => knex(tables.refusals).insert(rows));
  const tokenIds = [...new Set(refusals.map(({ tokenId }) => tokenId))];
  // The place of each of their rows, the newest first.
  const placed = `SELECT id, ROW_NUMBER() OVER (PARTITION BY token_id ORDER BY id DESC) AS place
    FROM ${database.knex.ref(tables.refusals).toString()} WHERE token_id IN (${tokenIds.join(', ')})`;
  const old = await session.rows(`SELECT id FROM (${placed}) placed WHERE place > ${MOST_REFUSALS}`);
  const ids = old.map(({ id }) => integerIn('usage.add', id));
  if (ids.length > 0) await session.run<unknown>((knex) => knex(tables.refusals).whereIn('id', ids).delete());
}

/** Returns the last refusals of a token, or of all together, the newest first. @internal */
export async function refusalsOf(
  { database, tables }: ModuleTables,
  which: { readonly token_id?: number },
  most = MOST_REFUSALS,
): Promise<readonly TokenRefusal[]> {
  const rows = await database.query('usage.refusals', (knex) =>
    knex(tables.refusals)
      .select({ token: 'token_id', at: 'at', endpoint: 'endpoint', code: 'code', request: 'request_id' })
      .where(which)
      .orderBy('id', 'desc')
      .limit(most),
  );
  return rows.map(({ token, at, endpoint, code, request }) => ({
    tokenId: integerIn('usage.refusals', token),
    at: integerIn('usage.refusals', at),
    endpoint: String(endpoint),
    code: String(code),
    requestId: String(request),
  }));
}
