interface BatcherOptions<Asked, Room> {
  /** How many requests one batch takes at most. */
  readonly most: number;
  /** How long the next batch waits for the one under way, in milliseconds, before it starts beside it. */
  readonly patienceMs: number;
  /**
   * Waits until there is room for a batch with this request in it, and runs the batch there; the batch never rejects. If
   * `enter` rejects, the requests that waited for that room fail with it. By default there is room at once.
   */
  readonly enter: (asked: Asked, batch: (room: Room) => Promise<void>) => Promise<void>;
  /** The name under which room is asked for: under each name one batch at a time waits for room. */
  readonly nameOf: (asked: Asked) => unknown;
}

type RunBatch<Asked, Answer, Room> = (
  asked: readonly Asked[],
  room: Room,
) => Promise<readonly (Answer | Promise<Answer>)[]>;

interface Asking<Asked, Answer> {
  readonly asked: Asked;
  readonly name: unknown;
  readonly resolve: (answer: Answer | PromiseLike<Answer>) => void;
  readonly reject: (error: unknown) => void;
}

/** A batch that takes longer than this has met a slow database, and must not hold up the next ones. */
const PATIENCE_MS = 25;

/**
 * Answers many requests in one step. A request that arrives while a batch is under way waits for the next one: a batch
 * never begins before a request that it answers, and batches grow with the load. A batch takes all requests that wait at
 * the moment when there is room for it. If it fails, all its requests fail.
 */
export class Batcher<Asked, Answer, Room = undefined> {
  readonly #run: RunBatch<Asked, Answer, Room>;
  readonly #options: BatcherOptions<Asked, Room>;
  #waiting: Asking<Asked, Answer>[] = [];
  /** Whether the next turn of the event loop asks for room for a batch. */
  #planned = false;
  /** The names under which a batch waits for room. */
  readonly #entering = new Set<unknown>();
  #underWay: symbol | null = null;

  /** `run` returns the answers in the order of the requests; one that is still a promise may fail alone. */
  constructor(run: RunBatch<Asked, Answer, Room>, options: Partial<BatcherOptions<Asked, Room>> = {}) {
    this.#run = run;
    this.#options = {
      most: 100,
      patienceMs: PATIENCE_MS,
      enter: (_asked, batch) => batch(undefined as Room),
      nameOf: () => null,
      ...options,
    };
  }

  /** Whether no request waits, and no batch is under way except those that took longer than the patience. */
  get idle(): boolean {
    return this.#underWay === null && this.#waiting.length === 0;
  }

  /** The answer to this request, from a batch that starts after the call. Rejects as the batch does. */
  ask(asked: Asked): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ asked, name: this.#options.nameOf(asked), resolve, reject });
      this.#plan();
    });
  }

  // Requests that arrive in one turn of the event loop go together.
  #plan(): void {
    if (this.#planned || this.#underWay !== null || this.#waiting.length === 0) return;
    this.#planned = true;
    setImmediate(() => {
      this.#planned = false;
      const byName = new Map(this.#waiting.map((asking) => [asking.name, asking]));
      for (const asking of byName.values()) this.#enter(asking);
    });
  }

  #enter({ asked, name }: Asking<Asked, Answer>): void {
    if (this.#entering.has(name)) return;
    this.#entering.add(name);
    const before = new Set(this.#waiting.filter((asking) => asking.name === name));
    const start = (room: Room) => {
      this.#entering.delete(name);
      return this.#start(room);
    };
    this.#options.enter(asked, start).catch((error) => {
      this.#entering.delete(name);
      const failed = this.#waiting.filter((asking) => before.has(asking));
      this.#waiting = this.#waiting.filter((asking) => !before.has(asking));
      for (const { reject } of failed) reject(error);
      this.#plan();
    });
  }

  async #start(room: Room): Promise<void> {
    const batch = this.#waiting.splice(0, this.#options.most);
    // A batch in another room took all requests.
    if (batch.length === 0) return;
    const own = Symbol('batch');
    this.#underWay = own;
    const makeWay = () => {
      if (this.#underWay !== own) return;
      this.#underWay = null;
      this.#plan();
    };
    const { patienceMs } = this.#options;
    const timer = patienceMs === Infinity ? undefined : setTimeout(makeWay, patienceMs).unref();
    const end = () => {
      clearTimeout(timer);
      makeWay();
    };
    try {
      const answers = await this.#run(
        batch.map(({ asked }) => asked),
        room,
      );
      if (answers.length !== batch.length) throw new Error('A batch must have an answer to each request.');
      end();
      batch.forEach(({ resolve }, index) => {
        resolve(answers[index] as Answer);
      });
    } catch (error) {
      end();
      for (const { reject } of batch) reject(error);
    }
  }
}

/**
 * A function that shares one run among simultaneous calls: the run starts after all calls that it answers, with the
 * argument of the first, and only one is under way at a time. A run that never ends blocks the next.
 */
export function sharedRun<Asked, T>(run: (first: Asked) => Promise<T>): (asked: Asked) => Promise<T> {
  const runs = new Batcher<Asked, T>(
    async (asked) => {
      const result = await run(asked[0] as Asked);
      return asked.map(() => result);
    },
    { most: Infinity, patienceMs: Infinity },
  );
  return (asked) => runs.ask(asked);
}
