import { DatabaseFailure } from './DatabaseFailure';
import type { LockWait, Sender } from './Sender';

const TOGETHER: LockWait = { seconds: 1, repeats: false };
const SEARCH: LockWait = { seconds: 0, repeats: false };
const ALONE: LockWait = { seconds: 0, repeats: true };

/** Changes the rows of these ids by a statement, and returns a result for each. */
type Change<T> = (ids: readonly number[], sender: Sender, wait: LockWait) => Promise<ReadonlyMap<number, T>>;

/**
 * Returns a function that changes the rows of many ids in one statement. If another transaction holds one of them locked,
 * halves of them are tried until it is found: it waits alone, and from then on no other waits with it. While it waits it
 * holds no connection. MySQL, which unlike MariaDB has no lock wait per statement, fails all together after the deadline.
 *
 * It resolves to an outcome for each id as soon as the outcomes of all rows that are not locked are known. It rejects as
 * the change does if it fails for another reason than a locked row. The ids must be distinct. `inSlot` sends its
 * statements in the caller's slot. A row that waits alone is changed outside of the slot, which the caller has left by then.
 */
export function lockedRows<T>(database: Sender) {
  /** The ids of rows that were locked at the last attempt. */
  const locked = new Set<number>();
  /** The last change of each locked row. */
  const last = new Map<number, Promise<unknown>>();

  /** Changes of one locked row run one after another. All fail with the first that fails: each would wait as long in vain. */
  function changeAlone(id: number, change: Change<T>): Promise<T | undefined> {
    locked.add(id);
    const before = last.get(id) ?? Promise.resolve();
    const outcome = before.then(async () => {
      const found = await change([id], database, ALONE);
      locked.delete(id);
      return found.get(id);
    });
    last.set(id, outcome);
    const forget = () => {
      if (last.get(id) === outcome) last.delete(id);
    };
    outcome.then(forget, forget);
    return outcome;
  }

  return async (ids: readonly number[], inSlot: Sender, change: Change<T>) => {
    const outcomes = new Map<number, Promise<T | undefined>>();
    const wait = (id: number) => {
      const outcome = changeAlone(id, change);
      outcome.catch(() => undefined);
      outcomes.set(id, outcome);
    };
    const together = async (some: readonly number[], how: LockWait): Promise<void> => {
      if (some.length === 0) return;
      try {
        const found = await change(some, inSlot, how);
        for (const id of some) outcomes.set(id, Promise.resolve(found.get(id)));
      } catch (error) {
        if (!(error instanceof DatabaseFailure && database.dialect.isRowLocked(error))) throw error;
        const middle = some.length >> 1;
        const halves = [some.slice(0, middle), some.slice(middle)];
        if (middle === 0) some.forEach(wait);
        else await Promise.all(halves.map((half) => together(half, SEARCH)));
      }
    };
    // All processes lock rows in one order, so that none waits for one that waits for it.
    const sorted = ids.toSorted((one, other) => one - other);
    const [waiting, others] = [sorted.filter((id) => locked.has(id)), sorted.filter((id) => !locked.has(id))];
    waiting.forEach(wait);
    await together(others, TOGETHER);
    return outcomes;
  };
}
