import {
  bytes,
  count,
  derived,
  domainName,
  emailAddress,
  filterable,
  flag,
  id,
  required,
  searchable,
  text,
  textList,
  time,
  word,
} from '../lib/fields';
import { listOperation } from '../lib/fields/Operation';

const TYPES = ['mailbox', 'forwarder', 'alias', 'catchall', 'list'] as const;

export const email = listOperation({
  name: 'email',
  tag: 'Email and databases',
  title: 'Mailboxes and addresses',
  item: 'EmailAddress',
  description: 'Every mailbox, forwarder, alias, catch-all address and mailing list.',
  fields: {
    id: required(id('Identifier of the mailbox or address.')),
    address: required(searchable(filterable(emailAddress(text('Email address.'))))),
    domain: derived(
      filterable(domainName(text('Domain of the email address.'))),
      ['address'],
      ({ address }) => domainOf(address),
    ),
    account_id: id('Identifier of the account that owns the mailbox or address.', 'accounts'),
    type: required(
      word('Type of the address, which says what happens to the email that it receives.', TYPES),
    ),
    status: required(word('Status of the mailbox or address.', ['active', 'suspended'])),
    quota_bytes: bytes('Maximum size of the mailbox in bytes; null for no limit.'),
    used_bytes: bytes('Current size of the mailbox in bytes.'),
    forward_to: emailAddress(textList('Addresses to which received email is forwarded.')),
    keep_copy: flag('Whether the mailbox keeps a copy of forwarded email.'),
    autoresponder_enabled: flag('Whether an automatic reply is enabled.'),
    send_limit_per_day: count(
      'Maximum number of messages that the address may send in one day; null for no limit.',
    ),
    last_login_at: time('Time of the last login to the mailbox; null if there was none.'),
    created_at: time('Time when the mailbox or address was created.'),
    updated_at: time('Time when the mailbox or address was last changed.'),
  },
});

/** The part of an address after its last `@`; null if there is none. */
export function domainOf(address: unknown): string | null {
  if (typeof address !== 'string' || !address.includes('@')) return null;
  return address.slice(address.lastIndexOf('@') + 1).trim() || null;
}
