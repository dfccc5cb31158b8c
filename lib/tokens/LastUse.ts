import { Batcher } from '../batching/Batcher';
import type { Database } from '../database/Database';
import type { TokenRecord } from './TokenRecord';

/** Keeps when each token was last used. */
export class LastUse {
  readonly #updates: Batcher<number, undefined>;

  constructor(database: Database, table: string) {
    const { knex, dialect } = database;
    const update = `UPDATE ${knex.ref(table)} SET last_used_at = ${dialect.now}
      WHERE (last_used_at IS NULL OR last_used_at < ${dialect.now}) AND id IN`;
    this.#updates = new Batcher(async (asked) => {
      // In one order everywhere, so that two processes do not wait for one another.
      const ids = [...new Set(asked)].sort((one, other) => one - other);
      await database.rows('tokens.touch', `${update} (${ids.map(() => '?')})`, ids);
      return asked.map(() => undefined);
    });
  }

  /** Notes that the token is in use, unless that was noted in this second already. */
  async note({ id, lastUsedAt, readAt }: TokenRecord): Promise<void> {
    if (lastUsedAt !== null && lastUsedAt >= readAt) return;
    await this.#updates.ask(id);
  }
}
