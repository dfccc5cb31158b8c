import { Batcher, batchesByKey } from '../async/Batcher';
import type { Database, LockWait } from '../database/Database';
import { DatabaseFailure } from '../database/DatabaseFailure';
import type { AddedHits, CountedHits } from '../database/Dialect';
import { LockedRows } from '../database/LockedRows';
import type { OwnTables } from '../database/migrations/Migrations';
import type { Session } from '../database/Session';
import type { Counted, Hit, Limiter } from './Limiter';

/**
 * Counts in the database and by its clock, so that counts are exact across all processes that share the database, even
 * if their own clocks differ. SQLite has no clock of its own, see `#aheadSeconds`. Requests that arrive together are
 * counted in one statement, and each gets its own number in the window. After the length of the window was changed,
 * requests since the beginning of the new window still count, earlier ones do not.
 */
export class DatabaseLimiter implements Limiter {
  readonly #own: OwnTables;
  readonly #tableSql: string;
  readonly #rows: LockedRows;
  /** By the length of the window. */
  readonly #batches = batchesByKey<number, CountedHits, Database, number>((windowSeconds) => {
    const { database } = this.#own;
    const count = (ids: readonly number[], inSlot: Database) => this.#countWindow(ids, windowSeconds, inSlot);
    return new Batcher(count, { enter: (_id, batch) => database.withSlot('limiter.count', batch) });
  });
  /** Whether the server returned the counts of many tokens with the first statement. */
  #returnsCounts = false;
  /**
   * The farthest that a window in the table was seen ahead of the clock, in seconds. On SQLite each process uses its
   * own clock: all follow the one that is farthest ahead, and none follows a clock that is set back.
   */
  #aheadSeconds = 0;

  constructor(own: OwnTables) {
    const { database, tables } = own;
    this.#own = own;
    this.#tableSql = database.knex.ref(tables.rateLimits).toString();
    this.#rows = new LockedRows(database);
  }

  async count({ id, readAt }: Counted, windowSeconds: number): Promise<Hit> {
    const { hits, secondsLeft } = await this.#batches(windowSeconds, id);
    // Windows begin at multiples of their length. The clock is read a little before the count.
    const resetsAt = Math.ceil((readAt + secondsLeft) / windowSeconds) * windowSeconds;
    return { hits, secondsLeft: Math.max(1, secondsLeft), resetsAt };
  }

  async probe(): Promise<void> {
    const { database, tables } = this.#own;
    await database.query('limiter.probe', (knex) => knex(tables.rateLimits).first({ hits: 'hits' }));
  }

  /** Counts a hit for each id. Of several with the same id, each gets a number of its own. */
  async #countWindow(
    ids: readonly number[],
    window: number,
    inSlot: Database,
  ): Promise<readonly Promise<CountedHits>[]> {
    const added = new Map<number, number>();
    const hitsOf = (id: number) => added.get(id) ?? 0;
    const places = ids.map((id) => {
      added.set(id, hitsOf(id) + 1);
      return hitsOf(id);
    });
    const last = await this.#rows.change([...added.keys()], inSlot, async (some, database, wait) => {
      const hits = new Map(some.map((id) => [id, hitsOf(id)]));
      const counts = await this.#add(hits, window, wait, database);
      return new Map(counts.map((count) => [count.token ?? Number(some[0]), count]));
    });
    return ids.map(async (id, index) => {
      const count = await last.get(id);
      if (!count) throw new Error('The database did not count a token.');
      return { ...count, hits: count.hits - hitsOf(id) + Number(places[index]) };
    });
  }

  /** Adds hits to the windows of one or more tokens. Returns the new counts, by the clock that is farthest ahead. */
  async #add(
    added: AddedHits,
    windowSeconds: number,
    lockWait: LockWait,
    database: Database,
  ): Promise<readonly CountedHits[]> {
    const known = this.#aheadSeconds;
    const counts = await this.#write(added, windowSeconds, lockWait, database);
    const isCount = ({ hits, secondsLeft }: CountedHits) => [hits, secondsLeft].every(Number.isSafeInteger);
    if (counts.length !== added.size || !counts.every(isCount))
      throw new DatabaseFailure('limiter.count', 'UNKNOWN_ANSWER');
    // The statement may have read the clock just before the window began.
    const ahead = Math.max(...counts.map(({ secondsLeft }) => secondsLeft)) - windowSeconds;
    if (ahead <= windowSeconds) return counts;
    this.#aheadSeconds = Math.max(this.#aheadSeconds, known + ahead);
    return counts.map((count) => ({ ...count, secondsLeft: Math.min(count.secondsLeft, windowSeconds) }));
  }

  /** Uses one statement if the server returns the counts of all tokens from it, and a transaction of two otherwise. */
  async #write(
    added: AddedHits,
    windowSeconds: number,
    lockWait: LockWait,
    database: Database,
  ): Promise<readonly CountedHits[]> {
    const { countHits, boundLockWait } = database.dialect;
    const table = this.#tableSql;
    if (![windowSeconds, ...[...added].flat()].every(Number.isSafeInteger))
      throw new TypeError('Tokens, hits and windows are integers.');
    const addSql = boundLockWait(
      countHits.addSql(table, added, windowSeconds, this.#aheadSeconds),
      lockWait.seconds,
    );
    const readSql = countHits.readSql(table, added, windowSeconds);
    if (readSql === null || this.#returnsCounts) {
      const counts = countHits.read(
        await database.query('limiter.count', (knex) => knex.raw(addSql), lockWait),
      );
      // A different server may answer after a failover. The requests of this batch are then refused.
      if (counts.length < added.size) this.#returnsCounts = false;
      return counts;
    }
    const count = async (session: Session) => {
      const counts = countHits.read(await session.run((knex) => knex.raw(addSql)));
      this.#returnsCounts = counts.length === added.size;
      return this.#returnsCounts ? counts : countHits.read(await session.run((knex) => knex.raw(readSql)));
    };
    return database.transaction('limiter.count', count, lockWait);
  }
}
