import { rfc3339OfSeconds } from '../lib/time/rfc3339';
import type { TokenRecord } from '../lib/tokens/TokenRecord';

/** What people read about a token, by name. */
export function tokenText(record: TokenRecord) {
  return {
    id: String(record.id),
    name: record.name,
    token: `${record.prefix}…`,
    scopes: record.scopes.join(' '),
    account: record.accountId ?? '-',
    addresses: record.allowedAddresses.join(' ') || 'any',
    rate_limit: record.rateLimit === null ? 'default' : String(record.rateLimit),
    lineage: String(record.lineage),
    state: record.state,
    last_used: timeText(record.lastUsedAt),
    expires: timeText(record.expiresAt),
    created: timeText(record.createdAt),
    created_by: record.createdBy,
    rotated: timeText(record.rotatedAt),
    revoked: timeText(record.revokedAt),
    revoked_by: record.revokedBy ?? '-',
  };
}

function timeText(seconds: number | null): string {
  return rfc3339OfSeconds(seconds) ?? 'never';
}
