/** The status of an answer and, if it was served, the number of its request within the window. */
export interface Answered {
  readonly status: number;
  readonly hit: number;
}

/** Requests with one token, sent while its limit and the length of the window stay the same. */
export interface Sent {
  readonly limit: number;
  readonly windowSeconds: number;
  /** Between these times, in seconds since 1970, they were sent and answered. */
  readonly between: readonly [number, number];
  /** How far the clocks that may count them are ahead: the least and the most. */
  readonly ahead: readonly [number, number];
  readonly answers: readonly Answered[];
}

/**
 * What the windows of one token must serve. Any number of requests may be counted in a window, but each number is given
 * once, so that no number may be given more often than there are windows. While only one window is possible, the number
 * of requests that are served follows from those before, and so do the numbers that they are given.
 */
export class TokenWindows {
  readonly #isPerLength: boolean;
  readonly #counters = new Map<number, ReturnType<typeof newCounter>>();

  /** `isPerLength`: a store that counts windows of different lengths apart. */
  constructor(isPerLength: boolean) {
    this.#isPerLength = isPerLength;
  }

  /** Returns what is wrong with the answers, or null. */
  fault({ limit, windowSeconds, between: [from, to], ahead, answers }: Sent): string | null {
    const key = this.#isPerLength ? windowSeconds : 0;
    const counter = this.#counters.get(key) ?? newCounter(windowSeconds);
    this.#counters.set(key, counter);
    const started = Math.floor((counter.latest * counter.windowSeconds) / windowSeconds);
    const first = Math.floor((from + ahead[0]) / windowSeconds);
    const last = Math.floor((to + ahead[1]) / windowSeconds);
    if (first < last) counter.requests = Number.NaN;
    // A window of Redis begins with a request, so the one before may still go on.
    else if (last > started && counter.most > 0) counter.requests = this.#isPerLength ? Number.NaN : 0;
    counter.most += Math.max(0, last - Math.max(started, first - 1));
    counter.latest = Math.max(started, last);
    counter.windowSeconds = windowSeconds;

    const count = (wanted: number) => answers.filter(({ status }) => status === wanted).length;
    const [served, refused, late] = [count(200), count(429), count(503)];
    if (served + refused + late < answers.length) return 'another status';
    for (const { status, hit } of answers) {
      if (status !== 200) continue;
      // Nothing is known of NaN.
      const isWrong = hit <= counter.requests || hit > counter.requests + answers.length;
      if (isWrong || !(hit >= 1 && hit <= limit))
        return `number ${hit} of ${limit}, after ${counter.requests}`;
      counter.given.set(hit, (counter.given.get(hit) ?? 0) + 1);
    }
    const expected = Math.max(0, Math.min(answers.length, limit - counter.requests));
    counter.requests = late > 0 ? Number.NaN : counter.requests + answers.length;
    // A request whose count came too late may have been counted.
    if (served > expected || served < expected - late)
      return `served ${served} and ${late} late, and not ${expected}`;
    for (const [hit, times] of counter.given)
      if (times > counter.most) return `number ${hit} in ${times} of at most ${counter.most} windows`;
    return null;
  }

  /** How many windows have begun, at least. */
  get begun(): number {
    return Math.max(0, ...[...this.#counters.values()].flatMap(({ given }) => [...given.values()]));
  }
}

function newCounter(windowSeconds: number) {
  return {
    windowSeconds,
    /** The latest window that may have begun, as a multiple of its length. */
    latest: Number.NEGATIVE_INFINITY,
    /** How many windows may have begun. */
    most: 0,
    /** How many requests the latest window has; NaN if it cannot be said. */
    requests: 0,
    /** How often each number was given. */
    given: new Map<number, number>(),
  };
}
