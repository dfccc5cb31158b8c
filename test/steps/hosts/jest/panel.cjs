const { once } = require('node:events');
const Koa = require('koa');
const { knex } = require('knex');

/** Starts a panel whose own tests use the module. */
exports.startPanel = async function startPanel({ createPanelApi, createApiSection }) {
  const db = knex({ client: 'mysql2', connection: process.env.PANEL_API_DATABASE_URL });
  const lines = [];
  const log = (message, _fields) => lines.push(message);
  const api = createPanelApi({
    db,
    enabled: true,
    deadlineMs: 30_000,
    logger: { info: log, warn: log, error: log },
  });
  const app = new Koa();
  app.use(api.routes());
  app.use(createApiSection({ api, authorize: () => 'ann', prefix: '/admin/api' }).routes());
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${server.address().port}`;
  return {
    api,
    lines,
    async get(path, token) {
      const response = await fetch(url + path, { headers: { authorization: `Bearer ${token}` } });
      return { status: response.status, text: await response.text() };
    },
    async close() {
      await api.usage.flush();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await db.destroy();
    },
  };
};

/** Uses the API as a test of a panel does. Returns what was answered. */
exports.useApi = async function useApi(panel, InvalidInput) {
  const author = { actor: 'test', origin: 'panel' };
  const { token, record } = await panel.api.tokens.create({ name: 'test', scopes: ['*'] }, author);
  const list = await panel.get('/api/v1/domains.php', token);
  const page = await panel.get('/admin/api/tokens', token);
  const refused = await panel.api.tokens.create({ name: '', scopes: ['*'] }, author).catch((error) => error);
  await panel.api.tokens.revoke(record.id, author);
  const revoked = await panel.get('/api/v1/domains.php', token);
  return [
    list.status,
    JSON.parse(list.text).data.items[0].domain,
    page.status,
    refused instanceof InvalidInput,
    JSON.parse(revoked.text).error.code,
  ];
};
