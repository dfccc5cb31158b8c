import { randomBytes } from 'node:crypto';
import { closeAtEnd } from '../../fixture/closeAtEnd';
import { openHandle } from '../../fixture/databases';
import { QUIET } from '../../fixture/faults/ownDatabase';
import type { PrivateServer } from '../../servers/PrivateServer';
import { startPostgresql } from '../../servers/startPostgresql';
import type { Replication, Side } from './Replication';

/** Starts a primary and a hot standby that follows it asynchronously, with an empty database. */
export async function startPostgresqlStandby(): Promise<Replication> {
  const name = 'panel';
  const account = { user: 'app', password: randomBytes(12).toString('hex') };
  const sideOf = (server: PrivateServer): Side => {
    const url = `postgres://${account.user}:${account.password}@127.0.0.1:${server.port}/${name}`;
    const root = openHandle({ ...QUIET, client: 'pg', connection: server.url });
    return {
      server,
      database: { engine: 'postgresql', url, knex: openHandle({ ...QUIET, client: 'pg', connection: url }) },
      admin: (sql) => root.raw(sql),
    };
  };
  const start = async (options: Parameters<typeof startPostgresql>[0]) => {
    const server = await startPostgresql({ ...options, durable: true });
    closeAtEnd(() => server.stop());
    return sideOf(server);
  };
  // A standby that was killed still finds what it has missed.
  const primary = await start({ more: ['--wal_keep_size=64MB'] });
  await primary.admin(`CREATE ROLE ${account.user} LOGIN PASSWORD '${account.password}'`);
  await primary.admin(`CREATE DATABASE ${name} OWNER ${account.user}`);
  const replica = await start({
    standbyOf: primary.server,
    more: ['--max_standby_streaming_delay=300ms', '--wal_retrieve_retry_interval=200ms'],
  });
  return {
    primary,
    replica,
    pause: () => replica.admin('SELECT pg_wal_replay_pause()'),
    resume: () => replica.admin('SELECT pg_wal_replay_resume()'),
  };
}
