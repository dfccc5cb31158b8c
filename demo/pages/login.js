const { createHash, randomBytes, timingSafeEqual } = require('node:crypto');
const { html } = require('./html');
const layout = require('./layout');
const readForm = require('./read-form');

const cookie = 'demo_session';
const sessions = new Map();

/**
 * The panel's own login. `ctx.state.actor` is the person who is signed in, and `ctx.state.account` the account of a
 * customer; others see no page.
 */
module.exports = function login(password, customer) {
  return async function loginMiddleware(ctx, next) {
    // The API uses tokens instead of a login.
    if (ctx.path.startsWith('/api/') || /^\/panel\.(css|svg)$/.test(ctx.path)) return next();
    ctx.set({
      'Content-Security-Policy': "frame-ancestors 'none'",
      'X-Content-Type-Options': 'nosniff',
      'X-Frame-Options': 'DENY',
    });
    Object.assign(ctx.state, sessions.get(ctx.cookies.get(cookie)));
    if (ctx.method === 'POST' && ctx.path === '/login') return signIn(ctx, password, customer);
    if (ctx.method === 'POST' && ctx.path === '/logout') return signOut(ctx);
    const { actor, account } = ctx.state;
    if (!actor) return showForm(ctx, customer, ctx.path === '/login' && ctx.method === 'GET' ? 200 : 401);
    // All other pages are the administrator's.
    if (account && !ctx.path.startsWith('/my/')) return goTo(ctx, '/my/api');
    return next();
  };
};

async function signIn(ctx, password, customer) {
  const fields = await readForm(ctx);
  if (!isSame(fields.get('password') ?? '', password))
    return showForm(ctx, customer, 401, 'The password is wrong.');
  const session = randomBytes(32).toString('base64url');
  const isCustomer = fields.get('as') === 'customer';
  sessions.set(session, isCustomer ? { actor: customer.username, account: customer } : { actor: 'admin' });
  ctx.cookies.set(cookie, session, { httpOnly: true, sameSite: 'strict' });
  goTo(ctx, '/');
}

function signOut(ctx) {
  sessions.delete(ctx.cookies.get(cookie));
  goTo(ctx, '/login');
}

function goTo(ctx, path) {
  ctx.status = 303;
  ctx.set('Location', path);
}

function showForm(ctx, { username }, status, problem) {
  ctx.status = status;
  ctx.type = 'html';
  ctx.body = layout({
    title: 'Sign in',
    ctx,
    content: html`<div class="card login"><h1 class="brand">Demo Panel</h1>
${problem ? html`<p class="problem" role="alert">${problem}</p>` : ''}
<form method="post" action="/login"><p><label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password" required autofocus aria-describedby="hint"></p>
<p><label for="as">Sign in as</label>
<select id="as" name="as"><option value="admin">the administrator</option><option value="customer">the customer ${username}</option></select></p>
<p><button class="primary">Sign in</button></p>
<p><small id="hint">The terminal that started the demo shows the password.</small></p></form></div>`,
  });
}

function isSame(one, other) {
  const digest = (text) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(one), digest(other));
}
