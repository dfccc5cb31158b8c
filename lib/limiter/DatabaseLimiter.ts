import { Batcher } from '../async/Batcher';
import { DatabaseFailure } from '../database/DatabaseFailure';
import type { AddedUse, AddedUses, CountedHits } from '../database/Dialect';
import { LockedRows } from '../database/LockedRows';
import type { ModuleTables } from '../database/migrations/Migrations';
import type { LockWait, Sender } from '../database/Sender';
import type { Session } from '../database/Session';
import type { Slot } from '../database/Slot';
import { statementOf } from '../database/Statement';
import type { Counted, Hit, Limiter } from './Limiter';

/** What to add to the windows of one or more tokens, in one statement or one transaction. */
interface Addition {
  readonly added: AddedUses;
  readonly windowSeconds: number;
  readonly wait: LockWait;
  readonly sender: Sender;
}

/** A request to count, or with no hits only the use of a token. */
interface Use extends Counted {
  readonly hits: 0 | 1;
}

/**
 * Counts in the database and by its clock, so that counts are exact across all processes that share the database, even
 * if their own clocks differ. SQLite has no clock of its own, see `latestStart`. Requests that arrive together are
 * counted in one statement, and each gets its own number in the window. A request counts in the window of its look-up,
 * unless the token has a later one. After the length of the window was changed, requests since the beginning of the new
 * window still count, earlier ones do not. The statement that counts also stores the last use.
 */
export class DatabaseLimiter implements Limiter {
  readonly #moduleTables: ModuleTables;
  readonly #table: string;
  readonly #rows: LockedRows<CountedHits>;
  /** By the length of the window, which only administrators change. */
  readonly #batchers = new Map<number, Batcher<Use, CountedHits, Slot>>();
  /** Whether the server returned the counts with the first statement. */
  #returnsCounts = false;
  /**
   * The beginning of the latest window that was seen far ahead of the clock, minus `#uptime` at that moment: a clock that
   * is set back does not change the sum of both. On SQLite each process uses its own clock: all follow the one that is
   * farthest ahead, and none follows a clock that is set back.
   */
  #latestStart = Number.NEGATIVE_INFINITY;

  constructor(moduleTables: ModuleTables) {
    const { database, tables } = moduleTables;
    this.#moduleTables = moduleTables;
    this.#table = database.knex.ref(tables.rateLimits).toString();
    this.#rows = new LockedRows(database);
  }

  async count(token: Counted, windowSeconds: number): Promise<Hit> {
    const { hits, secondsLeft } = await this.#batcher(windowSeconds).ask({ ...token, hits: 1 });
    // Windows begin at multiples of their length. The clock is read a little before the count.
    const resetsAt = Math.ceil((token.readAt + secondsLeft) / windowSeconds) * windowSeconds;
    return { hits, secondsLeft: Math.max(1, secondsLeft), resetsAt };
  }

  /** Stores the last use of a token whose requests another store counts. */
  async noteUse(token: Counted, windowSeconds: number): Promise<void> {
    await this.#batcher(windowSeconds).ask({ ...token, hits: 0 });
  }

  async probe(): Promise<void> {
    const { database, tables } = this.#moduleTables;
    await database.query('limiter.probe', (knex) => knex(tables.rateLimits).first({ hits: 'hits' }));
  }

  get #uptime(): number {
    return this.#moduleTables.database.processClock.now() / 1000;
  }

  #batcher(windowSeconds: number): Batcher<Use, CountedHits, Slot> {
    const { database } = this.#moduleTables;
    const batcher =
      this.#batchers.get(windowSeconds) ??
      new Batcher(
        {
          run: (requests, slot) => this.#countWindow(requests, windowSeconds, slot),
          enter: (batch) => database.withSlot('limiter.count', batch),
        },
        database.processClock,
      );
    this.#batchers.set(windowSeconds, batcher);
    return batcher;
  }

  /** Counts a hit for each request. Of several with the same token, each gets a number of its own. */
  async #countWindow(requests: readonly Use[], windowSeconds: number, slot: Slot) {
    const uses = new Map<number, AddedUse>();
    const numbers = requests.map(({ id, hits, readAt, address }) => {
      const before = uses.get(id);
      const latest = before && before.usedAt > readAt ? before : { usedAt: readAt, address };
      const sum = hits + (before?.hits ?? 0);
      uses.set(id, { ...latest, hits: sum });
      return sum;
    });
    const last = await this.#rows.change([...uses.keys()], slot, async (some, sender, wait) => {
      const added = new Map(some.map((id) => [id, uses.get(id) as AddedUse]));
      const counts = await this.#add({ added, windowSeconds, wait, sender });
      return new Map(counts.map((count) => [count.token, count]));
    });
    return requests.map(async ({ id }, index) => {
      const [count, use] = [await last.get(id), uses.get(id)];
      if (!count || !use) throw new Error('The database did not count a token.');
      return { ...count, hits: count.hits - use.hits + Number(numbers[index]) };
    });
  }

  /** Returns the new counts, by the clock that is farthest ahead. */
  async #add(addition: Addition): Promise<readonly CountedHits[]> {
    const { added, windowSeconds } = addition;
    const numbers = [...added].flatMap(([id, { hits, usedAt }]) => [id, hits, usedAt]);
    if (![windowSeconds, ...numbers].every(Number.isSafeInteger))
      throw new TypeError('Tokens, hits and windows are integers.');
    const usual = added.size === 1 ? await this.#addUsual(addition) : null;
    const counts = usual ? [usual] : await this.#addAny(addition);
    const isCount = ({ hits, secondsLeft }: CountedHits) => [hits, secondsLeft].every(Number.isSafeInteger);
    if (counts.length !== added.size || !counts.every(isCount))
      throw new DatabaseFailure('limiter.count', 'UNKNOWN_ANSWER');
    // A clock that is behind by less sees the window go on, only for longer.
    if (counts.every(({ secondsLeft }) => secondsLeft <= 2 * windowSeconds)) return counts;
    const starts = counts.map(({ start }) => (start || 0) - this.#uptime);
    this.#latestStart = Math.max(this.#latestStart, ...starts);
    return counts.map((count) => ({ ...count, secondsLeft: Math.min(count.secondsLeft, windowSeconds) }));
  }

  /** Adds hits of one token to its window by a short statement; null if this window does not go on. */
  async #addUsual({ added, windowSeconds, wait, sender }: Addition): Promise<CountedHits | null> {
    const [[token, use]] = [...added] as [[number, AddedUse]];
    const { countHits, boundLockWait } = sender.dialect;
    // A request belongs to the window in which it was looked up, as long as the token has no later one.
    const now = Math.max(use.usedAt, Math.floor(this.#latestStart + this.#uptime));
    const start = now - (now % windowSeconds);
    const sql = boundLockWait(countHits.usualSql(this.#table, token, use, start), wait);
    const sum = countHits.readUsual(
      await sender.query('limiter.count', (knex) => statementOf(knex, sql), wait),
    );
    return sum === null || sum < use.hits
      ? null
      : { token, hits: sum, secondsLeft: start + windowSeconds - now, start };
  }

  /** Uses one statement if the server returns the counts from it, and a transaction of two otherwise. */
  async #addAny({ added, windowSeconds, wait, sender }: Addition): Promise<readonly CountedHits[]> {
    const { countHits, boundLockWait } = sender.dialect;
    // If each of the two were rounded down, a process would begin windows earlier than the clock that it follows.
    const atLeast = Math.floor(this.#latestStart + this.#uptime);
    const addSql = boundLockWait(countHits.addSql(this.#table, added, windowSeconds, atLeast), wait);
    const readSql = countHits.readSql(this.#table, added, windowSeconds);
    if (readSql === null || this.#returnsCounts) {
      const counts = countHits.read(
        await sender.query('limiter.count', (knex) => statementOf(knex, addSql), wait),
      );
      // A different server may answer after a failover. The requests of this batch are then refused.
      if (counts.length < added.size) this.#returnsCounts = false;
      return counts;
    }
    const count = async (session: Session) => {
      const counts = countHits.read(await session.run((knex) => statementOf(knex, addSql)));
      this.#returnsCounts = counts.length === added.size;
      return this.#returnsCounts
        ? counts
        : countHits.read(await session.run((knex) => statementOf(knex, readSql)));
    };
    return sender.transaction('limiter.count', count, wait);
  }
}
