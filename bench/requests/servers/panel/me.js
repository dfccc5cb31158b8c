const { timeText } = require('./timeText');

const scopes = {
  me: 'profile.read',
  accounts: 'accounts.read',
  domains: 'domains.read',
  websites: 'websites.read',
  email: 'email.read',
  databases: 'databases.read',
  ssl: 'ssl.read',
  backups: 'backups.read',
  jobs: 'jobs.read',
  cron: 'cron.read',
  services: 'services.read',
  settings: 'settings.read',
  health: 'platform.read',
  'server-health': 'platform.read',
  openapi: 'platform.read',
  'release-audit': 'platform.read',
};

/** The answer of `me.php`, with the fields of the module. */
function me(token, rateLimit, clientIp) {
  const granted = token.scopes.split(' ');
  return {
    resource: 'me',
    token: {
      id: token.id,
      name: token.name,
      prefix: token.prefix,
      scopes: granted,
      created_at: timeText(token.created_at),
      created_by: token.created_by,
      expires_at: token.expires_at && timeText(token.expires_at),
      last_used_at: token.last_used_at && timeText(token.last_used_at),
    },
    endpoints: Object.entries(scopes).map(([name, scope]) => ({
      path: `/api/v1/${name}.php`,
      scope,
      allowed: granted.includes('*') || granted.includes(scope),
    })),
    rate_limit: rateLimit,
    allowed_ips: [],
    account_id: null,
    client_ip: clientIp,
    panel: { name: 'panel', version: 'unknown' },
    api_version: 'v1',
  };
}

module.exports = { me };
