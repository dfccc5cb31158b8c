const { account, flag, gaps, key, list, number, secret, size, text, time, word } = require('./columns');

module.exports = {
  rows: 1_000_000,
  filter: 'status=suspended',
  columns: {
    id: key(),
    name: text(64, "'c'", 'seq % 5000', "'_db'", 'seq'),
    engine: word('mariadb', 'mysql', 'postgresql'),
    engine_version: word('10.11', '8.0', '16'),
    account_id: account(),
    website_id: gaps(3, number('seq')),
    status: word('active', 'active', 'active', 'active', 'suspended'),
    host: text(64, "'db'", 'seq % 4', "'.example.com'"),
    port: number('3306'),
    charset: word('utf8mb4', 'utf8mb3'),
    collation: word('utf8mb4_general', 'utf8mb3_general'),
    size_bytes: size(7_919),
    size_limit_bytes: gaps(6, size(1_048_576)),
    table_count: number('seq % 120'),
    users: list(255, "'c'", 'seq % 5000', "'_rw,c'", 'seq % 5000', "'_ro'"),
    remote_access: flag('seq % 8 = 0'),
    created_at: time('2021-01-01', 63),
    updated_at: time('2023-01-01', 67),
  },
  secrets: { password: secret() },
};
