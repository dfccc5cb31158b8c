const { truncate, writeFile } = require('node:fs/promises');
const { join } = require('node:path');
const { checkPromises } = require('./check');
const { ChildProcess } = require('./processes');

/** The contestants of a run. Each is started once, for the first load that needs it, because a panel runs for weeks. */
class Servers {
  #setup;
  #started = new Map();

  /** `setup` is what `setUp` returned. */
  constructor(setup) {
    this.#setup = setup;
  }

  /** A running contestant, which keeps its promises. */
  async of(subject) {
    const key = `${subject.name} ${subject.copy ?? ''}`;
    let server = this.#started.get(key);
    if (!server) {
      server = await this.#start(
        subject,
        join(this.#setup.server.folder, `requests-${this.#started.size}.log`),
      );
      this.#started.set(key, server);
      if (subject.promises) await checkPromises(server, this.#setup.databases[subject.database]);
    }
    // The same contestant may have another number of tokens in another load.
    return Object.assign(server, subject);
  }

  async emptyLogs() {
    for (const { logFile } of this.#started.values()) await truncate(logFile);
  }

  async stop() {
    await Promise.all([...this.#started.values()].map(({ children }) => stopAll(children)));
  }

  /** A contestant in its number of processes, each with its own port. */
  async #start(subject, logFile) {
    const { databases, redisUrl } = this.#setup;
    await writeFile(logFile, '');
    const env = {
      DATABASE_URL: databases[subject.database].url,
      LOG_FILE: logFile,
      MODULE: subject.build,
      NODE_ENV: 'production',
      ...(subject.store && { STORE: subject.store }),
      ...(redisUrl && { REDIS_URL: redisUrl }),
    };
    const children = Array.from(
      { length: subject.processes },
      () => new ChildProcess(subject.script, { env }),
    );
    try {
      const ports = await Promise.all(children.map((child) => child.call('start')));
      return { ...subject, children, ports, logFile };
    } catch (error) {
      await stopAll(children);
      throw new Error(`${subject.label}: ${error.message}`, { cause: error });
    }
  }
}

const stopAll = (children) => Promise.all(children.map((child) => child.stop()));

module.exports = { Servers };
