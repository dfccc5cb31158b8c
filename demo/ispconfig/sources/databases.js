// @ts-check

/** @type {import('koa-panel-api').Sources['databases']} */
module.exports = {
  query: (knex) =>
    knex('web_database as d')
      .leftJoin('web_database_user as u', 'u.database_user_id', 'd.database_user_id')
      .leftJoin('web_database_user as r', 'r.database_user_id', 'd.database_ro_user_id')
      .leftJoin('server as s', 's.server_id', 'd.server_id')
      .leftJoin('sys_group as g', 'g.groupid', 'd.sys_groupid'),
  fields: {
    id: 'd.database_id',
    name: 'd.database_name',
    engine: { column: 'd.type', values: { mysql: 'mysql', mongo: 'mongodb' } },
    account_id: { column: 'g.client_id', null: 0 },
    website_id: { column: 'd.parent_domain_id', null: 0 },
    status: { column: 'd.active', values: { y: 'active', n: 'suspended' } },
    host: 's.server_name',
    charset: { column: 'd.database_charset', null: '' },
    size_limit_bytes: { column: 'd.database_quota', null: -1, unit: 'MB' },
    users: {
      columns: { owner: 'u.database_user', reader: 'r.database_user' },
      compute: ({ owner, reader }) => [owner, reader].filter(Boolean),
    },
    remote_access: { column: 'd.remote_access', true: 'y' },
  },
};
