import { integerIn } from '../database/DatabaseFailure';
import { LockedRows } from '../database/LockedRows';
import type { ModuleTables } from '../database/migrations/Migrations';
import { declaredSettings } from '../settings/declaredSettings';

// A token's last use stands beside its count: the statements of `lib/database/dialects/countHits.ts` store it.

/** How many rows one statement changes: a request that waits for one of them waits for the statement. */
const ROWS_AT_ONCE = 100;

/** SQL for a column of a token's last use; null if it was never used. A subquery, so that FOR UPDATE locks no count. */
export function lastUseSql({ database: { knex }, tables }: ModuleTables, column: string, of = tables.tokens) {
  const [uses, tokens] = [knex.ref(tables.rateLimits).toString(), knex.ref(of).toString()];
  return `(SELECT last.${column} FROM ${uses} last WHERE last.token_id = ${tokens}.id)`;
}

/** The columns of the last use of tokens, whose table has the name `of` in the query. No address while none is allowed. */
export function lastUseColumns(moduleTables: ModuleTables, of = moduleTables.tables.tokens) {
  const { knex } = moduleTables.database;
  const { name, write } = declaredSettings.lastUsedAddress;
  const isOff = `SELECT 1 FROM ${knex.ref(moduleTables.tables.settings).toString()}
    WHERE name = '${name}' AND value = '${write(false)}'`;
  const address = lastUseSql(moduleTables, 'last_used_address', of);
  return {
    used: knex.raw(lastUseSql(moduleTables, 'last_used_at', of)),
    client: knex.raw(`CASE WHEN EXISTS (${isOff}) THEN NULL ELSE ${address} END`),
  };
}

/** Deletes all stored addresses and networks, in pieces that delay no request. */
export async function forgetAddresses(moduleTables: ModuleTables): Promise<void> {
  const { rateLimits, tokens } = moduleTables.tables;
  await forget(moduleTables, rateLimits, 'token_id', ['last_used_address']);
  // The version before stores the address there.
  await forget(moduleTables, tokens, 'id', ['last_used_address', 'seen_networks']);
}

async function forget({ database }: ModuleTables, name: string, key: string, columns: readonly string[]) {
  const locked = new LockedRows<undefined>(database);
  const table = database.knex.ref(name).toString();
  const empty = columns.map((column) => `${column} = NULL`).join(', ');
  for (let after = 0; ; ) {
    const from = after;
    const rows = await database.query('settings.forget', (knex) =>
      knex(name)
        .select({ key })
        .where(key, '>', from)
        .where((stored) => {
          for (const column of columns) stored.orWhereNotNull(column);
        })
        .orderBy(key)
        .limit(ROWS_AT_ONCE),
    );
    const keys = rows.map((row) => integerIn('settings.forget', row.key));
    if (keys.length === 0) return;
    after = Math.max(...keys);
    const outcomes = await database.withSlot('settings.forget', (slot) =>
      locked.change(keys, slot, async (some, sender, wait) => {
        const update = `UPDATE ${table} SET ${empty} WHERE ${key} IN (${some.join(', ')})`;
        const sql = sender.dialect.boundLockWait(update, wait);
        await sender.query('settings.forget', (knex) => knex.raw(sql), wait);
        return new Map();
      }),
    );
    await Promise.all(outcomes.values());
  }
}
