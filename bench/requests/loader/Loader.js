const { Connection } = require('./Connection');
const { requestText } = require('./requestText');
const { Tally } = require('./Tally');

/** Connections that each send the next request when the previous one is answered. */
class Loader {
  #connections;
  #requests;
  #next = 0;

  /**
   * Connections use the ports and tokens in turn, and requests the paths: with a thousand paths, no two concurrent
   * requests are alike.
   */
  constructor({ ports, tokens, paths, connections }) {
    this.#connections = Array.from(
      { length: connections },
      (_, index) => new Connection(ports[index % ports.length]),
    );
    const ofToken = tokens.map((token) => paths.map((path) => requestText(path, token)));
    this.#requests = this.#connections.map((_, index) => ofToken[index % tokens.length]);
  }

  async opened() {
    await Promise.all(this.#connections.map((connection) => connection.opened()));
  }

  /** Sends requests for this long, and waits for the last answers. */
  async run(seconds) {
    const tally = new Tally();
    const until = performance.now() + seconds * 1000;
    await Promise.all(
      this.#connections.map((connection, index) =>
        this.#keepAsking(connection, this.#requests[index], until, tally),
      ),
    );
    return tally.summary();
  }

  close() {
    for (const connection of this.#connections) connection.close();
  }

  async #keepAsking(connection, requests, until, tally) {
    for (let sent = performance.now(); sent < until; sent = performance.now()) {
      const status = await connection.ask(requests[this.#next++ % requests.length]);
      tally.add(status, sent);
    }
  }
}

module.exports = { Loader };
