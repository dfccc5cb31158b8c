import type { Rows } from '../database/Statement';
import { DAY_SECONDS } from '../time/time';
import { findCustomer, shownToken } from './accountBounds';
import type { AccountTokens } from './TokenRecord';
import { groupConditions } from './tokenFilters';
import { selectTokens, type TokensParts, tokenRecord, whereBoundToAlone } from './tokenRows';

/** How long a token is shown after its end. */
const SHOWN_SECONDS = 30 * DAY_SECONDS;

const MOST_SHOWN = 500;

/** Returns the tokens that an account may see. */
export async function readAccountTokens(parts: TokensParts, accountId: string): Promise<AccountTokens> {
  const customer = await findCustomer(parts, accountId);
  const { database } = parts;
  const since = `${database.dialect.now} - ${SHOWN_SECONDS}`;
  const { active } = groupConditions(parts);
  // It may read every token, so the statements of requests go first.
  const rows = await database
    .inSlotsOf('tokens')
    .query<Rows>('tokens.ofAccount', () =>
      whereBoundToAlone(selectTokens(parts), accountId)
        .whereRaw(`(expires_at IS NULL OR expires_at > ${since})`)
        .whereRaw(`(revoked_at IS NULL OR revoked_at > ${since})`)
        .orderByRaw(`CASE WHEN ${active} THEN 0 ELSE 1 END, id DESC`)
        .limit(MOST_SHOWN),
    );
  const tokens = rows.flatMap((row) => shownToken(tokenRecord(row), customer) ?? []);
  return { ...customer, tokens: tokens.toSorted((one, other) => other.id - one.id) };
}
