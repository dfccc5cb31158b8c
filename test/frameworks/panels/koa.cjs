const { api, section, own, listen } = require('./panel.cjs');
const Koa = require(process.argv[3] ?? 'koa');

const app = new Koa();
app.silent = true;
app.use(async (ctx, next) => {
  try {
    await next();
  } catch {
    Object.assign(ctx, { status: 500, body: own.failure });
  }
});
app.use(api.routes()).use(section.routes());
app.use((ctx) => {
  if (ctx.path === '/fails') throw new Error();
  Object.assign(
    ctx,
    ctx.path === '/own' ? { status: 200, body: own.page } : { status: 404, body: own.missing },
  );
});
listen(require('node:http').createServer(app.callback()));
