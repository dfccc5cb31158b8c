const { setTimeout: sleep } = require('node:timers/promises');
const { get } = require('./get');

const intervalMs = 20;

/**
 * Asks for a small answer at a steady pace, whether or not the earlier answers have come: who waits for each would
 * ask a server that stands still only once.
 */
class Prober {
  #answers = [];
  #stopped = false;
  #ended;

  constructor(target, path) {
    this.#ended = this.#run(target, path);
  }

  /** Milliseconds that each answer took. */
  async stop() {
    this.#stopped = true;
    await this.#ended;
    const answers = await Promise.all(this.#answers);
    const refused = answers.find(({ status }) => status !== 200);
    if (refused) throw new Error(`A probe was answered with ${refused.status}.`);
    return answers.map(({ milliseconds }) => milliseconds);
  }

  async #run(target, path) {
    const started = performance.now();
    for (let sent = 0; !this.#stopped; sent++) {
      await sleep(Math.max(0, started + sent * intervalMs - performance.now()));
      const answer = get(target, path);
      answer.catch(() => {}); // It is looked at when probing ends.
      this.#answers.push(answer);
    }
  }
}

module.exports = { Prober };
