import type { Database } from '../database/Database';
import { retryConflicts } from '../database/retryConflicts';
import type { Migrations } from '../migrations/Migrations';
import type { Counted, Hit, Limiter } from './Limiter';

/**
 * Counts in the database, in one statement by the database's clock, so that it is exact for all processes that share
 * the database, however far their own clocks are off. Where the window's length was changed, what was counted since
 * the beginning of the window by its new length goes on counting; what was counted before it is forgotten.
 */
export class DatabaseLimiter implements Limiter {
  readonly #database: Database;
  readonly #migrations: Migrations;
  readonly #table: string;
  readonly #sql: string;

  constructor(database: Database, migrations: Migrations, table: string) {
    this.#database = database;
    this.#migrations = migrations;
    this.#table = table;
    this.#sql = database.dialect.countHit.sql(database.knex.ref(table).toString());
  }

  async count({ id, readAt }: Counted, windowSeconds: number): Promise<Hit> {
    await this.#migrations.ready();
    const result = await retryConflicts(() =>
      this.#database.query('limiter.count', (knex) =>
        knex.raw(this.#sql, { token: id, window: windowSeconds }),
      ),
    );
    const { hits, secondsLeft } = this.#database.dialect.countHit.read(result);
    // Windows begin at multiples of their length, and the clock was read a little before the count.
    const resetsAt = Math.ceil((readAt + secondsLeft) / windowSeconds) * windowSeconds;
    return { hits, secondsLeft: Math.max(1, secondsLeft), resetsAt };
  }

  async probe(): Promise<void> {
    await this.#migrations.ready();
    await this.#database.query('limiter.probe', (knex) => knex(this.#table).first({ hits: 'hits' }));
  }
}
