const Router = require('@koa/router');
const { envelope } = require('./panel/envelope');
const { me } = require('./panel/me');
const { nowSeconds } = require('./panel/nowSeconds');
const { openPanelHandle } = require('./panel/openPanelHandle');
const { timeText } = require('./panel/timeText');
const { serve } = require('./serve');

/** Koa with one handler that returns a constant: the answer of `me.php` for the first token, read at the start. */
serve(async () => {
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
  return [router.routes()];
});
