const { readFileSync } = require('node:fs');
const { createConnection } = require('mysql2/promise');

// What the kernel counts in, by its own interface; it has been so on every Linux for decades.
const tickMs = 10;

/** What the database does for its clients, and what that costs it. */
class DatabaseMeter {
  #connection;
  #pid;

  static async open({ url, pid }) {
    const meter = new DatabaseMeter();
    meter.#connection = await createConnection(url);
    meter.#pid = pid;
    return meter;
  }

  /** Statements since the server's start, this look included, and the CPU's milliseconds. */
  async read() {
    const [[{ Value: statements }]] = await this.#connection.query("show global status like 'Questions'");
    return { statements: Number(statements), cpuMs: this.#cpuMs() };
  }

  close() {
    this.#connection.destroy();
  }

  #cpuMs() {
    // The name, in parentheses, may hold anything.
    const [, after] = /\) (.*)/.exec(readFileSync(`/proc/${this.#pid}/stat`, 'utf8'));
    const fields = after.split(' ');
    return (Number(fields[11]) + Number(fields[12])) * tickMs;
  }
}

module.exports = { DatabaseMeter };
