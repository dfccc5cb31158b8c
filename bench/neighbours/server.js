const { once } = require('node:events');
const { join } = require('node:path');
const Koa = require('koa');
const { openHandle } = require('../database');
const { answerParent } = require('../processes');

const { createPanelApi } = require(process.env.MODULE);

process.env.PATH = `${join(__dirname, 'programs')}:${process.env.PATH}`;

/** A panel with a page of its own, the API with its default limit, and a token for each of two clients. */
answerParent({
  async start() {
    const db = openHandle(process.env.DATABASE_URL);
    const ignore = () => undefined;
    const api = createPanelApi({ db, logger: { info: ignore, warn: ignore, error: ignore }, enabled: true });
    const app = new Koa().use(api.routes()).use((ctx) => {
      ctx.body = 'own page';
    });
    const server = app.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const author = { actor: 'benchmark', origin: 'panel' };
    const token = async (name, request) =>
      (await api.tokens.create({ name, scopes: ['*'], ...request }, author)).token;
    const tokens = [await token('neighbour', { rateLimit: 1_000_000 }), await token('worst')];
    return { url: `http://127.0.0.1:${server.address().port}`, tokens };
  },
});
