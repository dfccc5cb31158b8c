import { knex as connect, type Knex } from 'knex';
import type { Engine, TestDatabase } from '../fixture/databases';
import { handleSettings } from '../fixture/handleSettings';
import type { PrivateServer } from '../servers/PrivateServer';

const ignore = () => undefined;

/** What a panel does that logs elsewhere what knex has to say about lost connections. */
export const QUIET: Pick<Knex.Config, 'log'> = { log: { warn: ignore, error: ignore, debug: ignore } };

const NAME = 'panel';

// The servers of the tests are set up to lose what a kill finds in their memory; here it is what must come back.
const KEEP_WRITES = {
  mariadb: 'set global innodb_flush_log_at_trx_commit = 1',
  postgresql: `alter database ${NAME} set synchronous_commit = on`,
} as const;

/** A database on a server of the test's own, which may be killed, frozen and left as it is. */
export async function ownDatabase(
  server: PrivateServer,
  engine: Exclude<Engine, 'sqlite'>,
  settings: Knex.Config = {},
): Promise<TestDatabase> {
  const first = connect({ ...handleSettings({ engine, url: server.url }), pool: { min: 0, max: 1 } });
  await first.raw(`create database ${NAME}`);
  await first.raw(KEEP_WRITES[engine]);
  await first.destroy();
  const url = Object.assign(new URL(server.url), { pathname: `/${NAME}` }).href;
  const knex = connect({ ...handleSettings({ engine, url }), ...QUIET, ...settings });
  return { engine, url, knex, drop: () => knex.destroy() };
}
