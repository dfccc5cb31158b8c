import type { CountedHits } from '../database/CountHits';
import type { Database } from '../database/Database';

/**
 * Adds hits to the windows of tokens, of one or of many at once, and tells what they came to. One statement does both
 * where the database can; where it cannot for many tokens, a transaction does.
 */
export class HitCounter {
  readonly #database: Database;
  readonly #table: string;
  /** Whether the server was seen to tell with the first statement what many tokens came to. */
  #tellsItself = false;

  constructor(database: Database, table: string) {
    this.#database = database;
    this.#table = database.knex.ref(table).toString();
  }

  /** `added` has the hits to add by the ids of the tokens, in the order of the ids. */
  async add(added: ReadonlyMap<number, number>, window: number): Promise<readonly CountedHits[]> {
    const { countHits } = this.#database.dialect;
    const table = this.#table;
    const bindings = Object.fromEntries([
      ['window', window],
      ...[...added].flatMap(([id, hits], index) => [
        [`token${index}`, id],
        [`hits${index}`, hits],
      ]),
    ]);
    const addSql = countHits.addSql(table, added.size, window);
    const readSql = countHits.readSql(table, added.size);
    if (readSql === null || this.#tellsItself) {
      const counts = countHits.read(
        await this.#database.query('limiter.count', (knex) => knex.raw(addSql, bindings)),
      );
      // Another server may have taken the place of the one that told.
      if (counts.length < added.size) this.#tellsItself = false;
      return counts;
    }
    return this.#database.transaction('limiter.count', async (session) => {
      const counts = countHits.read(await session.run((knex) => knex.raw(addSql, bindings)));
      this.#tellsItself = counts.length === added.size;
      return this.#tellsItself
        ? counts
        : countHits.read(await session.run((knex) => knex.raw(readSql, bindings)));
    });
  }
}
