import { Batcher } from '../batching/Batcher';
import type { CountedHits } from '../database/CountHits';
import type { Database } from '../database/Database';
import { LockedRows } from '../database/LockedRows';
import type { Migrations } from '../migrations/Migrations';
import { HitCounter } from './HitCounter';
import type { Counted, Hit, Limiter } from './Limiter';

interface Asked {
  readonly id: number;
  readonly windowSeconds: number;
}

/**
 * Counts in the database by the database's clock, so that it is exact for all processes that share the database,
 * however far their own clocks are off; see HitCounter for SQLite, which has no clock of its own. Requests that arrive
 * together are counted together, and each is told its own place in the window. If the window's length was changed, what
 * was counted since the beginning of the window by its new length goes on counting; what was counted before it is
 * forgotten.
 */
export class DatabaseLimiter implements Limiter {
  readonly #database: Database;
  readonly #migrations: Migrations;
  readonly #table: string;
  readonly #counter: HitCounter;
  readonly #rows: LockedRows;
  readonly #batches: Batcher<Asked, CountedHits, Database>;

  constructor(database: Database, migrations: Migrations, table: string) {
    this.#database = database;
    this.#migrations = migrations;
    this.#table = table;
    this.#counter = new HitCounter(database, table);
    this.#rows = new LockedRows(database);
    this.#batches = new Batcher((batch, placed) => this.#countBatch(batch, placed), {
      enter: (_asked, batch) => database.placed('limiter.count', batch),
    });
  }

  async count({ id, readAt }: Counted, windowSeconds: number): Promise<Hit> {
    await this.#migrations.ready();
    const { hits, secondsLeft } = await this.#batches.ask({ id, windowSeconds });
    // Windows begin at multiples of their length, and the clock was read a little before the count.
    const resetsAt = Math.ceil((readAt + secondsLeft) / windowSeconds) * windowSeconds;
    return { hits, secondsLeft: Math.max(1, secondsLeft), resetsAt };
  }

  async probe(): Promise<void> {
    await this.#migrations.ready();
    await this.#database.query('limiter.probe', (knex) => knex(this.#table).first({ hits: 'hits' }));
  }

  async #countBatch(batch: readonly Asked[], placed: Database): Promise<readonly Promise<CountedHits>[]> {
    // One length as a rule: two only where the setting was changed in between.
    const windows = [...new Set(batch.map(({ windowSeconds }) => windowSeconds))];
    const counted = new Map<number, (id: number) => Promise<CountedHits>>();
    for (const window of windows) {
      const ids = batch.filter(({ windowSeconds }) => windowSeconds === window).map(({ id }) => id);
      counted.set(window, await this.#countWindow(ids, window, placed));
    }
    return batch.map(({ id, windowSeconds }) => {
      const place = counted.get(windowSeconds);
      if (!place) throw new Error('A window was not counted.');
      return place(id);
    });
  }

  /** Counts a hit for each id, and returns a function that returns the hits of an id one by one. */
  async #countWindow(
    ids: readonly number[],
    window: number,
    placed: Database,
  ): Promise<(id: number) => Promise<CountedHits>> {
    const added = new Map<number, number>();
    // In one order everywhere, so that two processes do not wait for one another.
    for (const id of [...ids].sort((one, other) => one - other)) added.set(id, (added.get(id) ?? 0) + 1);
    const hitsOf = (id: number) => added.get(id) ?? 0;
    const last = await this.#rows.change([...added.keys()], async (some, wait) => {
      const hits = new Map(some.map((id) => [id, hitsOf(id)]));
      // A row that is locked is waited for after the batch has left its place.
      const counts = await this.#counter.add(hits, window, wait, wait.repeats ? this.#database : placed);
      return new Map(counts.map((count) => [count.token ?? Number(some[0]), count]));
    });
    const told = new Map<number, number>();
    return async (id) => {
      const place = (told.get(id) ?? 0) + 1;
      told.set(id, place);
      const count = await last.get(id);
      if (!count) throw new Error('The database did not count a token.');
      return { ...count, hits: count.hits - hitsOf(id) + place };
    };
  }
}
