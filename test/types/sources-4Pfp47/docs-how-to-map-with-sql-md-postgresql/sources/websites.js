/** @type {import('koa-panel-api').Sources['websites']} */
module.exports = {
  query: (knex) => knex('sites as s').leftJoin('customers as c', 'c.id', 's.customer'),
  fields: {
    id: 's.id',
    domain: 's.host',
    account_id: 'c.id',
    aliases: 's.aliases',
    // The first case counts of which every column holds the value.
    status: {
      cases: [
        { when: { 's.locked': true }, is: 'suspended' },
        { when: { 's.state': 'on' }, is: 'active' },
      ],
      otherwise: 'stopped',
    },
    ip_addresses: 's.addresses',
    created_at: { column: 's.added', zone: 'Europe/Berlin' },
  },
};
