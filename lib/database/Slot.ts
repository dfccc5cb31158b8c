import type { Leave } from './ConnectionSlots';
import type { Handles } from './handles';
import { Sender } from './Sender';

/** A slot of the database, in which statements are sent one after another, all until one deadline. */
export class Slot extends Sender {
  readonly #end: number;
  /** Resolves when the statement that was asked for last has ended. */
  #last: Promise<void> = Promise.resolve();
  #isClosed = false;

  constructor(handles: Handles, deadlineMs: number, end: number) {
    super(handles, deadlineMs);
    this.#end = end;
  }

  /**
   * Calls `leave` when the last statement has ended: one that was given up may still wait for a connection, or for its
   * end. Statements that are asked for later fail.
   */
  close(leave: Leave): void {
    this.#isClosed = true;
    void this.#last.then(leave);
  }

  protected async enter(onTimeout: () => Error): Promise<Leave> {
    if (this.#isClosed) throw onTimeout();
    const before = this.#last;
    let leave: Leave = () => {};
    this.#last = new Promise((resolve) => {
      leave = resolve;
    });
    await before;
    return leave;
  }

  protected end(): number {
    return Math.min(this.processClock.now() + this.deadlineMs, this.#end);
  }

  protected ready(): undefined {}
}
