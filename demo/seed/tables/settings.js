const { day } = require('../time');

// key, label, type, value; the group is the part of the key before the dot.
const settings = [
  ['panel.name', 'Name of the panel', 'string', 'Demo Panel'],
  ['panel.url', 'Address of the panel', 'string', 'https://panel.example.org:8443'],
  ['panel.language', 'Language', 'string', 'en'],
  ['panel.timezone', 'Time zone', 'string', 'Europe/Berlin'],
  ['panel.maintenance_mode', 'Maintenance mode', 'boolean', '0'],
  ['panel.session_minutes', 'Session length in minutes', 'integer', '60'],
  ['panel.session_secret', 'Session secret', 'string', 'secret'],
  ['panel.license_key', 'Licence key', 'string', 'secret'],
  ['accounts.default_plan', 'Plan of new accounts', 'string', 'starter'],
  ['accounts.max_login_attempts', 'Failed logins before a block', 'integer', '5'],
  ['accounts.password_min_length', 'Shortest password', 'integer', '12'],
  ['mail.hostname', 'Mail host', 'string', 'mail.example.org'],
  ['mail.max_message_bytes', 'Largest message', 'integer', '52428800'],
  ['mail.spam_threshold', 'Spam threshold', 'number', '6.5'],
  ['mail.smtp_host', 'Relay', 'string', 'smtp.example.org'],
  ['mail.smtp_user', 'User at the relay', 'string', 'panel'],
  ['mail.smtp_password', 'Password at the relay', 'string', 'secret'],
  ['backups.retention_days', 'Days to keep backups', 'integer', '30'],
  ['backups.schedule', 'Schedule', 'string', '0 2 * * *'],
  ['backups.encryption_passphrase', 'Passphrase', 'string', 'secret'],
  ['backups.s3_bucket', 'Bucket', 'string', 'panel-backups'],
  ['backups.s3_access_key', 'Access key', 'string', 'secret'],
  ['backups.s3_secret_key', 'Secret key', 'string', 'secret'],
  ['dns.nameservers', 'Name servers', 'list', '["ns1.example.org","ns2.example.org"]'],
  ['dns.default_ttl', 'Default TTL', 'integer', '3600'],
  ['dns.tsig_key', 'TSIG key', 'string', 'secret'],
  ['php.versions', 'PHP versions', 'list', '["8.2","8.3","8.4"]'],
  ['ssl.renew_days_before', 'Renew this many days before the end', 'integer', '30'],
  ['ssl.acme_account_key', 'ACME account key', 'string', 'secret'],
  ['billing.webhook_token', 'Token of the billing webhook', 'string', null],
];

function columns(table) {
  table.string('key', 64).primary();
  table.string('group', 32);
  table.string('label');
  table.string('type', 16);
  table.text('value');
  table.datetime('updated_at');
}

function rows({ random, now, at }) {
  return settings.map(([key, label, type, value]) => ({
    key,
    group: key.split('.')[0],
    label,
    type,
    value: value === 'secret' ? random.secret() : value,
    updated_at: at(now - random.integer(1, 400) * day),
  }));
}

module.exports = { columns, rows };
