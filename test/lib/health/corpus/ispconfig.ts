import type { Knex } from 'knex';
import { mistakes } from './Mistake';

/** Mistakes in the mapping of ISPConfig, beside those of `ispconfigMistakes.test.ts`. Its tables have few rows. */
export const ISPCONFIG_MISTAKES = mistakes([
  ['accounts.0.username', 'the company as the login', 'c.company_name', 'text'],
  [
    'accounts.0.role',
    'customers and resellers swapped',
    { column: 'c.limit_client', values: { 0: 'reseller' }, otherwise: 'customer' },
    'few',
  ],
  [
    'accounts.0.status',
    'the words of the lock swapped',
    { column: 'c.locked', values: { n: 'suspended', y: 'active' } },
    'few',
  ],
  [
    'accounts.0.owner_id',
    'the key of the plan as the owner',
    { column: 'c.template_master', null: 0, part: 0 },
    'row',
  ],
  [
    'accounts.0.mailbox_limit',
    'the limit of websites for mailboxes',
    { column: 'c.limit_web_domain', null: -1 },
  ],
  [
    'accounts.0.website_limit',
    'the limit of clients for websites',
    { column: 'c.limit_client', null: -1 },
    'text',
  ],
  [
    'accounts.1.status',
    'an inverted switch of administrators',
    { column: 'u.active', values: { 1: 'suspended', 0: 'active' } },
    'few',
  ],
  [
    'accounts.1',
    'customers listed as administrators too',
    { query: (knex: Knex) => knex('sys_user as u') },
    null,
    'accounts.username name_shared',
  ],

  ['domains.0.domain', 'the directory as the name', 'w.document_root'],
  [
    'domains.0.website_id',
    'the key of the server as the website',
    'w.server_id',
    null,
    'websites.domain website_domain',
  ],
  ['domains.0.account_id', 'the key of the server as the owner', { column: 'w.server_id', null: 0 }],
  ['domains.0.parent_id', 'the key of the domain as its parent', { column: 'w.domain_id', part: 0 }],
  ['domains.0.type', 'every domain as primary', { value: 'primary' }, 'few'],
  [
    'domains.0.ssl_status',
    'a flag in place of the end',
    { column: 'w.ssl', values: { y: 'active', n: 'none' } },
  ],
  [
    'domains.0.ssl_status',
    'an inverted flag',
    { cases: [{ when: { 'w.ssl': 'y' }, is: 'none' }], otherwise: 'expired' },
  ],
  [
    'domains.0.status',
    'active and suspended swapped',
    { column: 'w.active', values: { y: 'suspended', n: 'active' } },
  ],
  ['domains.0.dns_managed', 'the switch of mail as that of DNS', { column: 'm.active', true: 'y' }],
  ['domains.2.type', 'mail domains as parked', { value: 'parked' }, 'swap'],

  ['websites.domain', 'the user as the domain', 'w.system_user'],
  ['websites.account_id', 'the parent as the owner', { column: 'w.parent_domain_id', null: 0 }, 'few'],
  [
    'websites.status',
    'active and suspended swapped',
    { column: 'w.active', values: { y: 'suspended', n: 'active' } },
    null,
    'domains.status suspended_differs',
  ],
  [
    'websites.ssl_enabled',
    'an inverted switch of HTTPS',
    { column: 'w.ssl', true: 'n' },
    'few',
    'domains.ssl_status https_differs',
  ],
  [
    'websites.ssl_enabled',
    "the switch of Let's Encrypt as HTTPS",
    { column: 'w.ssl_letsencrypt', true: 'y' },
    'few',
  ],
  ['websites.runtime', 'a word for all', { value: 'php' }, 'text'],
  ['websites.document_root', 'the domain as the directory', 'w.domain'],

  ['email.0.quota_bytes', 'MB in place of bytes', { column: 'u.quota', null: [0, -1], unit: 'MB' }, 'row'],
  ['email.0.address', 'the target as the address', 'u.cc'],
  ['email.0.forward_to', 'the address as its own target', 'u.email', 'row'],
  ['email.1.address', 'the target as the address', 'f.destination'],
  [
    'email.1.type',
    'aliases and forwarders swapped',
    {
      column: 'f.type',
      values: { forward: 'alias', alias: 'forwarder', aliasdomain: 'alias', catchall: 'catchall' },
    },
    'swap',
  ],
  ['email.2.address', "the owner's address as that of the list", 'l.email', 'text'],

  ['databases.name', 'the owner as the name', 'u.database_user', 'text'],
  ['databases.account_id', 'the key of the server as the owner', 'd.server_id'],
  ['databases.website_id', 'the key of the database as the website', 'd.database_id'],
  ['databases.size_limit_bytes', 'a forgotten unit', { column: 'd.database_quota', null: -1 }, 'few'],
  [
    'databases.status',
    'active and suspended swapped',
    { column: 'd.active', values: { y: 'suspended', n: 'active' } },
    'few',
  ],

  ['ssl.common_name', 'the directory as the name', 'w.document_root'],
  ['ssl.status', 'every certificate as valid', { value: 'valid' }],
  ['ssl.website_id', 'the parent as the website', { column: 'w.parent_domain_id', null: 0 }, 'few'],
  ['backups.0.finished_at', 'milliseconds in place of seconds', { column: 'b.tstamp', time: 'unix-ms' }],
  ['backups.0.size_bytes', 'MB in place of bytes', { column: 'b.filesize', null: '', unit: 'MB' }, 'size'],
  ['backups.1.website_id', 'the mail domain as the website', 'b.parent_domain_id', 'few'],
  ['jobs.0.queued_at', 'milliseconds in place of seconds', { column: 'd.tstamp', time: 'unix-ms' }],
  ['jobs.0.status', 'the state that is ok from the beginning', { value: 'succeeded' }, 'row'],
  [
    'jobs.1.status',
    'succeeded and queued swapped',
    {
      column: 'a.action_state',
      values: { pending: 'succeeded', ok: 'queued', warning: 'succeeded', error: 'failed' },
    },
    'swap',
  ],
  ['cron.enabled', 'an inverted switch', { column: 'c.active', true: 'n' }, 'few'],
  ['cron.account_id', 'the key of the website as the owner', { column: 'c.parent_domain_id', null: 0 }],
  ['cron.run_as', 'the type as the user', 'c.type', 'text'],
]);
