const { flag, gaps, key, number, secret, size, text, time, word } = require('./columns');

// Some optional fields have no column: with them, the text of a million rows would be longer than a string can be.
module.exports = {
  rows: 1_000_000,
  filter: 'status=suspended',
  columns: {
    id: key(),
    username: text(32, "'c'", 'seq'),
    email: text(253, "'owner-'", 'seq', "'@example.com'"),
    name: text(100, "'Müller & Søn '", 'seq'),
    role: word('customer', 'customer', 'customer', 'customer', 'reseller'),
    status: word('active', 'active', 'active', 'active', 'active', 'active', 'suspended'),
    owner_id: gaps(2, number('1 + seq % 40')),
    plan: word('Small', 'Medium', 'Large'),
    primary_domain: text(253, "'customer-'", 'seq', "'.example.com'"),
    disk_used_bytes: size(7_919),
    disk_limit_bytes: gaps(6, size(1_048_576)),
    bandwidth_used_bytes: size(104_729),
    domain_count: number('seq % 12'),
    mailbox_count: number('seq % 50'),
    database_count: number('seq % 8'),
    two_factor_enabled: flag('seq % 3 = 0'),
    last_login_at: gaps(5, time('2024-01-01', 61)),
    created_at: time('2021-01-01', 63),
    updated_at: time('2023-01-01', 67),
  },
  secrets: { password: secret(), two_factor_secret: secret() },
};
