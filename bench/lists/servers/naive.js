const Router = require('@koa/router');
const { openHandle } = require('../../database');
const { tables } = require('../../tables');
const { serve } = require('./serve');

/** What a panel developer writes in a minute: the same columns of the same rows, without token, limit or log. */
serve(() => {
  const db = openHandle(process.env.DATABASE_URL);
  const router = new Router({ prefix: '/api/v1' });
  for (const [name, { columns }] of Object.entries(tables)) {
    router.get(`/${name}.php`, async (ctx) => {
      const { count } = ctx.query;
      if (count) {
        const groups = await db(name).select({ word: count }).count({ rows: '*' }).groupBy(count);
        ctx.body = { data: { counts: Object.fromEntries(groups.map(({ word, rows }) => [word, rows])) } };
        return;
      }
      const rows = await db(name).select(Object.keys(columns));
      ctx.body = { data: { items: rows } };
    });
  }
  router.get('/me.php', (ctx) => {
    ctx.body = { data: {} };
  });
  return { routes: router.routes(), token: 'none', logged: {} };
});
