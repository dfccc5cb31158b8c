const { once } = require('node:events');
const { connect } = require('node:net');

const headEnd = Buffer.from('\r\n\r\n');
const patienceMs = 30_000;

/**
 * A keep-alive connection with one request at a time. It reads only the status and length of an answer and counts the
 * rest, to take little CPU from the measured server.
 */
class Connection {
  #socket;
  #waiting = null;
  #broken = null;
  #head = Buffer.alloc(0);
  #status = 0;
  #missing = 0;

  constructor(port) {
    const callback = (count, buffer) => this.#read(buffer.subarray(0, count));
    const onread = { buffer: Buffer.allocUnsafe(2 ** 16), callback };
    this.#socket = connect({ port, host: '127.0.0.1', noDelay: true, onread });
    this.#socket.setTimeout(patienceMs, () => this.#fail(`No answer came in ${patienceMs} ms.`));
    this.#socket.on('error', ({ message }) => this.#fail(message));
    this.#socket.on('close', () => this.#fail('The server closed a connection.'));
  }

  async opened() {
    await once(this.#socket, 'connect');
  }

  /** Sends a request and resolves with the status when the last byte of the answer has arrived. */
  ask(request) {
    return new Promise((resolve, reject) => {
      if (this.#broken) throw this.#broken;
      this.#waiting = { resolve, reject };
      this.#socket.write(request, 'latin1');
    });
  }

  close() {
    this.#socket.destroy();
  }

  #read(bytes) {
    if (this.#missing > 0) this.#count(bytes.length);
    else this.#begin(this.#head.length > 0 ? Buffer.concat([this.#head, bytes]) : bytes);
    return true;
  }

  #begin(bytes) {
    const end = bytes.indexOf(headEnd);
    if (end < 0) {
      this.#head = Buffer.from(bytes); // The received buffer is reused.
      return;
    }
    this.#head = Buffer.alloc(0);
    const head = bytes.latin1Slice(0, end);
    const [, length] = /\r\ncontent-length: (\d+)/i.exec(head) ?? [];
    if (length === undefined) {
      this.#fail('An answer did not say its length.');
      return;
    }
    this.#status = Number(head.slice(9, 12));
    this.#missing = Number(length);
    this.#count(bytes.length - end - headEnd.length);
  }

  #count(bytes) {
    this.#missing -= bytes;
    if (this.#missing > 0) return;
    if (this.#missing < 0 || !this.#waiting) {
      this.#fail('An answer was longer than its Content-Length.');
      return;
    }
    const { resolve } = this.#waiting;
    this.#waiting = null;
    resolve(this.#status);
  }

  #fail(reason) {
    this.#broken ??= new Error(reason);
    this.#waiting?.reject(this.#broken);
    this.#waiting = null;
    this.close();
  }
}

module.exports = { Connection };
