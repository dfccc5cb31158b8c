// @ts-check

/** @type {import('koa-panel-api').Sources['accounts']} */
module.exports = [
  // Part 0: customers and resellers. Their logins are in sys_user too.
  {
    query: (knex) =>
      knex('client as c').leftJoin('client_template as t', 't.template_id', 'c.template_master'),
    fields: {
      id: 'c.client_id',
      username: 'c.username',
      email: 'c.email',
      name: {
        columns: { company: 'c.company_name', first: 'c.contact_firstname', last: 'c.contact_name' },
        compute: ({ company, first, last }) => company || [first, last].filter(Boolean).join(' ') || null,
      },
      // The maximum number of clients: 0, a number, or -1 for no limit.
      role: { column: 'c.limit_client', values: { 0: 'customer' }, otherwise: 'reseller' },
      status: {
        cases: [
          { when: { 'c.locked': 'y' }, is: 'suspended' },
          { when: { 'c.canceled': 'y' }, is: 'suspended' },
        ],
        otherwise: 'active',
      },
      suspend_reason: { column: 'c.canceled', values: { y: 'Cancelled', n: null } },
      owner_id: { column: 'c.parent_client_id', null: 0, part: 0 },
      plan: 't.template_name',
      disk_limit_bytes: { column: 'c.limit_web_quota', null: -1, unit: 'MB' },
      bandwidth_limit_bytes: { column: 'c.limit_traffic_quota', null: -1, unit: 'MB' },
      website_limit: { column: 'c.limit_web_domain', null: -1 },
      mailbox_limit: { column: 'c.limit_mailbox', null: -1 },
      database_limit: { column: 'c.limit_database', null: -1 },
      created_at: { column: 'c.created_at', time: 'unix' },
    },
  },
  // Part 1: administrators, who are not in the table of clients.
  {
    query: (knex) => knex('sys_user as u').where('u.typ', 'admin'),
    fields: {
      id: 'u.userid',
      username: 'u.username',
      role: { value: 'admin' },
      status: { column: 'u.active', values: { 1: 'active', 0: 'suspended' } },
      two_factor_enabled: { column: 'u.otp_type', true: 'email' },
    },
  },
];
