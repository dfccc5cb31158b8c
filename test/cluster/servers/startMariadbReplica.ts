import { randomBytes } from 'node:crypto';
import { closeAtEnd } from '../../fixture/closeAtEnd';
import { openHandle } from '../../fixture/databases';
import { startMariadb } from '../../servers/startMariadb';
import type { Replication, Side } from './Replication';

/** Starts a primary and a replica that follows it asynchronously, with an empty database. */
export async function startMariadbReplica(): Promise<Replication> {
  const name = 'panel';
  const account = { user: 'app', password: randomBytes(12).toString('hex') };
  const start = async (id: number, ...more: string[]): Promise<Side> => {
    const server = await startMariadb({
      // So that a killed server loses nothing that it has committed.
      durable: true,
      more: [
        `--server-id=${id}`,
        '--log-bin=binlog',
        '--binlog-format=ROW',
        '--log-slave-updates',
        '--gtid-strict-mode=1',
        ...more,
      ],
    });
    closeAtEnd(() => server.stop());
    const url = `mysql://${account.user}:${account.password}@127.0.0.1:${server.port}/${name}`;
    const root = openHandle({ client: 'mysql2', connection: server.url });
    return {
      server,
      database: { engine: 'mariadb', url, knex: openHandle({ client: 'mysql2', connection: url }) },
      admin: (sql) => root.raw(sql),
    };
  };
  const [primary, replica] = await Promise.all([start(1), start(2, '--read-only=1')]);
  const { username, password } = new URL(primary.server.url);
  await replica.admin(`CHANGE MASTER TO MASTER_HOST = '127.0.0.1', MASTER_PORT = ${primary.server.port},
    MASTER_USER = '${username}', MASTER_PASSWORD = '${password}', MASTER_USE_GTID = slave_pos,
    MASTER_CONNECT_RETRY = 1`);
  await replica.admin('START SLAVE');
  await primary.admin(`CREATE DATABASE ${name}`);
  await primary.admin(`CREATE USER ${account.user}@'%' IDENTIFIED BY '${account.password}'`);
  await primary.admin(`GRANT ALL ON ${name}.* TO ${account.user}@'%'`);
  return {
    primary,
    replica,
    pause: () => replica.admin('STOP SLAVE SQL_THREAD'),
    resume: () => replica.admin('START SLAVE'),
  };
}
