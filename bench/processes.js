const { fork } = require('node:child_process');
const { once } = require('node:events');
const { monitorEventLoopDelay } = require('node:perf_hooks');
const { setTimeout: sleep } = require('node:timers/promises');

const running = new Set();

process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/** Ends this child process with the benchmark at the latest. */
function endWithParent(child) {
  running.add(child);
  child.once('exit', () => running.delete(child));
  return child;
}

/** A script in its own process, whose functions are called over IPC; see answerParent. */
class ChildProcess {
  #child;
  #waiting = new Map();
  #calls = 0;

  constructor(script, { flags = [], env = {} } = {}) {
    // Times without a zone are in UTC for the module, but in the process's zone for the driver.
    this.#child = endWithParent(
      fork(script, { execArgv: flags, env: { ...process.env, TZ: 'UTC', ...env } }),
    );
    this.#child.on('message', ({ call, result, error }) => {
      const { resolve, reject } = this.#waiting.get(call);
      this.#waiting.delete(call);
      if (error === undefined) resolve(result);
      else reject(new Error(error));
    });
    this.#child.once('exit', (code, signal) => {
      for (const { reject } of this.#waiting.values()) {
        reject(new Error(`The process ended (${signal ?? `exit code ${code}`}).`));
      }
    });
  }

  get pid() {
    return this.#child.pid;
  }

  /** Resolves with the result of the child's function with this name. */
  call(name, ...args) {
    const call = ++this.#calls;
    return new Promise((resolve, reject) => {
      this.#waiting.set(call, { resolve, reject });
      this.#child.send({ call, name, args }, (error) => error && reject(error));
    });
  }

  async stop() {
    if (!running.has(this.#child)) return;
    const ended = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await ended;
  }
}

/** Lets the parent process call these functions. The process ends with its parent at the latest. */
function answerParent(functions) {
  process.on('message', async ({ call, name, args }) => {
    try {
      process.send({ call, result: await functions[name](...args) });
    } catch (error) {
      process.send({ call, error: error.message });
    }
  });
  process.once('disconnect', () => process.exit());
  // Ctrl-C reaches every process of the terminal, but only the parent handles it.
  process.on('SIGINT', () => {});
}

/** Measures the event loop delay of this process. */
class LoopDelay {
  #delay = monitorEventLoopDelay({ resolution: 1 });

  watch() {
    this.#delay.reset();
    this.#delay.enable();
  }

  /** The delay since `watch`, in milliseconds. */
  async read() {
    await sleep(20); // A blocked loop records its delay in its next turn.
    this.#delay.disable();
    const milliseconds = (nanoseconds) => nanoseconds / 1e6;
    return {
      p50: milliseconds(this.#delay.percentile(50)),
      p99: milliseconds(this.#delay.percentile(99)),
      max: milliseconds(this.#delay.max),
    };
  }
}

/**
 * Runs a benchmark as the whole process. A failure is printed as a sentence, and Ctrl-C ends everything that it has
 * started.
 */
function runBenchmark(main) {
  // An orderly exit ends the processes, and the watcher of the database's directory deletes that.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => process.exit(130));

  main(process.argv.slice(2)).catch((error) => {
    console.error(error.message);
    process.exitCode = 1;
  });
}

/** Prints progress on standard error. Only the report goes to standard output. */
function say(text) {
  console.error(text);
}

module.exports = { answerParent, ChildProcess, endWithParent, LoopDelay, runBenchmark, say };
