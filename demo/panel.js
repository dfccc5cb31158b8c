const { randomBytes } = require('node:crypto');
const Koa = require('koa');
const {
  createAccountSection,
  createApiSection,
  createMcp,
  createMetrics,
  createPanelApi,
} = require('koa-panel-api');
const apiOptions = require('./api-options');
const demoToken = require('./demo-token');
const listen = require('./listen');
const openDatabase = require('./database');
const sampleCustomer = require('./seed/sample-customer');
const sampleTokens = require('./seed/sample-tokens');
const seed = require('./seed');
const dashboard = require('./pages/dashboard');
const layout = require('./pages/layout');
const lists = require('./pages/lists');
const login = require('./pages/login');
const settings = require('./pages/settings');
const stylesheet = require('./pages/stylesheet');
const stopOnSignal = require('./stop');

// The browser's language chooses.
const languages = { en: {}, de: {} };

async function start(db) {
  await seed(db);

  const app = new Koa();
  const api = createPanelApi(apiOptions(db));
  const password = process.env.DEMO_PASSWORD || randomBytes(6).toString('base64url');
  const section = createApiSection({
    api,
    authorize: (ctx) => (ctx.state.account ? null : ctx.state.actor),
    prefix: '/admin/api',
    languages,
    layout,
  });
  const accountSection = createAccountSection({
    api,
    account: (ctx) => ctx.state.account && { id: ctx.state.account.id, name: ctx.state.actor },
    prefix: '/my/api',
    languages,
    layout,
  });
  app.use(stylesheet);
  // Prometheus and assistants use tokens instead of a login.
  app.use(createMetrics({ api }).routes());
  app.use(createMcp({ api }).routes());
  app.use(login(password, await sampleCustomer(db)));
  app.use(api.routes());
  app.use(section.routes());
  app.use(accountSection.routes());
  app.use(settings(db, api));
  app.use(lists(db));
  app.use(dashboard(db, api));

  // The port comes before the token: a second start must not revoke the token of the running one.
  const server = await listen(app, process.env.PORT || '3000');
  await sampleTokens(db, api);
  const token = await demoToken(api);
  stopOnSignal(server, db, api);

  const { port } = server.address();
  console.log(`
The demo panel runs at http://127.0.0.1:${port}/ (Ctrl-C ends it). Sign in with the password ${password},
as the administrator or as a customer, and look under API. The API is on; try:

curl -s -H 'Authorization: Bearer ${token}' http://127.0.0.1:${port}/api/v1/domains.php
`);
}

const db = openDatabase();
start(db).catch(async (error) => {
  // A knex error begins with the whole statement and the values in it.
  console.error(error.message.split(' - ').at(-1));
  await db.destroy();
  process.exit(1);
});
