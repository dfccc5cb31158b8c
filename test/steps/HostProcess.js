const { spawn } = require('node:child_process');
const { once } = require('node:events');

const secondsToStart = 60;
const secondsToEnd = 30;

/** A program of `test/steps/hosts`: it prints its port once it listens, logs to standard error, and closes what it opened on SIGTERM. */
class HostProcess {
  #child;
  #ended;
  printed = '';

  constructor(node, file, cwd, env) {
    this.#child = spawn(node, [file], { cwd, env: { ...process.env, ...env } });
    this.#ended = once(this.#child, 'exit');
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream.setEncoding('utf8').on('data', (text) => {
        this.printed += text;
      });
    }
    const kill = () => this.kill();
    process.on('exit', kill);
    this.#child.once('exit', () => process.off('exit', kill));
  }

  /** Resolves with its URL when it listens. */
  async listening() {
    const printed = once(this.#child.stdout, 'data').then(([text]) => Number(text));
    const port = await Promise.race([printed, this.#ended, after(secondsToStart)]);
    if (!Number.isInteger(port)) throw new Error('The host did not start.');
    return `http://127.0.0.1:${port}`;
  }

  /** Throws if anything keeps the process alive after the panel has closed its own resources. */
  async stop() {
    this.#child.kill('SIGTERM');
    const [code] = (await Promise.race([this.#ended, after(secondsToEnd)])) ?? [];
    if (code !== 0) throw new Error(`The host did not end by itself within ${secondsToEnd} s of SIGTERM.`);
  }

  kill() {
    this.#child.kill('SIGKILL');
  }
}

function after(seconds) {
  return new Promise((resolve) => setTimeout(resolve, seconds * 1000).unref());
}

module.exports = { HostProcess };
