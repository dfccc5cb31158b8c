import { setTimeout as sleep } from 'node:timers/promises';
import type { Knex } from 'knex';
import type { TestDatabase } from '../fixture/databases';

const OPEN_TRANSACTIONS = {
  mariadb: `select count(*) as n from information_schema.innodb_trx t
    join information_schema.processlist p on p.id = t.trx_mysql_thread_id
    where p.db = database() and p.id <> connection_id()`,
  postgresql: `select count(*) as n from pg_stat_activity
    where datname = current_database() and state like 'idle in transaction%' and pid <> pg_backend_pid()`,
} as const;

const PATIENCE_MS = 5000;

/** Waits until every connection of the pool is free and none has a transaction open. */
export async function expectIdle({ engine, knex }: Pick<TestDatabase, 'engine' | 'knex'>): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  let state = await stateOf(engine, knex);
  while (state.some((count) => count > 0) && performance.now() < deadline) {
    await sleep(20);
    state = await stateOf(engine, knex);
  }
  expect(state).toEqual([0, 0, 0]);
}

async function stateOf(engine: TestDatabase['engine'], knex: Knex): Promise<readonly number[]> {
  const { pool } = knex.client;
  const used = [pool.numUsed(), pool.numPendingAcquires()];
  if (engine === 'sqlite') return [...used, 0];
  const result = await knex.raw(OPEN_TRANSACTIONS[engine]);
  const [row] = engine === 'mariadb' ? result[0] : result.rows;
  return [...used, Number(row.n)];
}
