const { quantile } = require('../../measures/statistics');

/** The results of one run, stored without work for the garbage collector. */
class Tally {
  #milliseconds = new Float64Array(2 ** 16);
  #answers = 0;
  #failures = {};
  #spent = process.cpuUsage();
  #began = performance.now();
  #ended = this.#began;

  add(status, sent) {
    this.#ended = performance.now();
    if (status !== 200) {
      this.#failures[status] = (this.#failures[status] ?? 0) + 1;
      return;
    }
    if (this.#answers === this.#milliseconds.length) {
      const larger = new Float64Array(2 * this.#answers);
      larger.set(this.#milliseconds);
      this.#milliseconds = larger;
    }
    this.#milliseconds[this.#answers++] = this.#ended - sent;
  }

  /** Only answers with status 200 count, also for the latencies, which are in milliseconds. */
  summary() {
    const { user, system } = process.cpuUsage(this.#spent);
    const latencies = this.#milliseconds.subarray(0, this.#answers);
    return {
      seconds: (this.#ended - this.#began) / 1000,
      answers: this.#answers,
      failures: this.#failures,
      latency: { p50: quantile(latencies, 0.5), p99: quantile(latencies, 0.99) },
      cpuMs: (user + system) / 1000,
    };
  }
}

module.exports = { Tally };
