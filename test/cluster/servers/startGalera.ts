import { chownSync, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createConnection, type RowDataPacket } from 'mysql2/promise';
import { closeAtEnd } from '../../fixture/closeAtEnd';
import { runCommand } from '../../runCommand';
import { ScratchDirectory } from '../../ScratchDirectory';
import { freePort } from '../../servers/freePort';
import { PrivateServer } from '../../servers/PrivateServer';
import { requireProgram } from '../../servers/requireProgram';
import { unprivilegedIdentity } from '../../servers/unprivilegedIdentity';

const PROVIDER = '/usr/lib/galera/libgalera_smm.so';

const COMMON = [
  '--no-defaults',
  '--bind-address=127.0.0.1',
  '--skip-name-resolve',
  '--max-connections=500',
  '--character-set-server=utf8mb4',
  '--collation-server=utf8mb4_general_ci',
  '--innodb-log-file-size=8M',
  '--innodb-flush-log-at-trx-commit=2',
  '--innodb-fast-shutdown=2',
  // What every node of Galera needs.
  '--binlog-format=ROW',
  '--innodb-autoinc-lock-mode=2',
  '--wsrep-on=ON',
  `--wsrep-provider=${PROVIDER}`,
  '--wsrep-cluster-name=panel-api',
  '--wsrep-sst-method=rsync',
];

/** The ports of a node: for clients, for the group, and for its copies of changes and of all data. */
type Ports = readonly [port: number, group: number, changes: number, copy: number];

/** Starts a Galera cluster of three nodes. Each node is a PrivateServer; a killed one joins the others again. */
export async function startGalera(): Promise<readonly PrivateServer[]> {
  requireProgram('wsrep_sst_rsync', 'mariadb-server');
  if (!existsSync(PROVIDER)) throw new Error('Galera is missing: install the Debian package galera-4.');
  const ports: Ports[] = [];
  for (let node = 0; node < 3; node += 1)
    ports.push([await freePort(), await freePort(), await freePort(), await freePort()]);
  const group = ports.map(([, port]) => `127.0.0.1:${port}`).join(',');
  const nodes: PrivateServer[] = [];
  for (const own of ports) {
    // Each copies the data of those before it.
    const node = await createNode(own, group, nodes.length === 0);
    closeAtEnd(() => node.stop());
    await node.start();
    nodes.push(node);
  }
  return nodes;
}

async function createNode([port, group, changes, copy]: Ports, all: string, isFirst: boolean) {
  const directory = new ScratchDirectory('galera');
  const at = (name: string) => join(directory.path, name);
  const identity = await unprivilegedIdentity('mysql');
  for (const name of ['.', 'data', 'tmp']) {
    mkdirSync(at(name), { recursive: true });
    if (identity) chownSync(at(name), identity.uid, identity.gid);
  }
  if (isFirst) {
    const install = ['--no-defaults', `--datadir=${at('data')}`, `--tmpdir=${at('tmp')}`, '--skip-test-db'];
    const program = requireProgram('mariadb-install-db', 'mariadb-server-core');
    // root may log in over TCP; the cluster ends with the tests.
    await runCommand(program, [...install, '--auth-root-authentication-method=normal'], { identity });
  }
  const node = `127.0.0.1:${group}`;
  let started = false;
  return new PrivateServer({
    directory,
    program: requireProgram('mariadbd', 'mariadb-server-core'),
    get args() {
      const address = isFirst && !started ? '' : all;
      return [
        ...COMMON,
        `--datadir=${at('data')}`,
        `--tmpdir=${at('tmp')}`,
        `--socket=${at('socket')}`,
        `--port=${port}`,
        `--wsrep-cluster-address=gcomm://${address}`,
        `--wsrep-node-address=${node}`,
        `--wsrep-node-incoming-address=127.0.0.1:${port}`,
        `--wsrep-sst-receive-address=127.0.0.1:${copy}`,
        `--wsrep-provider-options=gmcast.listen_addr=tcp://${node};ist.recv_addr=127.0.0.1:${changes};gcache.size=32M;gcache.dir=${at('data')}`,
      ];
    },
    identity,
    stopSignal: 'SIGKILL',
    url: `mysql://root@127.0.0.1:${port}/`,
    port,
    socket: at('socket'),
    ready: async () => {
      const connection = await createConnection({ host: '127.0.0.1', port, user: 'root' });
      try {
        const [rows] = await connection.query<RowDataPacket[]>(
          "SHOW STATUS LIKE 'wsrep_local_state_comment'",
        );
        if (rows[0]?.Value !== 'Synced') throw new Error('The node is not synced.');
        started = true;
      } finally {
        await connection.end();
      }
    },
  });
}
