// The allow-list: all other settings in the table stay in the panel.
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
  // On purpose: the API shows that it is set, but never its value.
  'mail.smtp_password',
  'backups.retention_days',
  'backups.schedule',
  'dns.nameservers',
  'php.versions',
  'ssl.renew_days_before',
];
