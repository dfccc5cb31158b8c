import { Batcher, batchesByKey } from '../async/Batcher';
import type { Database, LockWait } from '../database/Database';
import { DatabaseFailure } from '../database/DatabaseFailure';
import type { AddedHits, CountedHits } from '../database/Dialect';
import { lockedRows } from '../database/lockedRows';
import type { OwnTables } from '../database/migrations/Migrations';
import type { Session } from '../database/Session';
import type { Limiter } from './Limiter';

/** Hits to add to the windows of one or more tokens, in one statement or one transaction. */
interface Addition {
  readonly added: AddedHits;
  readonly windowSeconds: number;
  readonly wait: LockWait;
  readonly database: Database;
}

/**
 * Counts in the database and by its clock, so that counts are exact across all processes that share the database, even
 * if their own clocks differ. SQLite has no clock of its own, see `latestStart`. Requests that arrive together are
 * counted in one statement, and each gets its own number in the window. After the length of the window was changed,
 * requests since the beginning of the new window still count, earlier ones do not.
 */
export function databaseLimiter({ database: ownDatabase, tables }: OwnTables): Limiter {
  const table = ownDatabase.knex.ref(tables.rateLimits).toString();
  const changeRows = lockedRows<CountedHits>(ownDatabase);
  /** Whether the server returned the counts of many tokens with the first statement. */
  let returnsCounts = false;
  /**
   * The beginning of the latest window that was seen far ahead of the clock, minus `uptime` at that moment: a clock that
   * is set back does not change the sum of both. On SQLite each process uses its own clock: all follow the one that is
   * farthest ahead, and none follows a clock that is set back.
   */
  let latestStart = Number.NEGATIVE_INFINITY;
  const uptime = () => performance.now() / 1000;

  const ask = batchesByKey<number, CountedHits, Database, number>(
    (windowSeconds) =>
      new Batcher((ids, inSlot) => countWindow(ids, windowSeconds, inSlot), {
        enter: (_id, batch) => ownDatabase.withSlot('limiter.count', batch),
      }),
  );

  /** Counts a hit for each id. Of several with the same id, each gets a number of its own. */
  async function countWindow(ids: readonly number[], windowSeconds: number, inSlot: Database) {
    const total = new Map<number, number>();
    const hitsOf = (id: number) => total.get(id) ?? 0;
    const places = ids.map((id) => {
      total.set(id, hitsOf(id) + 1);
      return hitsOf(id);
    });
    const last = await changeRows([...total.keys()], inSlot, async (some, database, wait) => {
      const added = new Map(some.map((id) => [id, hitsOf(id)]));
      const counts = await add({ added, windowSeconds, wait, database });
      return new Map(counts.map((count) => [count.token ?? Number(some[0]), count]));
    });
    return ids.map(async (id, index) => {
      const count = await last.get(id);
      if (!count) throw new Error('The database did not count a token.');
      return { ...count, hits: count.hits - hitsOf(id) + Number(places[index]) };
    });
  }

  /** Returns the new counts, by the clock that is farthest ahead. */
  async function add(addition: Addition): Promise<readonly CountedHits[]> {
    const { added, windowSeconds } = addition;
    const counts = await write(addition);
    const isCount = ({ hits, secondsLeft }: CountedHits) => [hits, secondsLeft].every(Number.isSafeInteger);
    if (counts.length !== added.size || !counts.every(isCount))
      throw new DatabaseFailure('limiter.count', 'UNKNOWN_ANSWER');
    // A clock that is behind by less sees the window go on, only for longer.
    if (counts.every(({ secondsLeft }) => secondsLeft <= 2 * windowSeconds)) return counts;
    latestStart = Math.max(latestStart, ...counts.map(({ start }) => (start || 0) - uptime()));
    return counts.map((count) => ({ ...count, secondsLeft: Math.min(count.secondsLeft, windowSeconds) }));
  }

  /** Uses one statement if the server returns the counts of all tokens from it, and a transaction of two otherwise. */
  async function write({ added, windowSeconds, wait, database }: Addition): Promise<readonly CountedHits[]> {
    const { countHits, boundLockWait } = database.dialect;
    if (![windowSeconds, ...[...added].flat()].every(Number.isSafeInteger))
      throw new TypeError('Tokens, hits and windows are integers.');
    // If each of the two were rounded down, a process would begin windows earlier than the clock that it follows.
    const adding = countHits.addSql(table, added, windowSeconds, Math.floor(latestStart + uptime()));
    const addSql = boundLockWait(adding, wait.seconds);
    const readSql = countHits.readSql(table, added, windowSeconds);
    if (readSql === null || returnsCounts) {
      const counts = countHits.read(await database.query('limiter.count', (knex) => knex.raw(addSql), wait));
      // A different server may answer after a failover. The requests of this batch are then refused.
      if (counts.length < added.size) returnsCounts = false;
      return counts;
    }
    const count = async (session: Session) => {
      const counts = countHits.read(await session.run((knex) => knex.raw(addSql)));
      returnsCounts = counts.length === added.size;
      return returnsCounts ? counts : countHits.read(await session.run((knex) => knex.raw(readSql)));
    };
    return database.transaction('limiter.count', count, wait);
  }

  return {
    async count({ id, readAt }, windowSeconds) {
      const { hits, secondsLeft } = await ask(windowSeconds, id);
      // Windows begin at multiples of their length. The clock is read a little before the count.
      const resetsAt = Math.ceil((readAt + secondsLeft) / windowSeconds) * windowSeconds;
      return { hits, secondsLeft: Math.max(1, secondsLeft), resetsAt };
    },
    async probe() {
      await ownDatabase.query('limiter.probe', (knex) => knex(tables.rateLimits).first({ hits: 'hits' }));
    },
  };
}
