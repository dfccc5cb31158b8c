import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freshDatabase, type TestDatabase } from '../fixture/databases';
import { dumpTables } from '../fixture/dumpTables';
import { type HostProcess, startHost } from '../fixture/processes/hostProcess';
import { until } from '../fixture/until';
import { runCommand } from '../runCommand';
import { builtCommand } from '../servers/builtCommand';
import { runDirectory } from '../servers/serverUrl';
import { startLoad } from './load';
import { NO_LIMIT } from './promises';
import { freshOnEach } from './servers/galeraDatabase';
import { startGalera } from './servers/startGalera';

const ME = '/api/v1/me.php';

/** The database as each process sees it. */
const places: readonly [name: string, open: () => Promise<readonly TestDatabase[]>][] = [
  ['Two processes on one MariaDB', async () => twice(await freshDatabase('mariadb'))],
  ['Two processes on one PostgreSQL', async () => twice(await freshDatabase('postgresql'))],
  ['A process on each of three nodes of Galera', async () => freshOnEach(await startGalera())],
];

const twice = (database: TestDatabase) => [database, database];

describe.each(places)('%s', (_name, open) => {
  test('notice a restore that they live through, and the command ends again what was ended by their logs', async () => {
    const databases = await open();
    const hosts = await Promise.all(
      databases.map((database) => startHost(database, { options: { rateLimit: NO_LIMIT } })),
    );
    const [one, other] = [hosts[0]!, hosts.at(-1)!];
    const [revoked, narrowed, rotated, kept] = [
      await one.create(),
      await other.create(),
      await one.create(),
      await other.create(),
    ];
    const restore = await dumpTables(databases[0]!);
    await other.revoke(revoked.record.id);
    await one.update(narrowed.record.id, { scopes: ['email.read'] });
    const rotation = await other.rotate(rotated.record.id, { graceSeconds: 300 });
    const lost = await one.create();
    const load = startLoad(hosts, { token: kept.token, paths: [ME], pauseMs: 100 });
    await load.untilGood(10);
    await restore();
    const said = (host: HostProcess) => host.printed().includes('panel-api database is older than known');
    await until(() => hosts.every(said));
    const logs = mkdtempSync(join(runDirectory(), 'logs-'));
    const files = hosts.map((host, index) => {
      const file = join(logs, `${index}.log`);
      writeFileSync(file, host.printed());
      return file;
    });
    expect(await statuses(hosts, [revoked.token, lost.token])).toEqual(hosts.map(() => [200, 401]));
    const env = { PANEL_API_DATABASE_URL: databases.at(-1)!.url };
    await runCommand(process.execPath, [builtCommand(), 'restored', '--yes', ...files], { env });
    const ended = [revoked.token, rotation!.token, lost.token];
    expect(await statuses(hosts, ended)).toEqual(hosts.map(() => [401, 401, 401]));
    expect(await statuses(hosts, [narrowed.token, rotated.token, kept.token])).toEqual(
      hosts.map(() => [403, 200, 200]),
    );
    // The old secret of a rotation ends when it would have ended.
    const [{ expires_at: ends }] = await databases[0]!
      .knex('panel_api_tokens')
      .where({ id: rotated.record.id });
    expect(Number(ends)).toBe(rotation!.previous.expiresAt);
    expect((await one.create()).record.id).toBeGreaterThan(lost.record.id);
    await load.untilGood(10);
    await load.stop();
  });
});

/** For each process, the statuses of requests with these tokens. */
async function statuses(hosts: readonly HostProcess[], tokens: readonly string[]) {
  return Promise.all(
    hosts.map(async (host) => Promise.all(tokens.map(async (token) => (await host.get(ME, token)).status))),
  );
}
