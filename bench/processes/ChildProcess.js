const { fork } = require('node:child_process');
const { once } = require('node:events');

const running = new Set();

process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/** A script in its own process, whose functions are called over IPC; see answerParent. */
class ChildProcess {
  #child;
  #waiting = new Map();
  #calls = 0;

  constructor(script, { flags = [], env = {} } = {}) {
    // Times without a zone are in UTC for the module, but in the process's zone for the driver.
    this.#child = fork(script, { execArgv: flags, env: { ...process.env, TZ: 'UTC', ...env } });
    running.add(this.#child);
    this.#child.on('message', ({ call, result, error }) => {
      const { resolve, reject } = this.#waiting.get(call);
      this.#waiting.delete(call);
      if (error === undefined) resolve(result);
      else reject(new Error(error));
    });
    this.#child.once('exit', (code, signal) => {
      running.delete(this.#child);
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

module.exports = { ChildProcess };
