/** @type {import('koa-panel-api').Sources['databases']} */
module.exports = {
  table: 'web_database',
  fields: {
    id: 'database_id',
    name: 'db_name',
    engine: { value: 'mariadb' },
    account_id: 'owner',
  },
};
