const { once } = require('node:events');
const { monitorEventLoopDelay } = require('node:perf_hooks');
const { setTimeout: sleep } = require('node:timers/promises');
const Koa = require('koa');
const { answerParent } = require('../processes/answerParent');

/** Serves the routes that `prepare` gives on a free port, and lets the parent look into this process. */
function serve(prepare) {
  let logged;
  const delay = monitorEventLoopDelay({ resolution: 1 });

  answerParent({
    async start() {
      const { routes, token, logged: counts } = await prepare();
      logged = counts;
      const server = new Koa().use(routes).listen(0, '127.0.0.1');
      await once(server, 'listening');
      // A loop that stood still would otherwise close connections on which requests wait.
      server.keepAliveTimeout = 0;
      return { url: `http://127.0.0.1:${server.address().port}/api/v1`, token };
    },

    logged: () => logged,

    collectGarbage: () => globalThis.gc(),

    watchDelay() {
      delay.reset();
      delay.enable();
    },

    /** The event loop's delay since `watchDelay`, in milliseconds. */
    async delay() {
      await sleep(20); // A loop that was blocked notes it at its next turn.
      delay.disable();
      const milliseconds = (nanoseconds) => nanoseconds / 1e6;
      return {
        p50: milliseconds(delay.percentile(50)),
        p99: milliseconds(delay.percentile(99)),
        max: milliseconds(delay.max),
      };
    },
  });
}

module.exports = { serve };
