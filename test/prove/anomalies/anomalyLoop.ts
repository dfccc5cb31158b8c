import type { TestDatabase } from '../../fixture/databases';
import { expectIdle } from '../../fixture/expectIdle';
import { type Fault, type Outside, type OutsideCalls, WAYS } from '../../fixture/faults/OutsideCalls';

/** The outcome of one attempt. */
export interface Outcome {
  /** The status of the answer: 200 if the attempt was served. */
  readonly status: number;
  readonly problems: readonly string[];
}

/** A task that the loop repeats, and the parts that it watches meanwhile. */
export interface Attempt {
  readonly calls: Pick<OutsideCalls, 'arm' | 'disarm'>;
  readonly database: TestDatabase;
  /** Makes one attempt, with or without a fault. Its problems are what no fault excuses. */
  readonly make: (fault: Fault | null) => Promise<Outcome>;
  /** The statuses that a fault may cause. */
  readonly statuses: (fault: Fault) => readonly number[];
}

/** How many attempts were made, by their status. */
export class Tally {
  readonly #counts = new Map<number, number>();

  add(status: number, times = 1): void {
    this.#counts.set(status, (this.#counts.get(status) ?? 0) + times);
  }

  include(other: Tally): void {
    for (const [status, times] of other.#counts) this.add(status, times);
  }

  get cases(): number {
    return [...this.#counts.values()].reduce((sum, count) => sum + count, 0);
  }

  toString(): string {
    const counts = [...this.#counts].sort(([one], [other]) => one - other);
    return [`${this.cases} cases`, ...counts.map(([status, count]) => `${status} ${count}×`)].join(', ');
  }
}

/** A panel must serve again so soon after a fault. */
const RECOVERY_MS = 2000;

/** A busy machine may exceed the short deadline by itself, but not each time. */
const MOST_TRIES = 3;

/** More than any attempt needs: the health of all lists takes about a hundred. */
const MOST_CALLS = 200;

/**
 * Lets the first call of this kind go wrong, then the second and so on, until an attempt is over without one, in each
 * way, once and from then on. Returns a line for each attempt after which something was not as it must be.
 */
export async function anomalyLoop(
  attempt: Attempt,
  outside: Outside,
  durations: readonly boolean[],
  tally: Tally,
): Promise<string[]> {
  const wrong: string[] = [];
  for (const way of Object.keys(WAYS[outside]))
    for (const lasting of durations)
      for (let nth = 1; ; ) {
        const fault = { outside, way, nth, lasting };
        const { met, status, problems } = await suffer(attempt, fault);
        if (met) tally.add(status);
        const when = `${outside} ${nth}${lasting ? ' and later' : ''} ${way}`;
        wrong.push(...problems.map((problem) => `${when}: ${problem}`));
        if (!met && (status === 200 || problems.length > 0)) break;
        // A busy machine may keep an attempt from its end. It is then made again.
        if (met) nth += 1;
        if (nth > MOST_CALLS) {
          wrong.push(`${when}: later calls are not tried`);
          break;
        }
      }
  return wrong;
}

async function suffer({ calls, database, make, statuses }: Attempt, fault: Fault) {
  const once = async () => {
    calls.arm(fault);
    const outcome = await madeBy(make, fault);
    const met = calls.disarm();
    return { met, allowed: met ? statuses(fault) : [200, 503], ...outcome };
  };
  let suffered = await once();
  const isLate = () =>
    suffered.status === 503 && !suffered.allowed.includes(503) && suffered.problems.length === 0;
  for (let tries = 1; isLate() && tries < MOST_TRIES; tries += 1) suffered = await once();
  const { met, allowed, status, problems } = suffered;
  const found = [...problems];
  if (!allowed.includes(status)) found.push(`it is answered with ${status}`);
  const again = await untilServed(make);
  found.push(...again.problems.map((problem) => `the next one: ${problem}`));
  if (again.status !== 200) found.push(`the next one is still answered with ${again.status}`);
  await expectIdle(database).catch((error) => found.push(`a connection is kept: ${error}`));
  return { met, status, problems: found };
}

/** An attempt never throws: an error is a problem. */
function madeBy(make: Attempt['make'], fault: Fault | null): Promise<Outcome> {
  return make(fault).catch((error) => ({ status: 0, problems: [`it throws ${error}`] }));
}

async function untilServed(make: Attempt['make']): Promise<Outcome> {
  const startedAt = performance.now();
  for (;;) {
    const outcome = await madeBy(make, null);
    const isOver = outcome.status === 200 || performance.now() - startedAt > RECOVERY_MS;
    if (isOver || outcome.problems.length > 0) return outcome;
  }
}
