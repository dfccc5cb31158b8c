import { type Clock, realClock } from './Clock';

/** Requests that share a run: at least one. */
type Several<Asked> = readonly [Asked, ...Asked[]];

/** The run of a key that is under way, and the requests that wait for the next one. */
interface Line<Asked, T> {
  readonly current: Promise<T>;
  next: { readonly asked: [Asked, ...Asked[]]; readonly answer: Promise<T> } | null;
}

/**
 * Returns a function that shares one run among simultaneous requests with the same key. A run starts after all requests
 * that it answers, so no answer is older than its request. One run is active at a time; after `patienceMs`, by default
 * never, the next starts beside it.
 */
export function sharedRuns<Asked, T>(
  run: (asked: Several<Asked>) => Promise<T>,
  patienceMs = Infinity,
  clock: Clock = realClock,
): (key: string, asked: Asked) => Promise<T> {
  const lines = new Map<string, Line<Asked, T>>();

  function begin(key: string, asked: Several<Asked>): Promise<T> {
    const line: Line<Asked, T> = { current: (async () => run(asked))(), next: null };
    lines.set(key, line);
    const end = () => {
      if (line.next === null && lines.get(key) === line) lines.delete(key);
    };
    line.current.then(end, end);
    return line.current;
  }

  return (key, asked) => {
    const line = lines.get(key);
    if (!line) return begin(key, [asked]);
    if (line.next) line.next.asked.push(asked);
    else {
      const all: [Asked, ...Asked[]] = [asked];
      const answer = settled(line.current, patienceMs, clock).then(() => begin(key, all));
      line.next = { asked: all, answer };
    }
    return line.next.answer;
  };
}

/** Resolves when the promise is settled, or after this time. */
function settled(promise: Promise<unknown>, milliseconds: number, clock: Clock): Promise<void> {
  return new Promise((resolve) => {
    const cancel = milliseconds === Infinity ? () => {} : clock.after(milliseconds, resolve);
    const end = () => {
      cancel();
      resolve();
    };
    promise.then(end, end);
  });
}
