const { fork } = require('node:child_process');
const { once } = require('node:events');

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

/** A script in its own process, whose functions are called one at a time; see answerParent. */
class ChildProcess {
  #child;
  #ended;

  constructor(script, { flags = [], env = {}, program = process.execPath } = {}) {
    // Times without a zone are in UTC for the module, but in the process's zone for the driver.
    const options = { execPath: program, execArgv: flags, env: { ...process.env, TZ: 'UTC', ...env } };
    this.#child = endWithParent(fork(script, options));
    this.#ended = once(this.#child, 'exit');
  }

  get pid() {
    return this.#child.pid;
  }

  /** Resolves with the result of the child's function with this name. */
  async call(name, ...args) {
    const answered = once(this.#child, 'message');
    this.#child.send({ name, args });
    const failed = this.#ended.then(([code, signal]) => {
      throw new Error(`The process ended (${signal ?? `exit code ${code}`}).`);
    });
    const [{ result, error }] = await Promise.race([answered, failed]);
    if (error !== undefined) throw new Error(error);
    return result;
  }

  async stop() {
    this.#child.kill('SIGKILL');
    await this.#ended;
  }
}

/** Lets the parent process call these functions. The process ends with its parent at the latest. */
function answerParent(functions) {
  process.on('message', async ({ name, args }) => {
    try {
      process.send({ result: await functions[name](...args) });
    } catch (error) {
      process.send({ error: error.message });
    }
  });
  process.once('disconnect', () => process.exit());
  // Ctrl-C reaches every process of the terminal, but only the parent handles it.
  process.on('SIGINT', () => {});
}

/**
 * Runs a benchmark as the whole process; `main` resolves with the number of failures. An exit ends every process, also
 * on Ctrl-C, and each temporary directory has a watcher that then stops its server and deletes it.
 */
function runBenchmark(main) {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => process.exit(130));
  main(process.argv.slice(2)).then(
    (failures) => process.exit(failures === 0 ? 0 : 1),
    (error) => {
      console.error(error.message);
      process.exit(1);
    },
  );
}

/** Prints progress on standard error. Only the report goes to standard output. */
function say(text) {
  console.error(text);
}

module.exports = { answerParent, ChildProcess, endWithParent, runBenchmark, say };
