import type { Bounds } from '../lib/database/columns';
import {
  certificateName,
  derived,
  domainName,
  expiry,
  filterable,
  flag,
  id,
  integer,
  required,
  searchable,
  text,
  textList,
  time,
  word,
} from '../lib/fields';
import { listOperation } from '../lib/fields/Operation';
import { panelText } from '../lib/masking/credentials';
import { DAY_MS } from '../lib/problems/problems';
import { millisecondsOf } from '../lib/time/time';

const STATUSES = ['valid', 'expiring', 'expired', 'pending', 'failed', 'revoked'] as const;

export const ssl = listOperation({
  name: 'ssl',
  tag: 'SSL and security',
  title: 'Certificates',
  item: 'Certificate',
  description: 'Every TLS certificate and certificate order.',
  fields: {
    id: required(id('Identifier of the certificate or order.')),
    common_name: required(searchable(filterable(domainName(text('Main domain name of the certificate.'))))),
    sans: certificateName(textList('All domain names that the certificate is valid for.')),
    account_id: id('Identifier of the account that owns the certificate.', 'accounts'),
    website_id: id(
      'Identifier of the website that uses the certificate; null if no website uses it.',
      'websites',
    ),
    type: word(
      'Origin of the certificate: `acme` (issued automatically), `custom` (uploaded) or `self_signed`.',
      ['acme', 'custom', 'self_signed'],
    ),
    issuer: text('Name of the certificate authority that issued the certificate.'),
    status: required(word('Status of the certificate or order.', STATUSES)),
    issued_at: time('Time when the certificate became valid; null until it is issued.'),
    expires_at: expiry('Time when the certificate expires; null until it is issued.'),
    days_left: derived(
      integer('Whole days until the certificate expires, negative after that; null until it is issued.'),
      ['expires_at'],
      ({ expires_at }, { now }) => daysLeft(expires_at, now),
      expiryRange,
    ),
    auto_renew: flag('Whether the panel renews the certificate automatically.'),
    last_renewal_at: time('Time of the last renewal; null if the certificate was never renewed.'),
    last_error: panelText('Reason why the last order or renewal failed; null if it did not fail.'),
    key_type: text("Algorithm and size of the certificate's key."),
    fingerprint_sha256: text('SHA-256 fingerprint of the certificate; null until it is issued.'),
    created_at: time('Time when the certificate was ordered or uploaded.'),
    updated_at: time('Time when the certificate or order was last changed.'),
  },
});

/** Whole days until the expiry, negative after it; null without an expiry. */
export function daysLeft(expiresAt: unknown, now: Date): number | null {
  const days = Math.floor((millisecondsOf(expiresAt) - now.getTime()) / DAY_MS);
  return Number.isNaN(days) ? null : days;
}

/** The expiry times with which so many days are left, and a day more at both ends: a list may be read for minutes. */
function expiryRange({ from, to }: Bounds, now: Date): Bounds<number> {
  const inDays = (days: number) => Math.floor((now.getTime() + days * DAY_MS) / 1000);
  return {
    from: from === null ? null : inDays(Number(from) - 1),
    to: to === null ? null : inDays(Number(to) + 2),
  };
}
