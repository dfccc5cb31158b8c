import { bytes, count, filterable, flag, id, required, text, time, word } from '../lib/fields';
import { listOperation } from '../lib/operations/Operation';

export const accounts = listOperation({
  name: 'accounts',
  scope: 'accounts.read',
  tag: 'Accounts and users',
  title: 'Accounts',
  description: 'Every account of the panel: administrators, resellers and customers.',
  owner: 'id',
  fields: {
    id: required(id('Identifier of the account.')),
    username: required(filterable(text('Name that the account logs in with.'))),
    email: filterable(text('Address that the panel writes to.')),
    name: text('Name of the person or company.'),
    role: word('Role of the account in the panel.', ['admin', 'reseller', 'customer']),
    status: word('State of the account.', ['active', 'suspended', 'pending']),
    suspend_reason: text('Why it is suspended; null if it is not, or if no reason is known.'),
    owner_id: id('The account that it belongs to, such as its reseller; null if to none.', 'accounts'),
    plan: filterable(text('Name of its plan.')),
    primary_domain: filterable(text('Its main domain name.')),
    disk_used_bytes: bytes('Disk space in use, in bytes.'),
    disk_limit_bytes: bytes('Disk space that it may use, in bytes; null for no limit.'),
    bandwidth_used_bytes: bytes("Traffic of the panel's current period, in bytes."),
    bandwidth_limit_bytes: bytes('Traffic that it may cause in one period, in bytes; null for no limit.'),
    domain_count: count('Number of its domains.'),
    mailbox_count: count('Number of its mailboxes.'),
    database_count: count('Number of its databases.'),
    two_factor_enabled: flag('Whether its login asks for a second factor.'),
    last_login_at: time('When it last logged in to the panel; null if never.'),
    created_at: time('When it was created.'),
    updated_at: time('When it was last changed.'),
  },
});
