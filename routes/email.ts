import {
  bytes,
  count,
  derived,
  filterable,
  flag,
  id,
  required,
  text,
  textList,
  time,
  word,
} from '../lib/fields';
import { listOperation } from '../lib/operations/Operation';

export const email = listOperation({
  name: 'email',
  scope: 'email.read',
  tag: 'Email and databases',
  title: 'Mailboxes and addresses',
  description: 'Every mailbox, forwarder, alias, catch-all and mailing list.',
  fields: {
    id: required(id('Identifier of the mailbox or address.')),
    address: required(filterable(text('The e-mail address.'))),
    domain: derived(filterable(text('Domain of the address.')), ['address'], ({ address }) =>
      domainOf(address),
    ),
    account_id: id('The account that owns it.', 'accounts'),
    type: required(
      word('What happens to mail for it.', ['mailbox', 'forwarder', 'alias', 'catchall', 'list']),
    ),
    status: required(word('State of the mailbox or address.', ['active', 'suspended'])),
    quota_bytes: bytes('Size that the mailbox may have, in bytes; null for no limit.'),
    used_bytes: bytes('Size of the mailbox, in bytes.'),
    forward_to: textList('Addresses that its mail is sent on to.'),
    keep_copy: flag('Whether mail that is sent on also stays in the mailbox.'),
    autoresponder_enabled: flag('Whether an automatic reply is switched on.'),
    send_limit_per_day: count('Messages that it may send in one day; null for no limit.'),
    last_login_at: time('When a person last logged in to the mailbox; null if never.'),
    created_at: time('When it was created.'),
    updated_at: time('When it was last changed.'),
  },
});

/** The part of an address after its last `@`; null if there is none. */
export function domainOf(address: unknown): string | null {
  if (typeof address !== 'string' || !address.includes('@')) return null;
  return address.slice(address.lastIndexOf('@') + 1).trim() || null;
}
