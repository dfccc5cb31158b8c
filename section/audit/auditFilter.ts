import type { AuditQuery } from '../../lib/audit/AuditLog';
import type { Visit } from '../Visit';

/** Which entries are asked for, as the address of the page says. */
export type AuditFilter = Pick<AuditQuery, 'tokenId' | 'actor'>;

/** Reads the filter; what cannot be a token's id asks for a token that there is not. */
export function auditFilter({ query }: Visit): AuditFilter {
  const token = (query.get('token') ?? '').trim().replace(/^#/, '');
  const actor = (query.get('actor') ?? '').trim();
  return {
    ...(token === '' ? {} : { tokenId: /^[1-9]\d{0,9}$/.test(token) ? Number(token) : 0 }),
    ...(actor === '' ? {} : { actor }),
  };
}

/** The filter again, for an address. */
export function auditQueryText(
  { tokenId, actor }: AuditFilter,
  others: Readonly<Record<string, string>> = {},
): string {
  const query = new URLSearchParams({
    ...(tokenId === undefined ? {} : { token: String(tokenId) }),
    ...(actor === undefined ? {} : { actor }),
    ...others,
  }).toString();
  return query === '' ? '' : `?${query}`;
}
