import type { AddedHits, CountedHits } from '../database/CountHits';
import type { Database } from '../database/Database';
import type { LockWait } from '../database/LockedRows';
import type { Session } from '../database/Session';

/**
 * Adds hits to the windows of tokens, of one or of many at once, and tells what they came to. One statement does both
 * where the database can; where it cannot for many tokens, a transaction does.
 */
export class HitCounter {
  readonly #database: Database;
  readonly #table: string;
  /** Whether the server was seen to tell with the first statement what many tokens came to. */
  #tellsItself = false;
  /**
   * How far the windows in the table were seen ahead of the database's clock. SQLite's clock is that of each process: all
   * follow the one that is furthest ahead, and none goes back with a clock that is set back.
   */
  #aheadSeconds = 0;

  constructor(database: Database, table: string) {
    this.#database = database;
    this.#table = database.knex.ref(table).toString();
  }

  /**
   * `database` is the one with a place, if there is one. Rejects with a TypeError if anything is no safe integer, and
   * with a DatabaseFailure.
   */
  async add(
    added: AddedHits,
    windowSeconds: number,
    lockWait: LockWait,
    database = this.#database,
  ): Promise<readonly CountedHits[]> {
    const known = this.#aheadSeconds;
    const counts = await this.#add(added, windowSeconds, lockWait, database);
    // One window more is what a statement that began in the last one may see.
    const ahead = Math.max(...counts.map(({ secondsLeft }) => secondsLeft)) - windowSeconds;
    if (ahead <= windowSeconds) return counts;
    this.#aheadSeconds = Math.max(this.#aheadSeconds, known + ahead);
    return counts.map((count) => ({ ...count, secondsLeft: Math.min(count.secondsLeft, windowSeconds) }));
  }

  async #add(
    added: AddedHits,
    windowSeconds: number,
    lockWait: LockWait,
    database: Database,
  ): Promise<readonly CountedHits[]> {
    const { countHits, boundLockWait } = database.dialect;
    const table = this.#table;
    if (![windowSeconds, ...[...added].flat()].every(Number.isSafeInteger)) {
      throw new TypeError('Tokens, hits and windows are integers.');
    }
    const addSql = boundLockWait(
      countHits.addSql(table, added, windowSeconds, this.#aheadSeconds),
      lockWait.seconds,
    );
    const readSql = countHits.readSql(table, added, windowSeconds);
    if (readSql === null || this.#tellsItself) {
      const counts = countHits.read(
        await database.query('limiter.count', (knex) => knex.raw(addSql), lockWait),
      );
      // Another server may have taken the place of the one that told.
      if (counts.length < added.size) this.#tellsItself = false;
      return counts;
    }
    const count = async (session: Session) => {
      const counts = countHits.read(await session.run((knex) => knex.raw(addSql)));
      this.#tellsItself = counts.length === added.size;
      return this.#tellsItself ? counts : countHits.read(await session.run((knex) => knex.raw(readSql)));
    };
    return database.transaction('limiter.count', count, lockWait);
  }
}
