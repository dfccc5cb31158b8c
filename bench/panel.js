const { once } = require('node:events');
const winston = require('winston');
const { openHandle } = require('./database');
const { answerParent, LoopDelay } = require('./processes');
const { tables } = require('./tables');

/** What the contestants share, because every panel has it: its handle, its logger, its columns, its server. */

/** The panel's handle. It returns times as texts, because that is the cheapest way. */
function openPanelHandle() {
  return openHandle(`${process.env.DATABASE_URL}?dateStrings=true`);
}

/** winston with one line of JSON per entry, written to a file. */
function openLog() {
  return winston.createLogger({
    format: winston.format.combine(winston.format.timestamp(), winston.format.json()),
    transports: [new winston.transports.File({ filename: process.env.LOG_FILE })],
  });
}

/** The columns that an API may show. The tables have others, which it must not. */
const domainColumns = Object.keys(tables.domains.columns);
const jobColumns = Object.keys(tables.jobs.columns);

const nowSeconds = () => Math.floor(Date.now() / 1000);

/** Converts seconds since 1970 into RFC 3339. */
const timeText = (seconds) => `${new Date(seconds * 1000).toISOString().slice(0, 19)}+00:00`;

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

/** The data of `me.php`, with the fields of the module. */
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

/** Serves the Koa application on a free port, and reports this process's resource use to the benchmark. */
function serve(app) {
  const loopDelay = new LoopDelay();
  let spent;

  answerParent({
    /** The port. */
    async start() {
      const server = (await app).listen(0, '127.0.0.1');
      await once(server, 'listening');
      // A connection may be idle for any time.
      server.keepAliveTimeout = 0;
      return server.address().port;
    },

    watch() {
      spent = process.cpuUsage();
      loopDelay.watch();
    },

    /** The CPU milliseconds and the event loop delay since `watch`. */
    async watched() {
      const { user, system } = process.cpuUsage(spent);
      return { cpuMs: (user + system) / 1000, loopDelay: await loopDelay.read() };
    },
  });
}

module.exports = { domainColumns, jobColumns, me, nowSeconds, openLog, openPanelHandle, serve, timeText };
