const { once } = require('node:events');
const Koa = require('koa');
const { answerParent } = require('../../processes/answerParent');
const { LoopDelay } = require('../../processes/LoopDelay');

/** Serves the middleware that `prepare` returns on a free port, and reports to the parent what this process spends. */
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
      // Between two stretches of load a connection may rest for as long as it likes.
      server.keepAliveTimeout = 0;
      return server.address().port;
    },

    watch() {
      spent = process.cpuUsage();
      loopDelay.watch();
    },

    /** What went since `watch`: milliseconds of CPU, and the event loop's delay. */
    async watched() {
      const { user, system } = process.cpuUsage(spent);
      return { cpuMs: (user + system) / 1000, loopDelay: await loopDelay.read() };
    },
  });
}

module.exports = { serve };
