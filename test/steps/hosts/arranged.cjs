const { createServer } = require('node:http');
const Koa = require('koa');
const { knex } = require('knex');
const { createApiSection, createPanelApi } = require('koa-panel-api');
const { arrangements } = require('./arrangements.cjs');

/**
 * Serves one API in every arrangement on one port, and prints the port. A request names its arrangement in the header
 * `X-Arrangement`. The panel's own page is `/errors`: what reached the error handling of its app.
 */
const connection = process.env.PANEL_API_DATABASE_URL;
const db = knex({ client: connection.startsWith('postgres') ? 'pg' : 'mysql2', connection });
const silent = () => undefined;
const api = createPanelApi({
  db,
  deadlineMs: 30_000,
  logger: { info: silent, warn: silent, error: silent },
  enabled: true,
  rateLimit: { requests: 1_000_000, windowSeconds: 86_400 },
  // Long enough to be sent in pieces.
  sources: { jobs: { table: 'long_list', fields: { id: 'id', type: 'type', status: 'status' } } },
});
const section = createApiSection({ api, authorize: () => 'ann', prefix: '/admin/api' });
const handlers = Object.fromEntries(
  Object.entries(arrangements).map(([name, { mount }]) => [name, handlerOf(mount)]),
);

function handlerOf(mount) {
  const app = new Koa();
  const errors = [];
  app.on('error', ({ message }) => errors.push(message));
  app.use(async (ctx, next) => {
    if (ctx.path === '/errors') ctx.body = errors;
    else await next();
  });
  mount(app, [api.routes(), section.routes()]);
  return app.callback();
}

const server = createServer((request, response) => {
  handlers[request.headers['x-arrangement']](request, response);
});
server.listen(0, '127.0.0.1', () => console.log(server.address().port));
server.keepAliveTimeout = 60_000;
process.once('SIGTERM', () => {
  server.close(() => db.destroy());
  server.closeAllConnections();
});
