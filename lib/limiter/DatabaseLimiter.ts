import { Batcher } from '../async/Batcher';
import type { Database, LockWait } from '../database/Database';
import { DatabaseFailure } from '../database/DatabaseFailure';
import type { AddedHits, CountedHits } from '../database/Dialect';
import { LockedRows } from '../database/LockedRows';
import type { OwnTable } from '../database/migrations/Migrations';
import type { Session } from '../database/Session';
import type { Counted, Hit, Limiter } from './Limiter';

interface Asked {
  readonly id: number;
  readonly windowSeconds: number;
}

/**
 * Counts in the database and by its clock, so that counts are exact across all processes that share the database, even
 * if their own clocks differ. SQLite has no clock of its own, see `#aheadSeconds`. Requests that arrive together are
 * counted in one statement, and each gets its own number in the window. After the length of the window was changed,
 * requests since the beginning of the new window still count, earlier ones do not.
 */
export class DatabaseLimiter implements Limiter {
  readonly #own: OwnTable;
  readonly #tableSql: string;
  readonly #rows: LockedRows;
  readonly #batches: Batcher<Asked, CountedHits, Database>;
  /** Whether the server returned the counts of many tokens with the first statement. */
  #returnsCounts = false;
  /**
   * The farthest that a window in the table was seen ahead of the clock, in seconds. On SQLite each process uses its
   * own clock: all follow the one that is farthest ahead, and none follows a clock that is set back.
   */
  #aheadSeconds = 0;

  constructor(own: OwnTable) {
    const { database, table } = own;
    this.#own = own;
    this.#tableSql = database.knex.ref(table).toString();
    this.#rows = new LockedRows(database);
    this.#batches = new Batcher((batch, inSlot) => this.#countBatch(batch, inSlot), {
      enter: (_asked, batch) => database.withSlot('limiter.count', batch),
    });
  }

  async count({ id, readAt }: Counted, windowSeconds: number): Promise<Hit> {
    await this.#own.migrations.ready();
    const { hits, secondsLeft } = await this.#batches.ask({ id, windowSeconds });
    // Windows begin at multiples of their length. The clock is read a little before the count.
    const resetsAt = Math.ceil((readAt + secondsLeft) / windowSeconds) * windowSeconds;
    return { hits, secondsLeft: Math.max(1, secondsLeft), resetsAt };
  }

  async probe(): Promise<void> {
    const { database, migrations, table } = this.#own;
    await migrations.ready();
    await database.query('limiter.probe', (knex) => knex(table).first({ hits: 'hits' }));
  }

  async #countBatch(batch: readonly Asked[], inSlot: Database): Promise<readonly Promise<CountedHits>[]> {
    // Usually there is one length, and two if the setting has just been changed.
    const windows = [...new Set(batch.map(({ windowSeconds }) => windowSeconds))];
    const counted = new Map<number, (id: number) => Promise<CountedHits>>();
    for (const window of windows) {
      const ids = batch.filter(({ windowSeconds }) => windowSeconds === window).map(({ id }) => id);
      counted.set(window, await this.#countWindow(ids, window, inSlot));
    }
    return batch.map(({ id, windowSeconds }) => {
      const place = counted.get(windowSeconds);
      if (!place) throw new Error('A window was not counted.');
      return place(id);
    });
  }

  /** Counts a hit for each id. Returns a function whose n-th call with an id returns the count after its n-th hit. */
  async #countWindow(
    ids: readonly number[],
    window: number,
    inSlot: Database,
  ): Promise<(id: number) => Promise<CountedHits>> {
    const added = new Map<number, number>();
    for (const id of ids) added.set(id, (added.get(id) ?? 0) + 1);
    const hitsOf = (id: number) => added.get(id) ?? 0;
    const last = await this.#rows.change([...added.keys()], inSlot, async (some, database, wait) => {
      const hits = new Map(some.map((id) => [id, hitsOf(id)]));
      const counts = await this.#add(hits, window, wait, database);
      return new Map(counts.map((count) => [count.token ?? Number(some[0]), count]));
    });
    const returned = new Map<number, number>();
    return async (id) => {
      const place = (returned.get(id) ?? 0) + 1;
      returned.set(id, place);
      const count = await last.get(id);
      if (!count) throw new Error('The database did not count a token.');
      return { ...count, hits: count.hits - hitsOf(id) + place };
    };
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
    if (![windowSeconds, ...[...added].flat()].every(Number.isSafeInteger)) {
      throw new TypeError('Tokens, hits and windows are integers.');
    }
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
