import { rfc3339OfSeconds } from '../lib/time/rfc3339';
import type { TokenRecord } from '../lib/tokens/TokenRecord';

/** What scripts read about a token. */
export function tokenJson(record: TokenRecord) {
  return {
    id: record.id,
    name: record.name,
    prefix: record.prefix,
    scopes: record.scopes,
    account_id: record.accountId,
    allowed_addresses: record.allowedAddresses,
    rate_limit: record.rateLimit,
    lineage: record.lineage,
    state: record.state,
    created_at: rfc3339OfSeconds(record.createdAt),
    created_by: record.createdBy,
    expires_at: rfc3339OfSeconds(record.expiresAt),
    last_used_at: rfc3339OfSeconds(record.lastUsedAt),
    rotated_at: rfc3339OfSeconds(record.rotatedAt),
    revoked_at: rfc3339OfSeconds(record.revokedAt),
    revoked_by: record.revokedBy,
  };
}
