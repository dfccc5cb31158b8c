interface BatcherOptions<Asked, Room> {
  /** Maximum requests per batch. */
  readonly most: number;
  /** How long the next batch waits for the running one, in milliseconds. Then it starts at the same time. */
  readonly patienceMs: number;
  /**
   * Waits until there is room for a batch with this request, then runs the batch, which never rejects. If `enter`
   * rejects, the requests that waited for this room fail. Default: there is always room.
   */
  readonly enter: (asked: Asked, batch: (room: Room) => Promise<void>) => Promise<void>;
  /**
   * The name of the room. For each name, one batch at a time waits. Why a batch failed in a room is told only to the
   * requests of its name: the others wait for a batch in a room of theirs.
   */
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

/** A longer batch has met a slow database, and must not delay the next ones. */
const PATIENCE_MS = 25;

/**
 * Answers many requests in one step. A request that arrives while a batch runs waits for the next one, so a batch never
 * starts before a request that it answers, and batches grow with the load. A batch takes all requests that wait when it
 * gets room. If it fails, its requests of that room's name fail.
 */
export class Batcher<Asked, Answer, Room = undefined> {
  readonly #run: RunBatch<Asked, Answer, Room>;
  readonly #options: BatcherOptions<Asked, Room>;
  #waiting: Asking<Asked, Answer>[] = [];
  /** Whether room for a batch is requested in the next turn of the event loop. */
  #planned = false;
  /** The names of the rooms that a batch waits for. */
  readonly #entering = new Set<unknown>();
  #underWay: symbol | null = null;

  /** `run` returns the answers in the order of the requests. An answer may be a promise, which may reject alone. */
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

  /** Whether no request waits and no batch runs, except those that have exceeded the patience. */
  get idle(): boolean {
    return this.#underWay === null && this.#waiting.length === 0;
  }

  /** Returns the answer to this request, from a batch that starts after the call. Rejects if the batch does. */
  ask(asked: Asked): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ asked, name: this.#options.nameOf(asked), resolve, reject });
      this.#plan();
    });
  }

  // Requests from one turn of the event loop share a batch.
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
      return this.#start(room, name);
    };
    this.#options.enter(asked, start).catch((error) => {
      this.#entering.delete(name);
      const failed = this.#waiting.filter((asking) => before.has(asking));
      this.#waiting = this.#waiting.filter((asking) => !before.has(asking));
      for (const { reject } of failed) reject(error);
      this.#plan();
    });
  }

  async #start(room: Room, name: unknown): Promise<void> {
    const batch = this.#waiting.splice(0, this.#options.most);
    // A batch in another room has taken all requests.
    if (batch.length === 0) return;
    const own = Symbol('batch');
    this.#underWay = own;
    const { patienceMs } = this.#options;
    const end = () => {
      clearTimeout(timer);
      if (this.#underWay === own) this.#underWay = null;
      this.#plan();
    };
    const timer = patienceMs === Infinity ? undefined : setTimeout(end, patienceMs).unref();
    const asked = batch.map((asking) => asking.asked);
    try {
      const answers = await this.#run(asked, room);
      if (answers.length !== batch.length) throw new Error('A batch must have an answer to each request.');
      end();
      batch.forEach(({ resolve }, index) => {
        resolve(answers[index] as Answer);
      });
    } catch (error) {
      this.#waiting.unshift(...batch.filter((asking) => asking.name !== name));
      end();
      for (const asking of batch) if (asking.name === name) asking.reject(error);
    }
  }
}

/**
 * Returns a batcher that shares one run among simultaneous requests. The run starts after all requests that it answers,
 * with the first of them. Only one run is active at a time: if it never ends, it blocks the next.
 */
export function sharedRun<Asked, T>(run: (first: Asked) => Promise<T>): Batcher<Asked, T> {
  return new Batcher<Asked, T>(
    async (asked) => {
      const result = await run(asked[0] as Asked);
      return asked.map(() => result);
    },
    { most: Infinity, patienceMs: Infinity },
  );
}

/**
 * Returns a function that answers requests by their key, each key with a batcher of its own. Clients choose the keys, so
 * a batcher is kept only while it is used.
 */
export function batchesByKey<Asked, Answer, Room = undefined, Key = string>(
  create: (key: Key) => Batcher<Asked, Answer, Room>,
): (key: Key, asked: Asked) => Promise<Answer> {
  const used = new Map<Key, Batcher<Asked, Answer, Room>>();
  return async (key, asked) => {
    const batcher = used.get(key) ?? create(key);
    used.set(key, batcher);
    try {
      return await batcher.ask(asked);
    } finally {
      if (batcher.idle && used.get(key) === batcher) used.delete(key);
    }
  };
}
