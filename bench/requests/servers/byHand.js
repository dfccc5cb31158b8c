const Router = require('@koa/router');
const { authenticate } = require('./afternoon/authenticate');
const { limitRequests } = require('./afternoon/limitRequests');
const { logRequests } = require('./afternoon/logRequests');
const { requireScope } = require('./afternoon/requireScope');
const { showMe } = require('./afternoon/showMe');
const { openLog } = require('./openLog');
const { lists } = require('./panel/lists');
const { openPanelHandle } = require('./panel/openPanelHandle');
const { serve } = require('./serve');

/** What a good panel developer writes in an afternoon: the lists with tokens, scopes, a limit and a log. */
serve(() => {
  const db = openPanelHandle();
  const { domains, jobs } = lists(db);
  const router = new Router({ prefix: '/api/v1' });
  router.use(logRequests(openLog()), authenticate(db), limitRequests());
  router.get('/me.php', requireScope('profile.read'), showMe);
  router.get('/domains.php', requireScope('domains.read'), domains);
  router.get('/jobs.php', requireScope('jobs.read'), jobs);
  return [router.routes()];
});
