const rowStart = Buffer.from('{"id":');

/**
 * Counts the rows of a list in the bytes that come in, and keeps those whose numbers, from 0, are wanted. Every row
 * begins with its id; no text holds the same bytes, because the quotes within it are escaped.
 */
class RowCounter {
  bytes = 0;
  rows = 0;
  #wanted;
  #kept = new Map();
  // What may be the beginning of a row.
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

  /** The wanted rows, parsed. The lists of the benchmark have no braces within a row. */
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
