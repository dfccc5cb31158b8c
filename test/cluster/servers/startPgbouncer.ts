import { chownSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { closeAtEnd } from '../../fixture/closeAtEnd';
import { runCommand } from '../../runCommand';
import { ScratchDirectory } from '../../ScratchDirectory';
import { freePort } from '../../servers/freePort';
import { PrivateServer } from '../../servers/PrivateServer';
import { requireProgram } from '../../servers/requireProgram';
import { unprivilegedIdentity } from '../../servers/unprivilegedIdentity';

export type PoolMode = 'session' | 'transaction';

export interface Pgbouncer {
  readonly server: PrivateServer;
  /** The URL of a database through PgBouncer. */
  urlOf(database: string): string;
  /** Sends a command to the admin console, such as PAUSE. */
  command(sql: string): Promise<void>;
}

/** Starts PgBouncer in front of a PostgreSQL, with at most `poolSize` server connections for a database. */
export async function startPgbouncer(
  { url, port: target }: PrivateServer,
  mode: PoolMode,
  poolSize: number,
): Promise<Pgbouncer> {
  const { username, password } = new URL(url);
  const directory = new ScratchDirectory('pgbouncer');
  const identity = await unprivilegedIdentity('postgres');
  const port = await freePort();
  const settings = join(directory.path, 'pgbouncer.ini');
  writeFileSync(
    settings,
    `[databases]
* = host=127.0.0.1 port=${target} user=${username} password=${password}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
admin_users = ${username}
pool_mode = ${mode}
default_pool_size = ${poolSize}
max_client_conn = 500
`,
  );
  if (identity) for (const path of [directory.path, settings]) chownSync(path, identity.uid, identity.gid);
  const urlOf = (database: string) => `postgres://${username}:${password}@127.0.0.1:${port}/${database}`;
  const psql = requireProgram('psql', 'postgresql');
  const command = async (sql: string) => {
    await runCommand(psql, [urlOf('pgbouncer'), '--command', sql]);
  };
  const server = new PrivateServer({
    directory,
    program: requireProgram('pgbouncer', 'pgbouncer'),
    args: [settings],
    identity,
    stopSignal: 'SIGTERM',
    url: urlOf('pgbouncer'),
    port,
    socket: '',
    ready: () => command('SHOW VERSION'),
  });
  closeAtEnd(() => server.stop());
  await server.start();
  return { server, urlOf, command };
}
