import { Batcher } from '../async/Batcher';
import type { Database } from '../database/Database';
import { LockedRows } from '../database/LockedRows';
import type { TokenRecord } from './TokenRecord';

/** Stores when each token was last used. */
export class LastUse {
  readonly #updates: Batcher<number, undefined, Database>;

  constructor(database: Database, table: string) {
    const { knex, dialect } = database;
    const update = `UPDATE ${knex.ref(table)} SET last_used_at = ${dialect.now}
      WHERE (last_used_at IS NULL OR last_used_at < ${dialect.now}) AND id IN`;
    const rows = new LockedRows(database);
    const note = async (asked: readonly number[], inSlot: Database) => {
      // All processes lock rows in one order, so that none waits for one that waits for it.
      const ids = [...new Set(asked.map(Number))].sort((one, other) => one - other);
      const noted = await rows.change(ids, async (some, wait) => {
        const sql = dialect.boundLockWait(`${update} (${some.join(', ')})`, wait.seconds);
        // The batch leaves its slot before it waits for a locked row.
        const own = wait.repeats ? database : inSlot;
        await own.query('tokens.touch', (handle) => handle.raw(sql), wait);
        return new Map<number, undefined>();
      });
      return asked.map((id) => noted.get(id));
    };
    this.#updates = new Batcher(note, { enter: (_id, batch) => database.withSlot('tokens.touch', batch) });
  }

  /** Stores that the token is in use now, unless that was stored in the same second. */
  async note({ id, lastUsedAt, readAt }: TokenRecord): Promise<void> {
    if (lastUsedAt !== null && lastUsedAt >= readAt) return;
    await this.#updates.ask(id);
  }
}
