const Koa = require('koa');
const { knex } = require('knex');
const { createLogger, transports } = require('winston');

/** Serves the API and its section on a free port, prints the port, and closes everything on SIGTERM. */
exports.listen = function listen({ createApiSection, createPanelApi }) {
  const db = knex({ client: 'mysql2', connection: process.env.PANEL_API_DATABASE_URL });
  const logger = createLogger({ transports: [new transports.Stream({ stream: process.stderr })] });
  const app = new Koa();
  const api = createPanelApi({ db, logger, deadlineMs: 30_000 });
  app.use(api.routes());
  app.use(createApiSection({ api, authorize: () => null, prefix: '/admin/api' }).routes());
  const server = app.listen(0, '127.0.0.1', () => console.log(server.address().port));
  process.once('SIGTERM', () => {
    server.close(() => db.destroy());
    server.closeAllConnections();
  });
};
