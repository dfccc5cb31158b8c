const { spawn } = require('node:child_process');
const { once } = require('node:events');
const { closeSync, existsSync, openSync, readFileSync, rmSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');
const { setTimeout: sleep } = require('node:timers/promises');

const secondsToStart = 60;
const secondsToStop = 10;
const mostAttempts = 10;

/**
 * A private server process. All its files are in `directory`, and it ends with this process at the latest. `ready` is
 * called until it no longer throws.
 */
class PrivateServer {
  #settings;
  #child;
  #stopped = false;

  constructor(settings) {
    this.#settings = settings;
    this.url = settings.url;
    this.port = settings.port;
    this.socket = settings.socket;
  }

  get pid() {
    return this.#child?.pid;
  }

  /** Starts it; after `kill`, with the same data and port. */
  async start() {
    if (this.#child && !hasEnded(this.#child)) throw new Error('The server is running already.');
    const deadline = Date.now() + secondsToStart * 1000;
    for (let attempts = 1; ; attempts++) {
      await this.#launch();
      const error = await this.#untilReady(deadline);
      if (!error) break;
      const mayRetry = hasEnded(this.#child) && attempts < mostAttempts;
      await this.#end('SIGKILL');
      if (!mayRetry) {
        throw new Error(`${this.#settings.program} did not start: ${error.message}\n${this.#logTail()}`);
      }
      // The helper processes of a killed PostgreSQL use its memory for another moment.
      await sleep(200);
    }
    this.#child.unref();
  }

  /**
   * Ends it without a chance to clean up, like a power cut. The processes that a killed PostgreSQL leaves would answer for
   * another moment.
   */
  async kill() {
    const children = childrenOf(this.pid);
    await this.#end('SIGKILL');
    for (const pid of children) killLeft(pid);
    while (children.some(isRunning)) await sleep(5);
  }

  /** Ends it for good and removes its files. */
  async stop() {
    this.#stopped = true;
    await this.#end(this.#settings.stopSignal);
    await this.#settings.directory.remove();
  }

  async #launch() {
    const { directory, program, args, identity, stopSignal } = this.#settings;
    const log = openSync(join(directory.path, 'log'), 'a');
    // In its own session, so that Ctrl-C in a terminal reaches it only through the scratch directory's watcher.
    const child = spawn(program, args, {
      ...identity,
      cwd: directory.path,
      detached: true,
      stdio: ['ignore', log, log],
    });
    closeSync(log);
    await once(child, 'spawn');
    this.#child = child;
    // A test that timed out may start its server again during or after the cleanup.
    if (this.#stopped) {
      await this.#end('SIGKILL');
      throw new Error('The server was stopped for good.');
    }
    writeFileSync(join(directory.path, 'pid'), `${child.pid} ${stopSignal.replace('SIG', '')}\n`);
  }

  /** Waits until it is ready. Resolves with the error if it ends or times out before. */
  async #untilReady(deadline) {
    for (;;) {
      try {
        await this.#settings.ready();
        return undefined;
      } catch (error) {
        if (hasEnded(this.#child) || Date.now() > deadline) return error;
        await sleep(25);
      }
    }
  }

  async #end(signal) {
    const child = this.#child;
    if (child && !hasEnded(child)) {
      child.ref();
      const ended = once(child, 'exit');
      child.kill(signal);
      child.kill('SIGCONT'); // A test may have frozen it.
      const patience = setTimeout(() => child.kill('SIGKILL'), secondsToStop * 1000);
      await ended;
      clearTimeout(patience);
    }
    rmSync(join(this.#settings.directory.path, 'pid'), { force: true });
  }

  #logTail() {
    return readFileSync(join(this.#settings.directory.path, 'log'), 'utf8').slice(-3000);
  }
}

function hasEnded(child) {
  return child.exitCode !== null || child.signalCode !== null;
}

/** The processes that a process has started. */
function childrenOf(pid) {
  const path = `/proc/${pid}/task/${pid}/children`;
  return existsSync(path) ? readFileSync(path, 'utf8').split(' ').filter(Boolean).map(Number) : [];
}

function killLeft(pid) {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended already.
  }
}

function isRunning(pid) {
  try {
    return !/\) [XZ] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

module.exports = { PrivateServer };
