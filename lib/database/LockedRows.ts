import { DatabaseFailure } from './DatabaseFailure';
import type { LockWait, Sender } from './Sender';

const TOGETHER: LockWait = 1;
const ALONE: LockWait = 0;

/** Changes the rows of these ids by a statement, and returns a result for each. */
type Change<T> = (ids: readonly number[], sender: Sender, wait: LockWait) => Promise<ReadonlyMap<number, T>>;

/**
 * Changes the rows of many ids in one statement. If another transaction holds one of them locked, each is changed alone:
 * the locked one waits, and from then on no other waits with it. While it waits it holds no connection. MySQL, which
 * unlike MariaDB has no lock wait per statement, fails all together after the deadline.
 */
export class LockedRows<T> {
  readonly #database: Sender;
  /** The ids of rows that were locked at the last attempt. */
  readonly #locked = new Set<number>();
  /** The last change of each row that is changed alone. */
  readonly #last = new Map<number, Promise<unknown>>();

  constructor(database: Sender) {
    this.#database = database;
  }

  /**
   * Resolves to an outcome for each id as soon as the outcomes of all rows that are changed together are known. Rejects as
   * the change does if it fails for another reason than a locked row. The ids must be distinct. `inSlot` sends its
   * statements in the caller's slot. A row is changed alone outside of the slot, which the caller has left by then.
   */
  async change(ids: readonly number[], inSlot: Sender, change: Change<T>) {
    const outcomes = new Map<number, Promise<T | undefined>>();
    const changeAlone = (id: number) => {
      const outcome = this.#changeAlone(id, change);
      outcome.catch(() => undefined);
      outcomes.set(id, outcome);
    };
    // All processes lock rows in one order, so that none waits for one that waits for it.
    const sorted = ids.toSorted((one, other) => one - other);
    sorted.filter((id) => this.#locked.has(id)).forEach(changeAlone);
    const others = sorted.filter((id) => !outcomes.has(id));
    if (others.length === 0) return outcomes;
    try {
      const found = await change(others, inSlot, TOGETHER);
      for (const id of others) outcomes.set(id, Promise.resolve(found.get(id)));
    } catch (error) {
      if (!(error instanceof DatabaseFailure && this.#database.dialect.isRowLocked(error))) throw error;
      others.forEach(changeAlone);
    }
    return outcomes;
  }

  /** Changes of one row run one after another. All fail with the first that fails: each would wait as long in vain. */
  #changeAlone(id: number, change: Change<T>): Promise<T | undefined> {
    this.#locked.add(id);
    const before = this.#last.get(id) ?? Promise.resolve();
    const outcome = before.then(async () => {
      const found = await change([id], this.#database, ALONE);
      this.#locked.delete(id);
      return found.get(id);
    });
    this.#last.set(id, outcome);
    const forget = () => {
      if (this.#last.get(id) === outcome) this.#last.delete(id);
    };
    outcome.then(forget, forget);
    return outcome;
  }
}
