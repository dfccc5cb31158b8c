// @ts-check
const siteTypes = require('./site-types');

/** @type {import('koa-panel-api').Sources['websites']} */
module.exports = {
  query: (knex) =>
    knex('web_domain as w')
      .leftJoin('sys_group as g', 'g.groupid', 'w.sys_groupid')
      // A site keeps its PHP version when PHP is switched off.
      .leftJoin('server_php as p', (join) =>
        join.on('p.server_php_id', 'w.server_php_id').andOnVal('w.php', '<>', 'no'),
      )
      .whereIn('w.type', siteTypes),
  fields: {
    id: 'w.domain_id',
    domain: 'w.domain',
    account_id: { column: 'g.client_id', null: 0 },
    status: { column: 'w.active', values: { y: 'active', n: 'suspended' } },
    // All other words are ways to run PHP.
    runtime: { column: 'w.php', values: { no: 'static' }, otherwise: 'php' },
    // The version's name is free text, such as "PHP 8.3".
    runtime_version: { column: 'p.name', from: (name) => /\d+(\.\d+)*/.exec(String(name))?.[0] },
    document_root: 'w.document_root',
    ip_addresses: {
      columns: { v4: 'w.ip_address', v6: 'w.ipv6_address' },
      compute: ({ v4, v6 }) => [v4, v6].filter((address) => address && address !== '*'),
    },
    ssl_enabled: { column: 'w.ssl', true: 'y' },
    force_https: { column: 'w.rewrite_to_https', true: 'y' },
    system_user: 'w.system_user',
    created_at: { column: 'w.added_date', time: 'date' },
  },
};
