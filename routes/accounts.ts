import { domainName, filterable, required, searchable } from '../lib/fields/Field';
import { bytes, count, flag, id, text, textList, word } from '../lib/fields/scalars';
import { time } from '../lib/fields/times';
import { panelText } from '../lib/masking/panelText';
import { listOperation } from '../lib/operations/Operation';

export const accounts = listOperation({
  name: 'accounts',
  scope: 'accounts.read',
  tag: 'Accounts and users',
  title: 'Accounts',
  item: 'Account',
  description: 'Every account of the panel: administrators, resellers and customers.',
  owner: 'id',
  fields: {
    id: required(id('Identifier of the account.')),
    username: required(searchable(filterable(text('Login name of the account.')))),
    email: searchable(filterable(domainName(text('Email address of the account holder.')))),
    name: searchable(text('Name of the person or company that holds the account.')),
    role: word('Role of the account in the panel.', ['admin', 'reseller', 'customer']),
    status: word('Status of the account.', ['active', 'suspended', 'pending']),
    suspend_reason: panelText(
      'Reason for the suspension; null if the account is not suspended or no reason is known.',
    ),
    owner_id: id(
      'Identifier of the account that owns this account, such as its reseller; null if it has no owner.',
      'accounts',
    ),
    plan: filterable(text('Name of the hosting plan of the account.')),
    primary_domain: filterable(domainName(text('Main domain name of the account.'))),
    disk_used_bytes: bytes('Disk space that the account uses, in bytes.'),
    disk_limit_bytes: bytes('Disk space that the account may use, in bytes; null for no limit.'),
    bandwidth_used_bytes: bytes('Traffic of the account in the current period of the panel, in bytes.'),
    bandwidth_limit_bytes: bytes(
      'Traffic that the account may use in one period of the panel, in bytes; null for no limit.',
    ),
    ip_addresses: textList('IP addresses that the account may use.'),
    nameservers: textList('Names of the name servers for the domains of the account.'),
    website_count: count('Number of websites of the account.'),
    domain_count: count('Number of domains of the account.'),
    mailbox_count: count('Number of mailboxes of the account.'),
    database_count: count('Number of databases of the account.'),
    inode_count: count('Number of files and directories of the account.'),
    website_limit: count('Number of websites that the account may have; null for no limit.'),
    domain_limit: count('Number of domains that the account may have; null for no limit.'),
    mailbox_limit: count('Number of mailboxes that the account may have; null for no limit.'),
    database_limit: count('Number of databases that the account may have; null for no limit.'),
    inode_limit: count('Number of files and directories that the account may have; null for no limit.'),
    two_factor_enabled: flag('Whether two-factor authentication is enabled for the account.'),
    last_login_at: time('Time of the last login to the panel; null if the account never logged in.'),
    created_at: time('Time when the account was created.'),
    updated_at: time('Time when the account was last changed.'),
  },
});
