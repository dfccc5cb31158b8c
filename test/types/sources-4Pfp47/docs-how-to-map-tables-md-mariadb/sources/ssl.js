const berlin = { zone: 'Europe/Berlin' };

/** @type {import('koa-panel-api').Sources['ssl']} */
module.exports = {
  table: 'certificate',
  fields: {
    common_name: 'name',
    status: {
      cases: [{ when: { revoked: true }, is: 'revoked' }],
      otherwise: { until: 'not_after', ...berlin },
    },
    expires_at: { column: 'not_after', ...berlin },
    // Otherwise the module derives it from `expires_at`.
    days_left: false,
  },
};
