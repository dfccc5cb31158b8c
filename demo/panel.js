const Koa = require('koa');
const { createPanelApi } = require('koa-panel-api');
const demoToken = require('./demo-token');
const home = require('./home');
const listen = require('./listen');
const logger = require('./log');
const openDatabase = require('./database');
const seed = require('./seed');
const shownSettings = require('./shown-settings');
const stopOnSignal = require('./stop');

async function start(db) {
  await seed(db);

  const app = new Koa();
  const api = createPanelApi({
    db,
    logger,
    panel: { name: 'Demo Panel', version: '1.0.0' },
    sources: { settings: { keys: shownSettings } },
  });
  app.use(api.routes());
  app.use(home);

  // The port comes before the token: a second start must not revoke the token of the running one.
  const server = await listen(app, process.env.PORT || '3000');
  const token = await demoToken(api);
  stopOnSignal(server, db, api);

  const { port } = server.address();
  console.log(`
The demo panel runs at http://127.0.0.1:${port}/ (Ctrl-C ends it). Its API is on; try:

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
