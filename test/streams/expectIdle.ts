import { setTimeout as sleep } from 'node:timers/promises';
import type { Knex } from 'knex';
import type { TestDatabase } from '../fixture/databases';

const IN_TRANSACTION = {
  mariadb: 'select @@in_transaction as n',
  postgresql: `select count(*) as n from pg_stat_activity where datname = current_database()
    and state like 'idle in transaction%' and pid <> pg_backend_pid()`,
} as const;

const PATIENCE_MS = 5000;

/** Waits until every connection of the pool is free, and expects that none has a transaction open. */
export async function expectIdle({ engine, knex }: Pick<TestDatabase, 'engine' | 'knex'>): Promise<void> {
  const { pool } = knex.client;
  const held = () => [pool.numUsed(), pool.numPendingAcquires()];
  const deadline = performance.now() + PATIENCE_MS;
  while (held().some((count) => count > 0) && performance.now() < deadline) await sleep(20);
  expect(held()).toEqual([0, 0]);
  if (engine === 'sqlite') return;
  const connections = await Promise.all(
    Array.from({ length: pool.numFree() }, () => knex.client.acquireConnection()),
  );
  const open = await Promise.all(connections.map((connection) => openTransactions(engine, knex, connection)));
  await Promise.all(connections.map((connection) => knex.client.releaseConnection(connection)));
  expect(open).toEqual(connections.map(() => 0));
}

async function openTransactions(
  engine: keyof typeof IN_TRANSACTION,
  knex: Knex,
  connection: unknown,
): Promise<number> {
  const result = await knex.raw(IN_TRANSACTION[engine]).connection(connection as object);
  const [row] = engine === 'mariadb' ? result[0] : result.rows;
  return Number(row.n);
}
