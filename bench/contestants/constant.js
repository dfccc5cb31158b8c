const Router = require('@koa/router');
const Koa = require('koa');
const { serve } = require('../frame/serve');
const { envelope, me, nowSeconds, openPanelHandle, timeText } = require('./panel');

/** Koa with one handler that returns a constant: the answer of `me.php` for the first token, read at the start. */
async function createApp() {
  const db = openPanelHandle();
  const token = await db('panel_api_tokens').orderBy('id').first();
  await db.destroy();

  const now = nowSeconds();
  const rateLimit = { limit: 1e9, window_seconds: 60, remaining: 1e9 - 1, resets_at: timeText(now + 60) };
  const body = envelope('Token loaded.', me({ ...token, last_used_at: now }, rateLimit, '127.0.0.1'));

  const router = new Router({ prefix: '/api/v1' });
  router.get('/me.php', (ctx) => {
    ctx.body = body;
  });
  return new Koa().use(router.routes());
}

serve(createApp());
