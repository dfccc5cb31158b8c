const { createHash, randomUUID } = require('node:crypto');
const Router = require('@koa/router');
const Koa = require('koa');
const rateLimit = require('koa-ratelimit');
const { serve } = require('../frame/servers');
const { columnsOf, tables } = require('../frame/tables');
const { me, nowSeconds, openLog, openPanelHandle, timeText } = require('./panel');

/** What a good panel developer writes in an afternoon: the lists, with tokens, scopes, a limit and a log. */
const db = openPanelHandle();
const log = openLog();
const router = new Router({ prefix: '/api/v1' });
const requests = 1e9;
const windowSeconds = 60;
const pageRows = 100;

async function logRequest(ctx, next) {
  const began = performance.now();
  const requestId = randomUUID();
  ctx.set('X-Request-Id', requestId);
  try {
    await next();
  } finally {
    log.info('request', {
      request_id: requestId,
      token_id: ctx.state.token?.id,
      token_name: ctx.state.token?.name,
      method: ctx.method,
      route: ctx.path,
      status: ctx.status,
      milliseconds: performance.now() - began,
      address: ctx.ip,
    });
  }
}

async function authenticate(ctx, next) {
  const [, given] = /^Bearer (\S+)$/.exec(ctx.get('authorization')) ?? [];
  if (!given) ctx.throw(401, 'The token is missing.');
  const hash = createHash('sha256').update(given).digest();
  const token = await db('by_hand_tokens').where({ hash }).first();
  if (!token || token.revoked_at !== null) ctx.throw(401, 'The token is not valid.');
  const now = nowSeconds();
  if (token.expires_at !== null && token.expires_at <= now) ctx.throw(401, 'The token has expired.');
  await db('by_hand_tokens').where({ id: token.id }).update({ last_used_at: now });
  ctx.state.token = { ...token, last_used_at: now };
  await next();
}

const limitRate = rateLimit({
  driver: 'memory',
  db: new Map(),
  duration: windowSeconds * 1000,
  max: requests,
  id: (ctx) => String(ctx.state.token.id),
});

function requireScope(scope) {
  return (ctx, next) => {
    const scopes = ctx.state.token.scopes.split(' ');
    if (!scopes.includes('*') && !scopes.includes(scope)) ctx.throw(403, `The token lacks ${scope}.`);
    return next();
  };
}

const namesOf = (list) => columnsOf(list).map(({ name }) => name);
const [domainColumns, jobColumns] = [namesOf(tables.domains), namesOf(tables.jobs)];

const envelope = (message, data) => ({ success: true, message, data, timestamp: timeText(nowSeconds()) });

const time = (stored) => stored && `${stored.slice(0, 10)}T${stored.slice(11)}+00:00`;

router.use(logRequest, authenticate, limitRate);

router.get('/me.php', requireScope('profile.read'), (ctx) => {
  const window = {
    limit: requests,
    window_seconds: windowSeconds,
    remaining: Number(ctx.response.get('X-RateLimit-Remaining')),
    resets_at: timeText(Math.ceil(Number(ctx.response.get('X-RateLimit-Reset')))),
  };
  ctx.body = envelope('Token loaded.', me(ctx.state.token, window, ctx.ip));
});

router.get('/domains.php', requireScope('domains.read'), async (ctx) => {
  const rows = await db('domains')
    .select(domainColumns)
    .where({ account_id: Number(ctx.query.account_id) })
    .orderBy('id');
  for (const row of rows) {
    row.dns_managed = Boolean(row.dns_managed);
    row.dnssec_enabled = Boolean(row.dnssec_enabled);
    row.mail_enabled = Boolean(row.mail_enabled);
    row.registration_expires_at = time(row.registration_expires_at);
    row.created_at = time(row.created_at);
    row.updated_at = time(row.updated_at);
  }
  ctx.body = envelope('Domains loaded.', { resource: 'domains', items: rows });
});

router.get('/jobs.php', requireScope('jobs.read'), async (ctx) => {
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

serve(new Koa().use(router.routes()));
