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
exports.section = createApiSection({
  api: exports.api,
  prefix: '/admin/api',
  authorize: ({ req }) => (req.headers.cookie === 'admin=Ada' ? 'Ada' : null),
});

/** Answers for the API and the section; undefined for a path of the panel. */
const answerWith = (options) => {
  const [answerApi, answerSection] = [exports.api.fetcher(options), exports.section.fetcher(options)];
  return (request, info) => answerApi(request, info) ?? answerSection(request, info);
};
exports.answer = answerWith({});
/** The same for a host that does not say from where a request came. */
exports.answerBehindProxy = answerWith({ proxies: 1 });
/** Adds to a request what a proxy in front of the panel would. */
exports.asProxy = ({ headers, socket }, _response, next) => {
  const forwarded = headers['x-forwarded-for'];
  headers['x-forwarded-for'] = `${forwarded ? `${forwarded}, ` : ''}${socket.remoteAddress}`;
  next?.();
};

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
