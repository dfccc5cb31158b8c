/** Examples of each command, by its words behind `panel-api`, as `--help` shows them. */
export const examples = {
  'token create': [
    'token create --name Billing --scope accounts.read domains.read --expires 90d',
    'token create --name Backup --scope backups.read --allow 192.0.2.7 2001:db8::/32 --rate-limit 600',
  ],
  'token list': [
    'token list',
    'token list --expiring 14d',
    'token list --scope settings.read --account 7',
    'token list --state active --json',
  ],
  'token show': ['token show 7', 'token show 7 --json'],
  'token find': ['token find'],
  'token edit': ["token edit 7 --name 'Billing, new server' --allow 192.0.2.8"],
  'token extend': ['token extend 7 --expires 90d', 'token extend 7 --expires 2030-12-31'],
  'token rotate': ['token rotate 7', 'token rotate 7 --grace 7d --expires 90d'],
  'token duplicate': ['token duplicate 7 --name Staging'],
  'token revoke': ['token revoke 7'],
  settings: ['settings', 'settings --json'],
  'settings set': ['settings set rate_limit_requests 240', 'settings set default_expiry_days never'],
  audit: [
    'audit --since 7d',
    'audit --name billing --action token.revoked',
    'audit --actor Ada --since 2026-06-01 --until 2026-07-01',
  ],
  enable: ['enable'],
  disable: ['disable'],
  status: ['status', 'status --json'],
  migrate: ['migrate', 'migrate --down'],
  openapi: ['openapi --server https://panel.example > openapi.json'],
  check: ['check', 'check --verbose'],
  show: [
    'show accounts',
    'show domains status=active order=desc --fields domain,status --limit 5',
    'show domains --account 7 --json',
    'show accounts --sources',
  ],
} as const satisfies Readonly<Record<string, readonly string[]>>;
