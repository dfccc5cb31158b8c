const { setTimeout: sleep } = require('node:timers/promises');
const { get } = require('./get');

const intervalMs = 20;

/**
 * Sends small requests at a steady pace, whether or not earlier ones were answered. Waiting for each answer would send
 * only one request while a server is blocked.
 */
class Prober {
  #answers = [];
  #stopped = false;
  #ended;

  constructor(target, path) {
    this.#ended = this.#run(target, path);
  }

  /** The duration of each request in milliseconds. */
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
      answer.catch(() => {}); // Handled when probing ends.
      this.#answers.push(answer);
    }
  }
}

module.exports = { Prober };
