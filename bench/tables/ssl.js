const { account, flag, gaps, key, list, number, rare, secret, text, time, word } = require('./columns');

// The days left are no panel's column: they are the module's to work out.
// Some optional fields have no column: with them, the text of a million rows would be longer than a string can be.
module.exports = {
  rows: 1_000_000,
  filter: 'status=failed',
  columns: {
    id: key(),
    common_name: text(253, "'customer-'", 'seq', "'.example.com'"),
    sans: list(255, "'customer-'", 'seq', "'.example.com,www.customer-'", 'seq', "'.example.com'"),
    account_id: account(),
    website_id: gaps(3, number('seq')),
    type: word('acme', 'acme', 'custom'),
    issuer: word('R10', 'R11', 'E5'),
    status: word('valid', 'valid', 'valid', 'valid', 'valid', 'expiring', 'failed'),
    issued_at: time('2025-01-01', 61),
    expires_at: gaps(7, time('2025-04-01', 61)),
    auto_renew: flag('seq % 3 > 0'),
    last_error: rare(7, text(100, "'No answer at customer-'", 'seq', "'.example.com'")),
    key_type: word('ecdsa-p256', 'rsa-2048'),
    fingerprint_sha256: {
      ...secret(),
      value: "sha2(concat('certificate', seq), 256)",
      shown: (value) => value,
    },
    created_at: time('2021-01-01', 63),
    updated_at: time('2023-01-01', 67),
  },
  secrets: { private_key: secret() },
};
