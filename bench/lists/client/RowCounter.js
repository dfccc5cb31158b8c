const rowStart = Buffer.from('{"id":');

/**
 * Counts the rows of a list in the received bytes, and keeps the wanted ones, numbered from 0. Every row begins with
 * its id. No text contains the same bytes, because its quotes are escaped.
 */
class RowCounter {
  bytes = 0;
  rows = 0;
  #wanted;
  #kept = new Map();
  // The possible beginning of a row.
  #rest = Buffer.alloc(0);

  constructor(wanted) {
    this.#wanted = wanted;
  }

  add(chunk) {
    this.bytes += chunk.length;
    const bytes = Buffer.concat([this.#rest, chunk]);
    let done = 0;
    let looked = 0;
    for (;;) {
      const at = bytes.indexOf(rowStart, looked);
      if (at < 0) break;
      this.#keep(bytes.subarray(done, at));
      this.#begin();
      done = at;
      looked = at + rowStart.length;
    }
    const end = Math.max(looked, bytes.length - rowStart.length + 1);
    this.#keep(bytes.subarray(done, end));
    this.#rest = bytes.subarray(end);
  }

  /** The wanted rows, parsed. Rows of the benchmark's lists contain no braces. */
  sample() {
    this.#keep(this.#rest);
    return [...this.#kept.values()].map((parts) => {
      const text = Buffer.concat(parts).toString();
      return JSON.parse(text.slice(0, text.indexOf('}') + 1));
    });
  }

  #begin() {
    if (this.#wanted.includes(this.rows)) this.#kept.set(this.rows, []);
    this.rows++;
  }

  #keep(bytes) {
    this.#kept.get(this.rows - 1)?.push(bytes);
  }
}

module.exports = { RowCounter };
