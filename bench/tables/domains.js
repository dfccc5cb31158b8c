const { account, flag, gaps, key, secret, text, time, word } = require('./columns');

module.exports = {
  rows: 13_000,
  filter: 'status=suspended',
  columns: {
    id: key(),
    domain: text(253, "'customer-'", 'seq', "'.example.com'"),
    type: word('primary', 'addon', 'subdomain', 'alias'),
    ssl_status: word('active', 'expiring', 'none'),
    status: word(
      'active',
      'active',
      'active',
      'active',
      'active',
      'active',
      'active',
      'suspended',
      'pending',
    ),
    account_id: account(),
    parent_id: gaps(3, { ...key(), type: 'int unsigned' }),
    website_id: { ...key(), type: 'int unsigned' },
    dns_managed: flag('seq % 7 > 0'),
    dnssec_enabled: flag('seq % 3 = 0'),
    mail_enabled: flag('seq % 5 > 0'),
    registration_expires_at: gaps(4, time('2026-01-01', 61)),
    created_at: time('2021-01-01', 63),
    updated_at: time('2023-01-01', 67),
  },
  secrets: { registrar_auth_code: secret(), dnssec_private_key: secret() },
};
