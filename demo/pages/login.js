const { createHash, randomBytes, timingSafeEqual } = require('node:crypto');
const { html } = require('./html');
const layout = require('./layout');
const readForm = require('./read-form');

const cookie = 'demo_session';
const sessions = new Map();

/** The panel's own login. `ctx.state.actor` is the person who is signed in; others see no page. */
module.exports = function login(password) {
  return async function loginMiddleware(ctx, next) {
    // The API uses tokens instead of a login.
    if (ctx.path.startsWith('/api/') || /^\/panel\.(css|svg)$/.test(ctx.path)) return next();
    ctx.set({
      'Content-Security-Policy': "frame-ancestors 'none'",
      'X-Content-Type-Options': 'nosniff',
      'X-Frame-Options': 'DENY',
    });
    ctx.state.actor = sessions.get(ctx.cookies.get(cookie));
    if (ctx.method === 'POST' && ctx.path === '/login') return signIn(ctx, password);
    if (ctx.method === 'POST' && ctx.path === '/logout') return signOut(ctx);
    if (ctx.state.actor) return next();
    showForm(ctx, ctx.path === '/login' && ctx.method === 'GET' ? 200 : 401);
  };
};

async function signIn(ctx, password) {
  const fields = await readForm(ctx);
  if (!isSame(fields.get('password') ?? '', password)) return showForm(ctx, 401, 'The password is wrong.');
  const session = randomBytes(32).toString('base64url');
  sessions.set(session, 'admin');
  ctx.cookies.set(cookie, session, { httpOnly: true, sameSite: 'strict' });
  ctx.status = 303;
  ctx.set('Location', '/');
}

function signOut(ctx) {
  sessions.delete(ctx.cookies.get(cookie));
  ctx.status = 303;
  ctx.set('Location', '/login');
}

function showForm(ctx, status, problem) {
  ctx.status = status;
  ctx.type = 'html';
  ctx.body = layout({
    title: 'Sign in',
    ctx,
    content: html`<div class="card login"><h1 class="brand">Demo Panel</h1>
${problem ? html`<p class="problem" role="alert">${problem}</p>` : ''}
<form method="post" action="/login"><p><label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password" required autofocus aria-describedby="hint"></p>
<p><button class="primary">Sign in</button></p>
<p><small id="hint">The terminal that started the demo shows the password.</small></p></form></div>`,
  });
}

function isSame(one, other) {
  const digest = (text) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(one), digest(other));
}
