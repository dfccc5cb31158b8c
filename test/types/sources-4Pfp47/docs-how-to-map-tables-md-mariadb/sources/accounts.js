/** @type {import('koa-panel-api').Sources['accounts']} */
module.exports = {
  fields: {
    domain_count: { count: 'domains' },
    mailbox_count: { count: 'email', where: { type: 'mailbox' } },
  },
};
