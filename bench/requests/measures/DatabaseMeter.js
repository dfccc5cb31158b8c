const { readFileSync } = require('node:fs');
const { createConnection } = require('mysql2/promise');

// The kernel's clock tick, which has been the same on every Linux for decades.
const tickMs = 10;

/** Measures the statements and the CPU time of the database. */
class DatabaseMeter {
  #connection;
  #pid;

  static async open({ url, pid }) {
    const meter = new DatabaseMeter();
    meter.#connection = await createConnection(url);
    meter.#pid = pid;
    return meter;
  }

  /** The statements since the server's start, including this one, and CPU milliseconds. */
  async read() {
    const [[{ Value: statements }]] = await this.#connection.query("show global status like 'Questions'");
    return { statements: Number(statements), cpuMs: this.#cpuMs() };
  }

  close() {
    this.#connection.destroy();
  }

  #cpuMs() {
    // The name, in parentheses, may contain any characters.
    const [, after] = /\) (.*)/.exec(readFileSync(`/proc/${this.#pid}/stat`, 'utf8'));
    const fields = after.split(' ');
    return (Number(fields[11]) + Number(fields[12])) * tickMs;
  }
}

module.exports = { DatabaseMeter };
