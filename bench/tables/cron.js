const { account, flag, gaps, key, number, secret, text, time, word } = require('./columns');

// Whether a command is masked is no panel's column: it is the module's to work out.
module.exports = {
  rows: 1_000_000,
  filter: 'last_status=failed',
  columns: {
    id: key(),
    account_id: account(),
    website_id: gaps(3, number('seq')),
    name: text(100, "'Task '", 'seq'),
    schedule: text(64, 'seq % 60', "' '", 'seq % 24', "' * * *'"),
    timezone: word('Europe/Berlin', 'UTC', 'America/Chicago'),
    type: word('command', 'script'),
    command: text(255, "'/usr/bin/php /home/c'", 'seq % 5000', "'/www/cron.php'"),
    run_as: text(32, "'c'", 'seq % 5000'),
    enabled: flag('seq % 10 > 0'),
    last_run_at: gaps(5, time('2024-01-01', 61)),
    next_run_at: time('2026-01-01', 61),
    last_status: word('succeeded', 'succeeded', 'succeeded', 'succeeded', 'failed'),
    last_exit_code: number('seq % 3'),
    last_duration_ms: number('seq % 60000'),
    created_at: time('2021-01-01', 63),
    updated_at: time('2023-01-01', 67),
  },
  secrets: { environment: secret() },
};
