// @ts-check

const account_id = { column: 'g.client_id', null: 0 };

/** @type {import('koa-panel-api').Sources['email']} */
module.exports = [
  // Part 0. Here the quota is in bytes; all other quotas of ISPConfig are in MB.
  {
    query: (knex) => knex('mail_user as u').leftJoin('sys_group as g', 'g.groupid', 'u.sys_groupid'),
    fields: {
      id: 'u.mailuser_id',
      address: 'u.email',
      account_id,
      type: { value: 'mailbox' },
      status: { column: 'u.postfix', values: { y: 'active', n: 'suspended' } },
      quota_bytes: { column: 'u.quota', null: [0, -1] },
      forward_to: { column: 'u.cc', separator: ',' },
      // A mailbox keeps a copy of what it forwards.
      keep_copy: { column: 'u.cc', values: { '': null }, otherwise: true },
      autoresponder_enabled: { column: 'u.autoresponder', true: 'y' },
      last_login_at: { column: 'u.last_access', time: 'unix' },
    },
  },
  // Part 1. The address of a catch-all or of an aliased domain is `@` and the domain.
  {
    query: (knex) => knex('mail_forwarding as f').leftJoin('sys_group as g', 'g.groupid', 'f.sys_groupid'),
    fields: {
      id: 'f.forwarding_id',
      address: 'f.source',
      account_id,
      type: {
        column: 'f.type',
        values: { forward: 'forwarder', alias: 'alias', aliasdomain: 'alias', catchall: 'catchall' },
      },
      status: { column: 'f.active', values: { y: 'active', n: 'suspended' } },
      forward_to: { column: 'f.destination', separator: ',' },
    },
  },
  // Part 2. The column `email` is the address of the list's owner. The list's own address is composed in SQL, because a
  // column of a query can be filtered and a result of `compute` cannot.
  {
    query: (knex) =>
      knex('mail_mailinglist as l')
        .join(
          knex('mail_mailinglist')
            .select('mailinglist_id', knex.raw("concat(listname, '@', domain) as address"))
            .as('named'),
          'named.mailinglist_id',
          'l.mailinglist_id',
        )
        .leftJoin('sys_group as g', 'g.groupid', 'l.sys_groupid'),
    fields: {
      id: 'l.mailinglist_id',
      address: 'named.address',
      domain: 'l.domain',
      account_id,
      type: { value: 'list' },
      status: { value: 'active' },
    },
  },
];
