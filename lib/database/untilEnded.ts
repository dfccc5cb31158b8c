import type { Clock } from '../async/Clock';
import type { Dialect } from './Dialect';
import type { Statement } from './Statement';

/** A statement that was sent over a connection. */
interface SentStatement<T> {
  readonly answer: Pick<Statement<T>, 'then' | 'toSQL'>;
  readonly connection: object;
  /** How long the server may run it, in milliseconds. */
  readonly limitMs: number;
}

/** After how long the server is told, or told again, to end a statement that exceeds its limit, in milliseconds. */
const LATE_MS = 100;

/**
 * How much later than at its limit a busy server may end a statement, as a share of the limit: as long as it does not
 * answer, nothing tells it from a connection that was lost without a word.
 */
const LATE_SHARE = 0.5;

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
  clock: Clock,
): Promise<T> {
  return new Promise((resolve, reject) => {
    let settled = false;
    // While the server is told to end the statement, the connection must not be used for another.
    let telling: Promise<unknown> = Promise.resolve();
    const cancel = clock.after(limitMs + (dialect.limit ? LATE_MS : 0), endStatement);
    async function endStatement(): Promise<void> {
      const end = clock.now() + Math.min(MOST_MS, Math.max(2 * LATE_MS, limitMs * LATE_SHARE));
      // One that waits in a pooler has not begun at the first time.
      for (let times = 1; clock.now() < end && !settled; times += 1) {
        const told = dialect.end(connection, answer.toSQL().sql);
        telling = told;
        const waitMs = (await told) ? times * LATE_MS : MOST_MS;
        await new Promise<void>((goOn) => clock.after(waitMs, goOn));
      }
      reject(Object.assign(new Error('The server did not answer.'), { code: 'STATEMENT_ABANDONED' }));
    }
    function settle(): Promise<unknown> {
      settled = true;
      cancel();
      return telling;
    }
    answer.then(
      (result) => settle().then(() => resolve(result)),
      (error) => settle().then(() => reject(error)),
    );
  });
}
