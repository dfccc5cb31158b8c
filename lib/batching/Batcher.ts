/** How a batcher forms its batches. */
interface BatcherOptions {
  /** How much one batch takes at most. */
  readonly most: number;
  /** How long the next batch waits for the one under way, in milliseconds, before it starts beside it. */
  readonly patienceMs: number;
}

type RunBatch<Asked, Answer> = (batch: readonly Asked[]) => Promise<readonly (Answer | Promise<Answer>)[]>;

interface Asking<Asked, Answer> {
  readonly asked: Asked;
  readonly resolve: (answer: Answer | PromiseLike<Answer>) => void;
  readonly reject: (error: unknown) => void;
}

/** A batch that takes longer than this has met a slow database, and must not hold up who comes after it. */
const PATIENCE_MS = 25;

/**
 * Does in one step what many ask for at the same time. Whatever is asked for while a batch is under way waits for the
 * next, so that a batch never began before something that it answers was asked, and batches grow with the load. One
 * that fails, fails for all in it.
 */
export class Batcher<Asked, Answer> {
  readonly #run: RunBatch<Asked, Answer>;
  readonly #options: BatcherOptions;
  #waiting: Asking<Asked, Answer>[] = [];
  /** Whether the next batch is due, or waits for the one under way. */
  #planned = false;
  #underWay: symbol | null = null;

  /** `run` returns the answers in the order of what was asked; one that is still a promise may fail alone. */
  constructor(
    run: RunBatch<Asked, Answer>,
    { most = 100, patienceMs = PATIENCE_MS }: Partial<BatcherOptions> = {},
  ) {
    this.#run = run;
    this.#options = { most, patienceMs };
  }

  /** Whether nothing waits, and no batch is under way but such as have outlived the patience. */
  get idle(): boolean {
    return this.#underWay === null && this.#waiting.length === 0;
  }

  /** The answer to this, from a batch that starts after the call. Rejects as the batch does. */
  ask(asked: Asked): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ asked, resolve, reject });
      this.#plan();
    });
  }

  // What arrives in one turn of the event loop goes together.
  #plan(): void {
    if (this.#planned || this.#underWay !== null || this.#waiting.length === 0) return;
    this.#planned = true;
    setImmediate(() => {
      this.#planned = false;
      this.#start();
    });
  }

  #start(): void {
    const batch = this.#waiting.splice(0, this.#options.most);
    const own = Symbol('batch');
    this.#underWay = own;
    const makeWay = () => {
      if (this.#underWay !== own) return;
      this.#underWay = null;
      this.#plan();
    };
    const timer = setTimeout(makeWay, this.#options.patienceMs).unref();
    const end = () => {
      clearTimeout(timer);
      makeWay();
    };
    this.#answers(batch).then(
      (answers) => {
        end();
        batch.forEach(({ resolve }, index) => {
          resolve(answers[index] as Answer);
        });
      },
      (error) => {
        end();
        for (const { reject } of batch) reject(error);
      },
    );
  }

  async #answers(batch: readonly Asking<Asked, Answer>[]): ReturnType<RunBatch<Asked, Answer>> {
    const answers = await this.#run(batch.map(({ asked }) => asked));
    if (answers.length !== batch.length) throw new Error('A batch must have an answer to each.');
    return answers;
  }
}
