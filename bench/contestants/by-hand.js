const { createHash, randomUUID } = require('node:crypto');
const Router = require('@koa/router');
const Koa = require('koa');
const rateLimit = require('koa-ratelimit');
const { serve } = require('../frame/serve');
const { addLists, envelope, me, nowSeconds, openLog, openPanelHandle, timeText } = require('./panel');

/** What a good panel developer writes in an afternoon: the lists, with tokens, scopes, a limit and a log. */
const db = openPanelHandle();
const log = openLog();
const router = new Router({ prefix: '/api/v1' });
const requests = 1e9;
const windowSeconds = 60;

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
  const token = await db('panel_api_tokens').where({ hash }).first();
  if (!token || token.revoked_at !== null) ctx.throw(401, 'The token is not valid.');
  const now = nowSeconds();
  if (token.expires_at !== null && token.expires_at <= now) ctx.throw(401, 'The token has expired.');
  await db('panel_api_tokens').where({ id: token.id }).update({ last_used_at: now });
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

addLists(router, db, (scope) => [requireScope(scope)]);

serve(new Koa().use(router.routes()));
