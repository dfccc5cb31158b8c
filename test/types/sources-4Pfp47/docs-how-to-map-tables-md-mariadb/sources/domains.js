const constants = /** @type {const} */ ({ ssl_status: { value: 'unknown' }, status: { value: 'active' } });

/** @type {import('koa-panel-api').Sources['domains']} */
module.exports = [
  {
    table: 'domain',
    fields: { domain: 'name', type: { value: 'primary' }, account_id: 'owner', ...constants },
  },
  {
    table: 'domain_alias',
    fields: {
      domain: 'name',
      type: { value: 'alias' },
      parent_id: { column: 'domain_id', part: 0 },
      ...constants,
    },
  },
];
