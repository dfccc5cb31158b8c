const { createHash, randomUUID } = require('node:crypto');
const Router = require('@koa/router');
const Koa = require('koa');
const { RateLimiterMemory } = require('rate-limiter-flexible');
const { serve } = require('../frame/servers');
const { columnsOf, tables } = require('../frame/tables');
const { clock, counting, me, nowSeconds, openLog, openPanelHandle, timeText } = require('./panel');

/**
 * What the same developer has after a week: the promises of the module that a client or an administrator notices at
 * once, written by hand. STORE says where requests are counted. These promises are not kept:
 *
 * - The last use is stored once a minute. The module stores it once a second.
 * - The look-up reads one setting, the switch. The limit and its window stand in the program.
 * - The count is exact only while no clock is set back and the window keeps its length.
 * - A token has no accounts, no addresses from which alone it may be used, no successor and no events.
 * - There are no counts of use, deadlines, cancelled statements or shares of the connections.
 */
const db = openPanelHandle();
const log = openLog();
const LIMIT = 1e9;
const WINDOW_SECONDS = 60;
const USE_SECONDS = 60;
const PAGE_ROWS = 100;

/** An answer that is an error: all have one shape. */
class Refusal extends Error {
  constructor(status, code, message, headers = {}) {
    super(message);
    Object.assign(this, { status, code, headers });
  }
}

const invalidToken = (code, message) =>
  new Refusal(401, code, message, { 'WWW-Authenticate': 'Bearer realm="panel", error="invalid_token"' });

/** Writes one line when the answer was sent, or the client has left. */
async function logRequest(ctx, next) {
  const began = performance.now();
  const given = ctx.get('X-Request-Id');
  const requestId = /^[\w.-]{1,128}$/.test(given) ? given : randomUUID();
  ctx.set('X-Request-Id', requestId);
  ctx.res.once('close', () => {
    const { token, errorCode } = ctx.state;
    log[ctx.status === 500 ? 'error' : 'info']('request', {
      request_id: requestId,
      token_id: token?.id ?? null,
      token_name: token?.name ?? null,
      method: ctx.method,
      route: ctx._matchedRoute ?? null,
      status: ctx.status,
      error_code: errorCode ?? null,
      milliseconds: Math.round((performance.now() - began) * 1000) / 1000,
      bytes: ctx.length ?? 0,
      address: ctx.ip,
      ...(ctx.res.writableFinished ? {} : { aborted: true }),
    });
  });
  await next();
}

const now = () => timeText(nowSeconds());

/** Adds the headers of every answer, and turns each error into the one shape. */
async function answer(ctx, next) {
  ctx.set('Cache-Control', 'no-store');
  ctx.set('X-Content-Type-Options', 'nosniff');
  try {
    await next();
    if (ctx.status === 404) throw new Refusal(404, 'not_found', 'Unknown endpoint.');
  } catch (thrown) {
    const error =
      thrown instanceof Refusal ? thrown : new Refusal(500, 'internal_error', 'An internal error occurred.');
    if (error !== thrown) log.error('request failed', { error: thrown.message });
    ctx.state.errorCode = error.code;
    ctx.status = error.status;
    ctx.set(error.headers);
    ctx.body = { success: false, message: error.message, error: { code: error.code }, timestamp: now() };
  }
}

/** Answers with data and its ETag, or with 304 if the client has the data. */
function send(ctx, message, data) {
  const text = JSON.stringify(data);
  ctx.status = 200;
  // The ETag is that of the data, because the envelope contains the time.
  ctx.set('ETag', `W/"${createHash('sha256').update(text).digest('base64url')}"`);
  if (ctx.fresh) {
    ctx.status = 304;
    return;
  }
  ctx.set('Content-Type', 'application/json; charset=utf-8');
  ctx.body = `{"success":true,"message":${JSON.stringify(message)},"data":${text},"timestamp":"${now()}"}`;
}

/** Reads the switch of the API and the token in one statement. The database's clock decides whether it has expired. */
async function authenticate(ctx, next) {
  const [, bearer] = /^bearer +(\S+)$/i.exec(ctx.get('Authorization')) ?? [];
  const hash = bearer ? createHash('sha256').update(bearer).digest() : null;
  const found = await db({ setting: 'by_hand_settings' })
    .leftJoin({ token: 'by_hand_tokens' }, (join) => join.onVal('token.hash', hash))
    .where('setting.name', 'enabled')
    .first('token.*', 'setting.value as enabled', db.raw(`${clock} as clock`));
  if (found?.enabled !== 'true') throw new Refusal(503, 'api_disabled', 'The API is switched off.');
  if (!bearer) throw new Refusal(401, 'token_missing', 'Send a token.', { 'WWW-Authenticate': 'Bearer' });
  if (found.id === null) throw invalidToken('token_unknown', 'Unknown token.');
  ctx.state.token = found;
  if (found.revoked_at !== null) throw invalidToken('token_revoked', 'This token was revoked.');
  if (found.expires_at !== null && found.expires_at <= found.clock)
    throw invalidToken('token_expired', 'This token has expired.');
  if (found.last_used_at === null || found.last_used_at < found.clock - USE_SECONDS) storeUse(found, ctx.ip);
  found.last_used_at = found.clock;
  await next();
}

/** Stores the use of a token once a minute. No answer waits for it. */
function storeUse({ id, last_used_at: before }, address) {
  db('by_hand_tokens')
    .where({ id, last_used_at: before })
    .update({ last_used_at: db.raw(clock), last_used_address: address })
    .catch(({ message }) => log.error('last use not stored', { token_id: id, error: message }));
}

const memory = new RateLimiterMemory({ points: Number.MAX_SAFE_INTEGER, duration: WINDOW_SECONDS });

/** Counts a request exactly. Each returns the requests of the token in this window, and the seconds until it ends. */
const counters = {
  /** In the database: for all processes, and by its clock. A crash loses no count that was answered. */
  async database({ id, clock: readAt }) {
    const hits = counting.hitsOf(await db.raw(counting.sql, [id]));
    return { hits, secondsLeft: WINDOW_SECONDS - (readAt % WINDOW_SECONDS) };
  },

  async memory({ id }) {
    const { consumedPoints, msBeforeNext } = await memory.consume(id);
    return { hits: consumedPoints, secondsLeft: Math.max(1, Math.ceil(msBeforeNext / 1000)) };
  },
};
const count = counters[process.env.STORE];

async function limitRate(ctx, next) {
  const { token } = ctx.state;
  const limit = token.rate_limit ?? LIMIT;
  const { hits, secondsLeft } = await count(token);
  const remaining = Math.max(0, limit - hits);
  ctx.set('RateLimit-Policy', `"default";q=${limit};w=${WINDOW_SECONDS}`);
  ctx.set('RateLimit', `"default";r=${remaining};t=${secondsLeft}`);
  if (hits > limit)
    throw new Refusal(429, 'rate_limited', 'Too many requests.', { 'Retry-After': String(secondsLeft) });
  const resetsAt = timeText(token.clock + secondsLeft);
  ctx.state.rateLimit = { limit, window_seconds: WINDOW_SECONDS, remaining, resets_at: resetsAt };
  await next();
}

function requireScope(scope) {
  return (ctx, next) => {
    const scopes = ctx.state.token.scopes.split(' ');
    if (!scopes.includes('*') && !scopes.includes(scope))
      throw new Refusal(
        403,
        'scope_missing',
        `This token lacks the scope ${scope}. With profile.read, me.php shows what a token may do.`,
      );
    return next();
  };
}

function wholeNumber(ctx, name) {
  const text = ctx.query[name];
  if (!/^\d{1,15}$/.test(text)) throw new Refusal(400, 'query_invalid', `${name} must be a whole number.`);
  return Number(text);
}

/** How a stored value is shown, by the kind of its column; all other kinds as they are. */
const plain = (value) => value;
const shown = {
  word: (value) => value || 'unknown',
  flag: (value) => (value === null ? null : Boolean(value)),
  time: (value) =>
    value === null || value.startsWith('0000') ? null : `${value.slice(0, 10)}T${value.slice(11, 19)}+00:00`,
};

/** What the API shows of a row: each field is a column, and how to convert it. */
const fieldsOf = (list) => columnsOf(list).map(({ name, kind }) => [name, shown[kind] ?? plain]);
const [domainFields, jobFields] = [fieldsOf(tables.domains), fieldsOf(tables.jobs)];
const namesOf = (fields) => fields.map(([name]) => name);

function itemsOf(rows, fields) {
  return rows.map((row) => {
    const item = {};
    for (const [name, show] of fields) item[name] = show(row[name]);
    return item;
  });
}

const router = new Router({ prefix: '/api/v1' });

router.get('/me.php', requireScope('profile.read'), (ctx) => {
  send(ctx, 'Token loaded.', me(ctx.state.token, ctx.state.rateLimit, ctx.ip));
});

router.get('/domains.php', requireScope('domains.read'), async (ctx) => {
  const rows = await db('domains')
    .select(namesOf(domainFields))
    .where({ account_id: wholeNumber(ctx, 'account_id') })
    .orderBy('id');
  send(ctx, 'Domains loaded.', { resource: 'domains', items: itemsOf(rows, domainFields) });
});

router.get('/jobs.php', requireScope('jobs.read'), async (ctx) => {
  const rows = await db('jobs')
    .select(namesOf(jobFields))
    .where('id', '>', wholeNumber(ctx, 'after'))
    .orderBy('id')
    .limit(PAGE_ROWS + 1);
  const items = itemsOf(rows.slice(0, PAGE_ROWS), jobFields);
  const next = rows.length > PAGE_ROWS ? items.at(-1).id : null;
  if (next !== null) ctx.set('Link', `<jobs.php?limit=${PAGE_ROWS}&after=${next}>; rel="next"`);
  send(ctx, 'Jobs loaded.', { resource: 'jobs', items, next_cursor: next });
});

serve(new Koa().use(logRequest).use(answer).use(authenticate).use(limitRate).use(router.routes()));
