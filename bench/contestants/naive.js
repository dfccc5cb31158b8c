const Router = require('@koa/router');
const Koa = require('koa');
const { openHandle } = require('../frame/database');
const { serve } = require('../frame/servers');
const { columnsOf, tables } = require('../frame/tables');

/** What a panel developer writes in a minute: the same columns of the same rows, without token, limit or log. */
const db = openHandle(process.env.DATABASE_URL);
const router = new Router({ prefix: '/api/v1' });

for (const list of Object.values(tables)) {
  const { name } = list;
  const columns = columnsOf(list).map((column) => column.name);
  router.get(`/${name}.php`, async (ctx) => {
    const { count } = ctx.query;
    if (count) {
      const groups = await db(name).select({ word: count }).count({ rows: '*' }).groupBy(count);
      ctx.body = { data: { counts: Object.fromEntries(groups.map(({ word, rows }) => [word, rows])) } };
      return;
    }
    ctx.body = { data: { items: await db(name).select(columns) } };
  });
}

router.get('/me.php', (ctx) => {
  ctx.body = { data: {} };
});

serve(new Koa().use(router.routes()));
