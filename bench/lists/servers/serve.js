const { once } = require('node:events');
const Koa = require('koa');
const { answerParent, LoopDelay } = require('../../processes');

/** Serves the routes that `prepare` returns on a free port, and lets the parent measure this process. */
function serve(prepare) {
  let logged;
  const loopDelay = new LoopDelay();

  answerParent({
    async start() {
      const { routes, token, logged: counts } = await prepare();
      logged = counts;
      const server = new Koa().use(routes).listen(0, '127.0.0.1');
      await once(server, 'listening');
      // After a blocked event loop, Node would otherwise close connections with waiting requests.
      server.keepAliveTimeout = 0;
      return { url: `http://127.0.0.1:${server.address().port}/api/v1`, token };
    },

    logged: () => logged,

    collectGarbage: () => globalThis.gc(),

    watchDelay: () => loopDelay.watch(),

    delay: () => loopDelay.read(),
  });
}

module.exports = { serve };
