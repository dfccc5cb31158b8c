const { once } = require('node:events');
const Koa = require('koa');
const { answerParent } = require('../../processes/answerParent');
const { LoopDelay } = require('../../processes/LoopDelay');

/**
 * Serves the middleware that `prepare` returns on a free port, and reports this process's resource use to the parent.
 */
function serve(prepare) {
  const loopDelay = new LoopDelay();
  let spent;

  answerParent({
    /** The port. */
    async start() {
      const app = new Koa();
      for (const middleware of await prepare()) app.use(middleware);
      const server = app.listen(0, '127.0.0.1');
      await once(server, 'listening');
      // A connection may be idle for any time between two stretches of load.
      server.keepAliveTimeout = 0;
      return server.address().port;
    },

    watch() {
      spent = process.cpuUsage();
      loopDelay.watch();
    },

    /** The CPU milliseconds and the event loop delay since `watch`. */
    async watched() {
      const { user, system } = process.cpuUsage(spent);
      return { cpuMs: (user + system) / 1000, loopDelay: await loopDelay.read() };
    },
  });
}

module.exports = { serve };
