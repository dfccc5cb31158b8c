const Router = require('@koa/router');
const { lists } = require('./panel/lists');
const { openPanelHandle } = require('./panel/openPanelHandle');
const { serve } = require('./serve');

/** The same rows without token, limit or log. */
serve(() => {
  const { domains, jobs } = lists(openPanelHandle());
  const router = new Router({ prefix: '/api/v1' });
  router.get('/domains.php', domains);
  router.get('/jobs.php', jobs);
  return [router.routes()];
});
