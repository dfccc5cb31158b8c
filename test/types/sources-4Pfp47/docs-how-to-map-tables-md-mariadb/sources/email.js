/** @type {import('koa-panel-api').Sources['email']} */
module.exports = {
  table: 'mailbox',
  fields: {
    type: { value: 'mailbox' },
    // 0 means that it belongs to no account.
    account_id: { column: 'owner', null: 0 },
    status: { column: 'state', values: { y: 'active', n: 'suspended' } },
    quota_bytes: { column: 'quota_mb', unit: 'MB', null: -1 },
    // Each text names its unit. Without one, it is in bytes.
    used_bytes: { column: 'used', unit: 'text' },
    // Anything but y is false.
    autoresponder_enabled: { column: 'reply', true: 'y' },
    forward_to: { column: 'copies', separator: ';' },
    last_login_at: { column: 'seen', time: 'unix' },
    // Without a zone, the times of a DATETIME are taken for UTC.
    created_at: { column: 'added', zone: 'Europe/Berlin' },
    updated_at: { column: 'changed', time: 'DD.MM.YYYY hh:mm', zone: 'Europe/Berlin' },
  },
};
