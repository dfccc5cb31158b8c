const { createPanelApi } = require('../../..');
const { openHandle } = require('../../database');
const { tables } = require('../../tables');
const { serve } = require('./serve');

const logged = { info: 0, warn: 0, error: 0 };
const logger = {
  info: () => logged.info++,
  warn: () => logged.warn++,
  error: () => logged.error++,
};

/** The module as a panel mounts it, with a limit that is never reached. */
serve(async () => {
  const db = openHandle(process.env.DATABASE_URL);
  const sources = Object.fromEntries(
    Object.entries(tables).map(([name, { orders = [] }]) => [name, { orders }]),
  );
  const api = createPanelApi({ db, logger, sources, enabled: true, rateLimit: { requests: 1e9 } });
  const author = { actor: 'benchmark', origin: 'panel' };
  const { token } = await api.tokens.create({ name: 'Benchmark', scopes: ['*'] }, author);
  return { routes: api.routes(), token, logged };
});
