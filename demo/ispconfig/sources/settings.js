// @ts-check

/** @type {import('koa-panel-api').Sources['settings']} */
module.exports = {
  keys: ['db.db_version', 'interface.session_timeout'],
  query: (knex) => knex('sys_config as c'),
  fields: {
    key: { columns: { group: 'c.group', name: 'c.name' }, compute: ({ group, name }) => `${group}.${name}` },
    group: 'c.group',
    label: {
      column: 'c.name',
      values: { db_version: 'Version of ISPConfig', session_timeout: 'Minutes until a session ends' },
      otherwise: null,
    },
    type: { column: 'c.name', values: { session_timeout: 'integer' }, otherwise: 'string' },
    value: 'c.value',
  },
};
