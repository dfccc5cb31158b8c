/** How a batcher forms its batches. */
interface BatcherOptions<Asked, Room> {
  /** How much one batch takes at most. */
  readonly most: number;
  /** How long the next batch waits for the one under way, in milliseconds, before it starts beside it. */
  readonly patienceMs: number;
  /**
   * Waits until there is room for a batch with this in it, and runs the batch there; the batch never rejects. By default
   * there is room at once. If it rejects, what waited for that room fails with it.
   */
  readonly enter: (asked: Asked, batch: (room: Room) => Promise<void>) => Promise<void>;
  /** In whose name room is asked for: one batch waits for one room in each name. */
  readonly nameOf: (asked: Asked) => unknown;
}

type RunBatch<Asked, Answer, Room> = (
  batch: readonly Asked[],
  room: Room,
) => Promise<readonly (Answer | Promise<Answer>)[]>;

interface Asking<Asked, Answer> {
  readonly asked: Asked;
  readonly name: unknown;
  readonly resolve: (answer: Answer | PromiseLike<Answer>) => void;
  readonly reject: (error: unknown) => void;
}

/** A batch that takes longer than this has met a slow database, and must not hold up those who come after it. */
const PATIENCE_MS = 25;

/**
 * Does in one step what many ask for at the same time. What is asked for while a batch is under way waits for the next,
 * so that a batch never began before something that it answers was asked, and batches grow with the load. A batch takes
 * in what waits at the moment when there is room for it, and starts beside another only then. One that fails, fails for
 * all in it.
 */
export class Batcher<Asked, Answer, Room = undefined> {
  readonly #run: RunBatch<Asked, Answer, Room>;
  readonly #options: BatcherOptions<Asked, Room>;
  #waiting: Asking<Asked, Answer>[] = [];
  /** Whether room for the next batch is about to be asked for. */
  #planned = false;
  /** The names in which room is waited for. */
  readonly #entering = new Set<unknown>();
  #underWay: symbol | null = null;

  /** `run` returns the answers in the order of what was asked; one that is still a promise may fail alone. */
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

  /** Whether nothing waits, and no batch is under way but such as have outlived the patience. */
  get idle(): boolean {
    return this.#underWay === null && this.#waiting.length === 0;
  }

  /** The answer to this, from a batch that starts after the call. Rejects as the batch does. */
  ask(asked: Asked): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ asked, name: this.#options.nameOf(asked), resolve, reject });
      this.#plan();
    });
  }

  // What arrives in one turn of the event loop goes together.
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
    // Another room was found first.
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
      const answers = await this.#answers(batch, room);
      end();
      batch.forEach(({ resolve }, index) => {
        resolve(answers[index] as Answer);
      });
    } catch (error) {
      end();
      for (const { reject } of batch) reject(error);
    }
  }

  async #answers(
    batch: readonly Asking<Asked, Answer>[],
    room: Room,
  ): ReturnType<RunBatch<Asked, Answer, Room>> {
    const answers = await this.#run(
      batch.map(({ asked }) => asked),
      room,
    );
    if (answers.length !== batch.length) throw new Error('A batch must have an answer to each.');
    return answers;
  }
}

/**
 * A function that shares one run among all who call it at the same time: the run starts after all calls that it answers,
 * with what the first of them asked, and only one is under way at a time. A run that never ends blocks the next.
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
