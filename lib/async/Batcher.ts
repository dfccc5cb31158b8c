import { type Clock, realClock } from './Clock';

interface BatcherParts<Asked, Answer, Slot> {
  /** Waits for a slot, and runs the batch in it. If it rejects before, all requests fail that waited when it was called. */
  readonly enter: (batch: (slot: Slot) => Promise<void>) => Promise<void>;
  /** Returns the answers in the order of the requests. An answer may be a promise, which may reject alone. */
  readonly run: (asked: readonly Asked[], slot: Slot) => Promise<readonly (Answer | Promise<Answer>)[]>;
}

interface Asking<Asked, Answer> {
  readonly asked: Asked;
  readonly resolve: (answer: Answer | PromiseLike<Answer>) => void;
  readonly reject: (error: unknown) => void;
}

/** Maximum requests per batch. */
const MOST = 100;

/** A batch that runs longer has met a slow database, and must not delay the next one. */
const PATIENCE_MS = 25;

/**
 * Answers many requests by one statement. A request that finds nothing under way is sent at once; after a batch of
 * several, the next one also takes those that arrive in the same turn of the event loop. Requests that arrive while a
 * batch runs wait for the next one, so no batch starts before a request that it answers, and batches grow with the load.
 * A batch takes all requests that wait when it gets its slot. If it fails, its requests fail.
 */
export class Batcher<Asked, Answer, Slot> {
  readonly #parts: BatcherParts<Asked, Answer, Slot>;
  readonly #clock: Clock;
  #waiting: Asking<Asked, Answer>[] = [];
  /** Ends the wait for the batch that the next one waits for; null if there is none. */
  #underWay: (() => void) | null = null;
  /** Whether the last batch had several requests. */
  #isBusy = false;

  constructor(parts: BatcherParts<Asked, Answer, Slot>, clock: Clock = realClock) {
    this.#parts = parts;
    this.#clock = clock;
  }

  /** Returns the answer to this request, from a batch that starts after the call. Rejects if the batch does. */
  ask(asked: Asked): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ asked, resolve, reject });
      if (this.#underWay === null) this.#begin();
    });
  }

  #begin(): void {
    const next = () => {
      if (this.#underWay !== next) return;
      this.#underWay = null;
      if (this.#waiting.length > 0) this.#begin();
    };
    this.#underWay = next;
    if (this.#isBusy) void this.#clock.turn().then(() => this.#enter(next));
    else this.#enter(next);
  }

  #enter(next: () => void): void {
    let waited = this.#waiting.length;
    const batch = async (slot: Slot) => {
      waited = 0;
      const cancel = this.#clock.after(PATIENCE_MS, next);
      const asking = this.#waiting.splice(0, MOST);
      this.#isBusy = asking.length > 1;
      await this.#answer(asking, slot);
      cancel();
      next();
    };
    this.#parts.enter(batch).catch((error) => {
      for (const { reject } of this.#waiting.splice(0, waited)) reject(error);
      next();
    });
  }

  /** Never rejects. */
  async #answer(batch: readonly Asking<Asked, Answer>[], slot: Slot): Promise<void> {
    try {
      const answers = await this.#parts.run(
        batch.map(({ asked }) => asked),
        slot,
      );
      if (answers.length !== batch.length) throw new Error('A batch must have an answer to each request.');
      batch.forEach(({ resolve }, index) => {
        resolve(answers[index] as Answer);
      });
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }
}
