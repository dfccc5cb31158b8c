// The part that the panels on all runtimes have in common. The first argument is the URL of the database.

const knex = require('knex');
const { createApiSection, createMcp, createMetrics, createPanelApi } = require('koa-panel-api');

const [, , url] = process.argv;
const file = /^sqlite:(.*)/.exec(url)?.[1];
const db = file
  ? knex({ client: 'better-sqlite3', connection: file, useNullAsDefault: true })
  : knex({ client: url.startsWith('postgres') ? 'pg' : 'mysql2', connection: url });
const lines = [];
const note = (message, facts) => lines.push({ message, ...facts });
const author = { actor: 'tester', origin: 'panel' };

const api = createPanelApi({
  db,
  deadlineMs: 30_000,
  logger: { info: note, warn: note, error: note },
  rateLimit: { requests: 100_000 },
  sources: { settings: { keys: ['panel.name'] } },
});
const section = createApiSection({
  api,
  prefix: '/admin/api',
  authorize: ({ req }) => (req.headers.cookie === 'admin=Ada' ? 'Ada' : null),
});

/** Everything that the module mounts. */
exports.mounts = [api, section, createMetrics({ api }), createMcp({ api })];

/** The texts of the panel's own answers. */
const own = {
  page: 'a page of the panel',
  missing: 'no page of the panel',
  failure: 'a failure of the panel',
};
exports.own = own;

/** Returns a function that answers with the first mount whose path it is, or returns undefined. */
exports.createAnswer = () => {
  const fetchers = exports.mounts.map((mount) => mount.fetcher());
  return (request, info) => {
    for (const fetcher of fetchers) {
      const answer = fetcher(request, info);
      if (answer) return answer;
    }
  };
};

/** The answer of the panel itself, as the servers of the runtimes want it. */
exports.ownAnswer = (request) => {
  const { pathname } = new URL(request.url);
  if (pathname === '/fails') throw new Error();
  return pathname === '/own' ? new Response(own.page) : new Response(own.missing, { status: 404 });
};

/** Tells the test where the panel listens. It can then ask for the lines of the log. The API is off at first. */
exports.listening = async (port) => {
  await api.settings.change({ assistantsEnabled: true }, author);
  const { token } = await api.tokens.create({ name: 'test', scopes: ['*'] }, author);
  process.on('message', () => process.send({ lines }));
  process.send({ url: `http://127.0.0.1:${port}`, token });
};
