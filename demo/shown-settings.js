// The allow-list: whatever else the settings table holds stays in the panel.
module.exports = [
  'panel.name',
  'panel.url',
  'panel.language',
  'panel.timezone',
  'panel.maintenance_mode',
  'panel.session_minutes',
  'accounts.default_plan',
  'accounts.max_login_attempts',
  'mail.hostname',
  'mail.max_message_bytes',
  'mail.spam_threshold',
  // Listed on purpose: the API answers that it is set, never what it is.
  'mail.smtp_password',
  'backups.retention_days',
  'backups.schedule',
  'dns.nameservers',
  'php.versions',
  'ssl.renew_days_before',
];
