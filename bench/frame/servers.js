const { once } = require('node:events');
const { writeFile } = require('node:fs/promises');
const { join } = require('node:path');
const { monitorEventLoopDelay } = require('node:perf_hooks');
const { setTimeout: sleep } = require('node:timers/promises');
const { answerParent, ChildProcess } = require('./processes');

/** Serves the Koa application, a server of Node's or what has a function `open` on a free port, and reports this process's resource use to the benchmark. */
function serve(app) {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  const milliseconds = (nanoseconds) => nanoseconds / 1e6;
  let spent;

  answerParent({
    /** The port. */
    async start() {
      const panel = await app;
      if (panel.open) return panel.open();
      const server = panel.listen(0, '127.0.0.1');
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

/**
 * Starts a contestant in its number of processes, each with its own port. `setting` has the folder for its log, the
 * databases by name, and the URL of Redis if that runs.
 */
async function startServer({ folder, databases, redisUrl }, subject) {
  const logFile = join(folder, `${subject.name}-${performance.now()}.log`);
  await writeFile(logFile, '');
  const env = {
    DATABASE_URL: databases[subject.database].url,
    LOG_FILE: logFile,
    MODULE: subject.build,
    NODE_ENV: 'production',
    ...(subject.store && { STORE: subject.store }),
    ...(redisUrl && { REDIS_URL: redisUrl }),
    ...subject.env,
  };
  const { processes, script, flags, program } = subject;
  const children = Array.from({ length: processes }, () => new ChildProcess(script, { env, flags, program }));
  const stop = () => Promise.all(children.map((child) => child.stop()));
  try {
    const ports = await Promise.all(children.map((child) => child.call('start')));
    return { ...subject, children, ports, url: `http://127.0.0.1:${ports[0]}`, logFile, stop };
  } catch (error) {
    await stop();
    throw new Error(`${subject.label}: ${error.message}`, { cause: error });
  }
}

/** Runs the task with new servers of these contestants, and stops them. */
async function withServers(setting, subjects, task) {
  const servers = [];
  try {
    for (const subject of subjects) servers.push(await startServer(setting, subject));
    return await task(...servers);
  } finally {
    await Promise.all(servers.map(({ stop }) => stop()));
  }
}

module.exports = { serve, startServer, withServers };
