import { isTokenId } from '../lib/database/tokenId';
import { InvalidInput } from '../lib/errors/InvalidInput';
import { printable } from '../lib/errors/printable';
import { rfc3339OfSeconds } from '../lib/time/time';
import type { TokenRecord } from '../lib/tokens/TokenRecord';
import { CommandFailure } from './exit';

/** Parses a token id. Throws InvalidInput. */
export function parseId(text: string): number {
  const id = Number(text);
  if (/^[1-9]\d*$/.test(text) && isTokenId(id)) return id;
  throw new InvalidInput('id', 'The id of a token must be a whole number from 1 to 2147483647.');
}

export function unknownToken(id: number): CommandFailure {
  return new CommandFailure('missing', `Token ${id} does not exist.`);
}

/** A token as JSON, for scripts. */
export function tokenJson(record: TokenRecord) {
  return {
    id: record.id,
    name: record.name,
    note: record.note,
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
    last_used_address: record.lastUsedAddress,
    rotated_at: rfc3339OfSeconds(record.rotatedAt),
    revoked_at: rfc3339OfSeconds(record.revokedAt),
    revoked_by: record.revokedBy,
    version: record.version,
  };
}

/** A token's properties as text, for people. */
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
    used_from: record.lastUsedAddress ?? '-',
    expires: timeText(record.expiresAt),
    created: timeText(record.createdAt),
    created_by: record.createdBy,
    rotated: timeText(record.rotatedAt),
    revoked: timeText(record.revokedAt),
    revoked_by: record.revokedBy ?? '-',
    // A table has one line for each fact.
    note: record.note?.replaceAll('\n', ' ') ?? '-',
  };
}

/** What a new token may do, as sentences for people. */
export function rightsText({
  id,
  accountId,
  scopes,
  allowedAddresses,
  rateLimit,
  expiresAt,
}: TokenRecord): string {
  const expiry = expiresAt === null ? 'never expires' : `expires at ${rfc3339OfSeconds(expiresAt)}`;
  return [
    `Token ${id} ${expiry}.`,
    `Scopes: ${scopes.join(' ')}.`,
    ...(accountId === null ? [] : [`Account: ${printable(accountId)}.`]),
    ...(allowedAddresses.length === 0 ? [] : [`Allowed addresses: ${allowedAddresses.join(', ')}.`]),
    ...(rateLimit === null ? [] : [`Rate limit: ${rateLimit} requests per window.`]),
  ].join(' ');
}

function timeText(seconds: number | null): string {
  return rfc3339OfSeconds(seconds) ?? 'never';
}
