import { randomBytes } from 'node:crypto';
import type { Knex } from 'knex';
import { closeAtEnd } from '../../fixture/closeAtEnd';
import { openHandle, type TestDatabase } from '../../fixture/databases';
import { type FaultyProxy, faultyProxy } from '../../fixture/faults/faultyProxy';
import { freeze } from '../../fixture/faults/freeze';
import { ownDatabase } from '../../fixture/faults/ownDatabase';
import { handleSettings } from '../../fixture/handleSettings';
import type { PrivateServer } from '../../servers/PrivateServer';
import type { Outage } from './outage';

export type ServerEngine = 'mariadb' | 'postgresql';

const USER = 'app';
/** As few as MariaDB allows. */
const FEWEST_CONNECTIONS = 10;

/** How each database does what the outages need. `{password}` is the password of the panel's user. */
const STATEMENTS = {
  mariadb: {
    createUser: [`CREATE USER ${USER}@'%' IDENTIFIED BY '{password}'`, `GRANT ALL ON panel.* TO ${USER}@'%'`],
    disconnect: `KILL USER ${USER}`,
    readOnly: ['SET GLOBAL read_only = 1', 'SET GLOBAL read_only = 0'],
    fewConnections: [
      `SET GLOBAL max_connections = ${FEWEST_CONNECTIONS}`,
      'SET GLOBAL max_connections = 500',
    ],
    lock: 'LOCK TABLES panel_api_tokens WRITE',
    unlock: 'UNLOCK TABLES',
  },
  postgresql: {
    createUser: [`CREATE ROLE ${USER} LOGIN PASSWORD '{password}'`, `ALTER DATABASE panel OWNER TO ${USER}`],
    disconnect: `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = '${USER}'`,
    readOnly: [
      `ALTER ROLE ${USER} SET default_transaction_read_only = on`,
      `ALTER ROLE ${USER} RESET default_transaction_read_only`,
    ],
    fewConnections: [`ALTER ROLE ${USER} CONNECTION LIMIT 0`, `ALTER ROLE ${USER} CONNECTION LIMIT -1`],
    lock: 'BEGIN; LOCK TABLE panel_api_tokens IN ACCESS EXCLUSIVE MODE',
    unlock: 'ROLLBACK',
  },
} as const;

/** A database on a server of its own, which the panel reaches as a user without special rights, through a proxy. */
export interface FaultyDatabase {
  readonly server: PrivateServer;
  /** As the panel's user, without the proxy. */
  readonly direct: TestDatabase;
  /** The URL of the panel, through the proxy. */
  readonly url: string;
  readonly password: string;
  readonly outages: Readonly<Record<string, Outage>>;
}

export async function faultyDatabase(server: PrivateServer, engine: ServerEngine): Promise<FaultyDatabase> {
  const { knex: admin, url } = await ownDatabase(server, engine, { pool: { min: 0, max: 2 } });
  const password = randomBytes(12).toString('hex');
  for (const statement of STATEMENTS[engine].createUser)
    await admin.raw(statement.replace('{password}', password));
  const own = Object.assign(new URL(url), { username: USER, password });
  const direct = { engine, url: own.href, knex: openHandle(handleSettings({ engine, url: own.href })) };
  const proxy = await faultyProxy(server.port);
  own.port = String(proxy.port);
  const outages = { ...networkOutages(proxy), ...serverOutages(server, engine, admin) };
  return { server, direct, url: own.href, password, outages };
}

/** Outages of the network between the panel and a server that it cannot do without. */
export function networkOutages(proxy: FaultyProxy): Readonly<Record<string, Outage>> {
  const outage = (network: 'slow' | 'cut' | 'swallowing'): Outage => ({
    answer: '503 unavailable',
    begin: () => proxy.become(network),
    end: () => proxy.become('sound'),
  });
  return {
    'answers slowly': outage('slow'),
    'is cut off': outage('cut'),
    'is behind a network that swallows packets': outage('swallowing'),
  };
}

/** Outages of the process of a server. */
export function processOutages(server: PrivateServer): Readonly<Record<string, Outage>> {
  let thaw: () => void;
  return {
    'is killed': { answer: '503 unavailable', begin: () => server.kill(), end: () => server.start() },
    'is frozen': {
      answer: '503 unavailable',
      begin: () => {
        thaw = freeze(server);
      },
      end: () => thaw(),
    },
  };
}

function serverOutages(
  server: PrivateServer,
  engine: ServerEngine,
  admin: Knex,
): Readonly<Record<string, Outage>> {
  const { disconnect, readOnly, fewConnections, lock, unlock } = STATEMENTS[engine];
  const settings = { ...admin.client.config, pool: { min: 0, max: FEWEST_CONNECTIONS + 1 } };
  let hogs: Knex;
  // biome-ignore lint/suspicious/noExplicitAny: each driver has types of its own.
  let blocker: any;
  return {
    ...processOutages(server),
    'is read-only': {
      answer: '503 unavailable',
      async begin() {
        await admin.raw(readOnly[0]);
        await admin.raw(disconnect);
      },
      async end() {
        await admin.raw(readOnly[1]);
        await admin.raw(disconnect);
      },
    },
    'has no connection left': {
      answer: '503 unavailable',
      async begin() {
        hogs = openHandle(settings);
        const all = Array.from({ length: FEWEST_CONNECTIONS + 1 }, () => hogs.client.acquireConnection());
        for (const connection of await Promise.all(all)) await hogs.client.releaseConnection(connection);
        await admin.raw(fewConnections[0]);
        await admin.raw(disconnect);
      },
      async end() {
        await hogs.destroy();
        await admin.raw(fewConnections[1]);
      },
    },
    'has its tokens locked': {
      answer: '503 unavailable',
      async begin() {
        blocker = await admin.client.acquireRawConnection();
        closeAtEnd(() => blocker.end());
        await statement(blocker, lock);
      },
      end: () => statement(blocker, unlock),
    },
  };
}

type Connection = { query(sql: string, done: (error: Error | null) => void): void };

const statement = (connection: Connection, sql: string) =>
  new Promise<void>((resolve, reject) => {
    connection.query(sql, (error) => (error ? reject(error) : resolve()));
  });
