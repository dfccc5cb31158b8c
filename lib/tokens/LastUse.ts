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
      const noted = await rows.change([...new Set(asked)], inSlot, async (ids, sender, wait) => {
        const sql = dialect.boundLockWait(`${update} (${ids.join(', ')})`, wait.seconds);
        await sender.query('tokens.touch', (handle) => handle.raw(sql), wait);
        return new Map<number, undefined>();
      });
      return asked.map((id) => noted.get(id));
    };
    this.#updates = new Batcher(note, { enter: (_id, batch) => database.withSlot('tokens.touch', batch) });
  }

  /** Stores that the token was used now, unless a use in the same second is already stored. */
  async note({ id, lastUsedAt, readAt }: TokenRecord): Promise<void> {
    if (lastUsedAt !== null && lastUsedAt >= readAt) return;
    await this.#updates.ask(id);
  }
}
