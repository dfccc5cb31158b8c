const { account, flag, gaps, key, list, number, rare, secret, size, text, time, word } = require('./columns');

module.exports = {
  rows: 1_000_000,
  filter: 'status=failed',
  columns: {
    id: key(),
    account_id: account(),
    website_id: gaps(3, number('seq')),
    scope: word('account', 'website', 'database'),
    contents: list(100, "'files,databases,email'"),
    trigger: word('scheduled', 'scheduled', 'manual'),
    method: word('full', 'incremental'),
    status: word('succeeded', 'succeeded', 'succeeded', 'succeeded', 'partial', 'failed'),
    started_at: time('2024-01-01', 61),
    finished_at: gaps(9, time('2024-01-02', 61)),
    duration_ms: gaps(9, number('seq % 600000')),
    size_bytes: size(104_729),
    storage: word('local', 's3', 'sftp'),
    file_name: text(255, "'backup-'", 'seq', "'.tar.zst'"),
    encrypted: flag('seq % 2'),
    verified: flag('seq % 3 = 0'),
    expires_at: time('2025-01-01', 61),
    error: rare(6, text(255, "'The storage did not answer for '", 'seq % 60', "' seconds'")),
  },
  secrets: { encryption_key: secret() },
};
