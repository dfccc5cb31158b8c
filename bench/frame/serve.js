const { once } = require('node:events');
const { monitorEventLoopDelay } = require('node:perf_hooks');
const { setTimeout: sleep } = require('node:timers/promises');
const { answerParent } = require('./processes');

/** Serves the Koa application on a free port, and reports this process's resource use to the benchmark. */
function serve(app) {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  const milliseconds = (nanoseconds) => nanoseconds / 1e6;
  let spent;

  answerParent({
    /** The port. */
    async start() {
      const server = (await app).listen(0, '127.0.0.1');
      await once(server, 'listening');
      // A connection may be idle for any time, also behind a blocked event loop.
      server.keepAliveTimeout = 0;
      return server.address().port;
    },

    watch() {
      spent = process.cpuUsage();
      delay.reset();
      delay.enable();
    },

    /** The CPU milliseconds and the event loop delay since `watch`, in milliseconds. */
    async watched() {
      const { user, system } = process.cpuUsage(spent);
      await sleep(20); // A blocked loop records its delay in its next turn.
      delay.disable();
      const [p50, p99] = [50, 99].map((share) => milliseconds(delay.percentile(share)));
      return { cpuMs: (user + system) / 1000, loopDelay: { p50, p99, max: milliseconds(delay.max) } };
    },

    /** Needs the flag `--expose-gc`. */
    collectGarbage: () => globalThis.gc(),
  });
}

module.exports = { serve };
