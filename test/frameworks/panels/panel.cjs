// The part that all panels have in common. The first argument is the file of the database.

const knex = require('knex');
const { createApiSection, createPanelApi } = require('koa-panel-api');

const db = knex({ client: 'better-sqlite3', connection: process.argv[2], useNullAsDefault: true });
const lines = [];
const note = (message, facts) => lines.push({ message, ...facts });
const author = { actor: 'tester', origin: 'panel' };

exports.api = createPanelApi({
  db,
  deadlineMs: 30_000,
  logger: { info: note, warn: note, error: note },
  enabled: true,
});
const sectionAt = (prefix) =>
  createApiSection({
    api: exports.api,
    prefix,
    authorize: ({ req }) => (req.headers.cookie === 'admin=Ada' ? 'Ada' : null),
  });
exports.section = sectionAt('/admin/api');
/** Next's functions are below `/api`. */
exports.sectionOfPages = sectionAt('/api/admin');

/** The texts of the panel's own answers. */
exports.own = {
  page: 'a page of the panel',
  missing: 'no page of the panel',
  failure: 'a failure of the panel',
};

/** Tells the test where the panel listens. It can then ask for the lines of the log. */
exports.listening = async (port) => {
  const { token } = await exports.api.tokens.create(
    { name: 'test', scopes: ['*'], rateLimit: 100_000 },
    author,
  );
  process.on('message', () => process.send({ lines }));
  process.send({ url: `http://127.0.0.1:${port}`, token });
};

/** Makes a server of Node's listen. */
exports.listen = (server) => server.listen(0, '127.0.0.1', () => exports.listening(server.address().port));
