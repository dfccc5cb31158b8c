import type { Installation } from '../Installation';
import type { Call } from '../operations/Call';
import { API_PATH, grants, isServerWide, pathOf } from '../operations/OperationFacts';
import { rfc3339OfSeconds } from '../time/rfc3339';
import { shownAccount } from './shownAccount';

const API_VERSION = 'v1';

/** All that a token may know about itself. */
export async function introspect(
  { token, rateLimit, clientIp, mountPath }: Call,
  { operations, options, sources }: Installation,
) {
  return {
    token: {
      id: token.id,
      name: token.name,
      prefix: token.prefix,
      scopes: token.scopes,
      created_at: rfc3339OfSeconds(token.createdAt),
      created_by: token.createdBy,
      expires_at: rfc3339OfSeconds(token.expiresAt),
      // This request is a use, and its time was noted before this is read.
      last_used_at: rfc3339OfSeconds(Math.max(token.readAt, token.lastUsedAt ?? 0)),
    },
    endpoints: operations.map((operation) => ({
      path: mountPath + API_PATH + pathOf(operation),
      scope: operation.scope,
      allowed: grants(token.scopes, operation) && (token.accountId === null || !isServerWide(operation)),
    })),
    rate_limit: {
      limit: rateLimit.limit,
      window_seconds: rateLimit.windowSeconds,
      remaining: rateLimit.remaining,
      resets_at: rfc3339OfSeconds(rateLimit.resetsAt),
    },
    allowed_ips: token.allowedAddresses,
    account_id: await shownAccount(token.accountId, sources.get('accounts')),
    client_ip: clientIp,
    panel: options.panel,
    api_version: API_VERSION,
  };
}
