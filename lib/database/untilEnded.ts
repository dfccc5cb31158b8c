import { setTimeout as sleep } from 'node:timers/promises';
import type { Dialect } from './Dialect';

/** A statement that was sent over a connection. */
interface SentStatement<T> {
  readonly answer: PromiseLike<T>;
  readonly connection: object;
  /** How long the server may run it, in milliseconds. */
  readonly limitMs: number;
}

/** How much later than at its limit, or than it was told to, the server may end a statement, in milliseconds. */
const LATE_MS = 100;

/** How often the server is told to end a statement. One that waits in a pooler has not begun at the first time. */
const MOST_TIMES = 6;

/**
 * How long the module waits for a statement that it cannot end, in milliseconds: longer than MySQL waits for a locked row
 * unless it is told otherwise.
 */
const MOST_MS = 60_000;

/**
 * Settles when the server has ended the statement, so that its connection and its slot are free for others. Rejects with
 * the code STATEMENT_ABANDONED if the server does not answer although it must have ended the statement: then the
 * connection is broken and must be closed.
 */
export function untilEnded<T>(
  { answer, connection, limitMs }: SentStatement<T>,
  dialect: Pick<Dialect, 'limit' | 'end'>,
): Promise<T> {
  return new Promise((resolve, reject) => {
    let settled = false;
    const timer = setTimeout(endStatement, limitMs + (dialect.limit ? LATE_MS : 0)).unref();
    async function endStatement(): Promise<void> {
      for (let times = 1; !settled; times += 1) {
        const outcome = await dialect.end(connection);
        if (times === MOST_TIMES) return abandon();
        await sleep(outcome === 'unknown' ? MOST_MS : LATE_MS, undefined, { ref: false });
        if (outcome !== 'asked') return abandon();
      }
    }
    function abandon(): void {
      reject(Object.assign(new Error('The server did not answer.'), { code: 'STATEMENT_ABANDONED' }));
    }
    function settle(): void {
      settled = true;
      clearTimeout(timer);
    }
    answer.then(
      (result) => {
        settle();
        resolve(result);
      },
      (error) => {
        settle();
        reject(error);
      },
    );
  });
}
