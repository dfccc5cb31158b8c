import { randomBytes } from 'node:crypto';
import { openHandle, type TestDatabase } from '../../fixture/databases';
import type { PrivateServer } from '../../servers/PrivateServer';

/** Creates an empty database in a cluster and returns it as each node has it. */
export async function freshOnEach(nodes: readonly PrivateServer[]): Promise<readonly TestDatabase[]> {
  const name = `panel_test_${randomBytes(6).toString('hex')}`;
  const server = openHandle({ client: 'mysql2', connection: nodes[0]!.url });
  await server.raw(`CREATE DATABASE ${name}`);
  return nodes.map((node): TestDatabase => {
    const url = `${node.url}${name}`;
    return { engine: 'mariadb', url, knex: openHandle({ client: 'mysql2', connection: url }) };
  });
}

/** Runs the task while a node applies nothing that was committed on another. */
export async function whileBehind<T>(
  behind: TestDatabase,
  other: TestDatabase,
  task: (catchUp: () => Promise<void>) => Promise<T>,
): Promise<T> {
  await other.knex.raw('CREATE TABLE IF NOT EXISTS ticks (id INT AUTO_INCREMENT PRIMARY KEY)');
  const connection = await behind.knex.client.acquireConnection();
  const send = async (sql: string) => void (await behind.knex.raw(sql).connection(connection));
  const catchUp = () => send('UNLOCK TABLES');
  try {
    await send('SET SESSION wsrep_sync_wait = 1');
    await send('LOCK TABLES ticks READ');
    // Nodes apply all changes in one order, and this one waits for the lock.
    await other.knex('ticks').insert({});
    return await task(catchUp);
  } finally {
    await catchUp();
    await send('SET SESSION wsrep_sync_wait = 0');
    await behind.knex.client.releaseConnection(connection);
  }
}

/** Runs the task while a node commits large changes all the time, so that the others are a little behind. */
export async function whileWriting<T>({ knex }: TestDatabase, task: () => Promise<T>): Promise<T> {
  await knex.raw('CREATE TABLE noise (id INT PRIMARY KEY, filler TEXT)');
  let ended = false;
  const write = async (writer: number) => {
    for (let turn = 0; !ended; turn += 1) {
      const filler = String(turn % 10).repeat(2000);
      const rows = Array.from({ length: 50 }, (_, row) => ({ id: writer * 50 + row, filler }));
      await knex('noise').insert(rows).onConflict('id').merge();
    }
  };
  const writers = [0, 1].map(write);
  try {
    return await task();
  } finally {
    ended = true;
    await Promise.all(writers);
  }
}
