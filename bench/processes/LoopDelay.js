const { monitorEventLoopDelay } = require('node:perf_hooks');
const { setTimeout: sleep } = require('node:timers/promises');

/** Measures the event loop delay of this process. */
class LoopDelay {
  #delay = monitorEventLoopDelay({ resolution: 1 });

  watch() {
    this.#delay.reset();
    this.#delay.enable();
  }

  /** The delay since `watch`, in milliseconds. */
  async read() {
    await sleep(20); // A blocked loop records its delay in its next turn.
    this.#delay.disable();
    const milliseconds = (nanoseconds) => nanoseconds / 1e6;
    return {
      p50: milliseconds(this.#delay.percentile(50)),
      p99: milliseconds(this.#delay.percentile(99)),
      max: milliseconds(this.#delay.max),
    };
  }
}

module.exports = { LoopDelay };
