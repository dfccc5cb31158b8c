const { account, gaps, indexed, key, number, rare, secret, text, time, word } = require('./columns');

module.exports = {
  rows: 1_000_000,
  filter: 'status=failed',
  orders: ['finished_at'],
  columns: {
    id: key(),
    type: word('backup', 'restore', 'certificate', 'deploy', 'usage'),
    status: indexed(
      'status',
      word('succeeded', 'succeeded', 'succeeded', 'succeeded', 'succeeded', 'succeeded', 'failed'),
    ),
    account_id: account(),
    target_type: word('website', 'domain', 'database'),
    target_id: text(64, 'seq % 90000'),
    progress_percent: number('100', 'tinyint unsigned'),
    attempts: number('1 + seq % 3', 'tinyint unsigned'),
    max_attempts: number('5', 'tinyint unsigned'),
    queued_at: time('2024-01-01', 61),
    started_at: gaps(9, time('2024-01-01', 61)),
    finished_at: indexed('finished_at', gaps(9, time('2024-01-02', 61))),
    duration_ms: gaps(9, number('seq % 600000')),
    actor: word('system', 'admin', 'customer'),
    error: rare(7, text(255, "'The command ended with exit code '", '1 + seq % 100')),
  },
  secrets: { payload: secret() },
};
