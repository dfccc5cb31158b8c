const winston = require('winston');
const { openHandle } = require('../frame/database');
const { columnsOf, tables } = require('../frame/tables');

/** What the contestants share, because every panel has it: its handle, its logger, its columns. */

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

const nowSeconds = () => Math.floor(Date.now() / 1000);

/** Converts seconds since 1970 into RFC 3339. */
const timeText = (seconds) => `${new Date(seconds * 1000).toISOString().slice(0, 19)}+00:00`;

/** The names of the columns that an API may show. The tables have others, which it must not. */
const namesOf = (list) => columnsOf(list).map(({ name }) => name);
const [domainColumns, jobColumns] = [namesOf(tables.domains), namesOf(tables.jobs)];
const pageRows = 100;

const time = (stored) => stored && `${stored.slice(0, 10)}T${stored.slice(11)}+00:00`;

const envelope = (message, data) => ({ success: true, message, data, timestamp: timeText(nowSeconds()) });

/** Adds the lists as a panel developer writes them; `guards` returns the middleware that requires a scope. */
function addLists(router, db, guards = () => []) {
  router.get('/domains.php', ...guards('domains.read'), async (ctx) => {
    const rows = await db('domains')
      .select(domainColumns)
      .where({ account_id: Number(ctx.query.account_id) })
      .orderBy('id');
    for (const row of rows) {
      row.dns_managed = row.dns_managed === 1;
      row.dnssec_enabled = row.dnssec_enabled === 1;
      row.mail_enabled = row.mail_enabled === 1;
      row.registration_expires_at = time(row.registration_expires_at);
      row.created_at = time(row.created_at);
      row.updated_at = time(row.updated_at);
    }
    ctx.body = envelope('Domains loaded.', { resource: 'domains', items: rows });
  });

  router.get('/jobs.php', ...guards('jobs.read'), async (ctx) => {
    const rows = await db('jobs')
      .select(jobColumns)
      .where('id', '>', Number(ctx.query.after))
      .orderBy('id')
      .limit(pageRows + 1);
    const items = rows.slice(0, pageRows);
    for (const row of items) {
      row.queued_at = time(row.queued_at);
      row.started_at = time(row.started_at);
      row.finished_at = time(row.finished_at);
    }
    const next = rows.length > pageRows ? items.at(-1).id : null;
    ctx.body = envelope('Jobs loaded.', { resource: 'jobs', items, next_cursor: next });
  });
}

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

module.exports = { addLists, envelope, me, nowSeconds, openLog, openPanelHandle, timeText };
