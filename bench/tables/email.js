const { account, flag, gaps, key, list, number, rare, secret, size, text, time, word } = require('./columns');

module.exports = {
  rows: 500_000,
  filter: 'status=suspended',
  columns: {
    id: key(),
    address: text(253, "'mailbox-'", 'seq', "'@customer-'", 'seq % 13000', "'.example.com'"),
    domain: text(253, "'customer-'", 'seq % 13000', "'.example.com'"),
    account_id: account(),
    type: word('mailbox', 'mailbox', 'mailbox', 'forwarder', 'alias'),
    status: word('active', 'active', 'active', 'active', 'active', 'active', 'suspended'),
    quota_bytes: gaps(6, size(1_048_576)),
    used_bytes: size(7_919),
    forward_to: rare(4, list(255, "'other-'", 'seq', "'@example.net,archive@example.net'")),
    keep_copy: flag('seq % 2'),
    autoresponder_enabled: flag('seq % 11 = 0'),
    send_limit_per_day: gaps(3, number('100 + seq % 900')),
    last_login_at: gaps(5, time('2024-01-01', 61)),
    created_at: time('2021-01-01', 63),
    updated_at: time('2023-01-01', 67),
  },
  secrets: { password: secret() },
};
