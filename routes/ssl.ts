import { derived, filterable, flag, id, integer, required, text, textList, time, word } from '../lib/fields';
import { listOperation } from '../lib/operations/Operation';
import { millisecondsOf } from '../lib/time/time';

export const ssl = listOperation({
  name: 'ssl',
  scope: 'ssl.read',
  tag: 'SSL and security',
  title: 'Certificates',
  description: 'Every certificate and certificate order.',
  fields: {
    id: required(id('Identifier of the certificate.')),
    common_name: required(filterable(text('Domain name that it was ordered for.'))),
    sans: textList('Every domain name that it is valid for.'),
    account_id: id('The account that owns it.', 'accounts'),
    website_id: id('The website that uses it; null if none does.', 'websites'),
    type: word('Where it comes from.', ['acme', 'custom', 'self_signed']),
    issuer: text('Who issued it.'),
    status: required(
      word('State of the certificate.', ['valid', 'expiring', 'expired', 'pending', 'failed', 'revoked']),
    ),
    issued_at: time('When it became valid; null before it is issued.'),
    expires_at: time('When it expires; null before it is issued.'),
    days_left: derived(
      integer('Whole days until it expires, negative once it has; null before it is issued.'),
      ['expires_at'],
      ({ expires_at }, { now }) => daysLeft(expires_at, now),
    ),
    auto_renew: flag('Whether it is renewed without being asked for.'),
    last_renewal_at: time('When it was last renewed; null if never.'),
    last_error: text('Why the last order or renewal failed; null if it did not.'),
    key_type: text('Algorithm and size of its key.'),
    fingerprint_sha256: text('SHA-256 fingerprint of the certificate; null before it is issued.'),
    created_at: time('When it was ordered or uploaded.'),
    updated_at: time('When it was last changed.'),
  },
});

const DAY = 24 * 60 * 60 * 1000;

/** Whole days until the expiry, negative after it; null without an expiry. */
export function daysLeft(expiresAt: unknown, now: Date): number | null {
  const days = Math.floor((millisecondsOf(expiresAt) - now.getTime()) / DAY);
  return Number.isNaN(days) ? null : days;
}
