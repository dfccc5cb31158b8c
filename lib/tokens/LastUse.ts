import { Batcher } from '../async/Batcher';
import { lockedRows } from '../database/lockedRows';
import type { OwnTables } from '../database/migrations/Migrations';
import type { Session } from '../database/Session';
import type { Slot } from '../database/Slot';
import type { TokenRecord } from './TokenRecord';

interface Use {
  readonly id: number;
  readonly address: string | null;
}

/**
 * How far a stored time may be ahead of the clock, because the nodes of a cluster or two statements differ by that much.
 * A time beyond that is from a clock that was wrong, and the next use replaces it.
 */
const AHEAD_SECONDS = 2;

export type LastUse = ReturnType<typeof lastUses>;

/** Stores when each token was last used, and from which address. */
export function lastUses({ database, tables }: OwnTables) {
  const { knex, dialect } = database;
  const changeRows = lockedRows<undefined>(database);

  function update(uses: ReadonlyMap<number, Use>, ids: readonly number[]): string {
    const addresses = ids.map((id) => `WHEN ${id} THEN ${addressSql(uses.get(id)?.address ?? null)}`);
    return `UPDATE ${knex.ref(tables.tokens)}
      SET last_used_at = ${dialect.now}, last_used_address = CASE id ${addresses.join(' ')} END
      WHERE (last_used_at IS NULL OR last_used_at NOT BETWEEN ${dialect.now} AND ${dialect.now} + ${AHEAD_SECONDS})
        AND id IN (${ids.join(', ')})`;
  }

  async function store(asked: readonly Use[], slot: Slot) {
    const uses = new Map(asked.map((use) => [use.id, use]));
    const noted = await changeRows([...uses.keys()], slot, async (ids, sender, wait) => {
      const sql = dialect.boundLockWait(update(uses, ids), wait.seconds);
      await sender.query('tokens.touch', (handle) => handle.raw(sql), wait);
      return new Map();
    });
    return asked.map(({ id }) => noted.get(id));
  }

  const updates = new Batcher({ run: store, enter: (batch) => database.withSlot('tokens.touch', batch) });

  return {
    /**
     * Stores that the token was used now from this address, unless a use in the same second is already stored. Null
     * stores no address, and deletes that of the use before.
     */
    async note({ id, lastUsedAt, readAt }: TokenRecord, address: string | null): Promise<void> {
      if (lastUsedAt !== null && lastUsedAt >= readAt && lastUsedAt <= readAt + AHEAD_SECONDS) return;
      await updates.ask({ id, address });
    },

    /** Deletes all stored addresses and networks, within a transaction. */
    async forgetAddresses(session: Session): Promise<void> {
      await session.run<unknown>((handle) =>
        handle(tables.tokens)
          .whereNotNull('last_used_address')
          .orWhereNotNull('seen_networks')
          .update({ last_used_address: null, seen_networks: null }),
      );
    },
  };
}

/** The characters of an IP address with a zone. They mean the same in every mode of every database. */
const PLAIN = /^[\w.:%-]{1,64}$/;

// A statement that bounds its wait for locks takes no bindings.
function addressSql(address: string | null): string {
  return address !== null && PLAIN.test(address) ? `'${address}'` : 'NULL';
}
