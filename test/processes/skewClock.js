/** Moves the clock of this process by as many seconds as CLOCK_SKEW_SECONDS says, and no other clock. */
const skew = Number(process.env.CLOCK_SKEW_SECONDS) * 1000;
const now = Date.now.bind(Date);

globalThis.Date = class extends Date {
  constructor(...given) {
    super(...(given.length === 0 ? [now() + skew] : given));
  }

  static now() {
    return now() + skew;
  }
};
