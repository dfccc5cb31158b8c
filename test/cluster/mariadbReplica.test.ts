import { type HostProcess, startHost } from '../fixture/processes/hostProcess';
import { until } from '../fixture/until';
import { createDomains } from './createDomains';
import { longestOutageMs, notLoggedOnce, outcomes, startLoad, wrongLists } from './load';
import { NO_LIMIT, outcomesAfterRevocation, outcomesOfBurst } from './promises';
import { movableAddress } from './servers/movableAddress';
import { startMariadbReplica } from './servers/startMariadbReplica';

const ME = '/api/v1/me.php';
const LIST = '/api/v1/domains.php';
const HEALTH = '/api/v1/health.php';
const ROWS = 200;

describe('Two panel processes on a MariaDB primary, with their lists on a replica', () => {
  let servers: Awaited<ReturnType<typeof startMariadbReplica>>;
  let hosts: readonly HostProcess[];
  let token: string;

  beforeAll(async () => {
    servers = await startMariadbReplica();
    const { primary, replica } = servers;
    await createDomains(primary.database.knex, ROWS);
    await until(async () => (await statusesOf(replica.database.knex)).length === ROWS);
    const options = { rateLimit: NO_LIMIT };
    const start = () => startHost(primary.database, { options, readUrl: replica.database.url });
    hosts = [await start(), await start()];
    token = (await hosts[0]!.create()).token;
  });

  const statusesOf = (knex: typeof servers.primary.database.knex) =>
    knex('domains')
      .pluck('status')
      .catch(() => []);

  const listed = async (): Promise<string> => {
    const { body } = await hosts[1]!.get(`${LIST}?limit=1`, token);
    return body.data.items[0].status;
  };

  const setStatus = (status: string) => servers.primary.database.knex('domains').update({ status });

  test('obey a revocation at once while the replica is stopped, and list what it has', async () => {
    const { replica } = servers;
    await replica.admin('STOP SLAVE SQL_THREAD');
    await setStatus('suspended');
    expect(await outcomesAfterRevocation(hosts, 100)).toEqual({ '401 token_revoked': 100 });
    expect(await listed()).toBe('active');
    await replica.admin('START SLAVE');
    await until(async () => (await listed()) === 'suspended');
  });

  test('obey a revocation at once while the replica is seconds behind', async () => {
    const { replica } = servers;
    await replica.admin('STOP SLAVE');
    await replica.admin('CHANGE MASTER TO MASTER_DELAY = 3');
    await replica.admin('START SLAVE');
    await setStatus('active');
    expect(await outcomesAfterRevocation(hosts, 50)).toEqual({ '401 token_revoked': 50 });
    expect(await listed()).toBe('suspended');
    await until(async () => (await listed()) === 'active');
    await replica.admin('STOP SLAVE');
    await replica.admin('CHANGE MASTER TO MASTER_DELAY = 0');
    await replica.admin('START SLAVE');
  });

  test('answer lists with 503 while the replica is down, never empty, and everything else as usual', async () => {
    const load = startLoad(hosts, { token, paths: [LIST, ME] });
    await load.untilGood(200);
    await servers.replica.server.kill();
    await load.untilGood(200);
    const { body } = await hosts[0]!.get(HEALTH, token);
    const checks: readonly { name: string; status: string }[] = body.data.checks;
    expect(checks.find(({ name }) => name === 'read_database')?.status).toBe('fail');
    await servers.replica.server.start();
    await until(async () => (await hosts[1]!.get(LIST, token)).status === 200);
    await load.untilGood(200);
    const asked = await load.stop();
    const of = (path: string) => asked.filter((one) => one.path === path);
    expect(outcomes(of(ME))).toEqual({ 200: of(ME).length });
    expect(Object.keys(outcomes(of(LIST)))).toEqual(['200', '503 unavailable']);
    expect(wrongLists(asked, ROWS)).toEqual([]);
    expect(await notLoggedOnce(hosts, asked)).toEqual([]);
  });

  test('answer 503 while the primary is read-only, as it is before it becomes a replica, and heal', async () => {
    await servers.primary.admin('SET GLOBAL read_only = 1');
    const { status, body } = await hosts[0]!.get(LIST, token);
    expect([status, body.error.code]).toEqual([503, 'unavailable']);
    await until(() => hosts[0]!.printed().includes('"cause":"ER_OPTION_PREVENTS_STATEMENT"'));
    await servers.primary.admin('SET GLOBAL read_only = 0');
    expect((await hosts[0]!.get(LIST, token)).status).toBe(200);
  });

  test('go on after the primary was killed, with the limit and the revocations as before', async () => {
    const revoked = await hosts[0]!.create();
    await hosts[0]!.revoke(revoked.record.id);
    const limited = await hosts[0]!.create({ rateLimit: 100 });
    const load = startLoad(hosts, { token, paths: [LIST, ME] });
    const limitedLoad = startLoad(hosts, { token: limited.token, paths: [ME], clients: 1, pauseMs: 50 });
    await load.untilGood(200);
    await servers.primary.server.kill();
    await servers.primary.server.start();
    await load.untilGood(200);
    await until(() => limitedLoad.asked.some(({ status }) => status === 429));
    const asked = await load.stop();
    const limitedAsked = await limitedLoad.stop();
    expect(Object.keys(outcomes(asked))).toEqual(['200', '503 unavailable']);
    expect(wrongLists(asked, ROWS)).toEqual([]);
    expect(await notLoggedOnce(hosts, [...asked, ...limitedAsked])).toEqual([]);
    expect(Object.keys(outcomes(limitedAsked)).toSorted()).toEqual([
      '200',
      '429 rate_limited',
      '503 unavailable',
    ]);
    expect(outcomes(limitedAsked)[200]).toBeLessThanOrEqual(100);
    expect((await hosts[1]!.get(ME, revoked.token)).body.error.code).toBe('token_revoked');
    expect(await outcomesOfBurst(hosts, 100)).toEqual({ '200': 100, '429 rate_limited': 20 });
    expect(longestOutageMs(asked)).toBeLessThan(5000);
    await setStatus('suspended');
    await until(async () => (await listed()) === 'suspended');
  });

  test('heal without a restart when the primary has become read-only and the replica has taken its place', async () => {
    const { primary, replica } = servers;
    const address = await movableAddress(primary.server.port);
    const url = new URL(primary.database.url);
    url.port = String(address.port);
    const host = await startHost({ engine: 'mariadb', url: url.href }, { options: { rateLimit: NO_LIMIT } });
    const { token: revoked, record } = await host.create();
    await host.revoke(record.id);
    const load = startLoad([host], { token, paths: [LIST, ME] });
    await load.untilGood(50);
    await primary.admin('SET GLOBAL read_only = 1');
    await until(() => load.asked.at(-1)?.status === 503);
    const [[{ gtid }]] = (await primary.admin('SELECT @@gtid_binlog_pos AS gtid')) as [[{ gtid: string }]];
    await replica.admin(`SELECT MASTER_GTID_WAIT('${gtid}', 10)`);
    for (const step of ['STOP SLAVE', 'RESET SLAVE ALL', 'SET GLOBAL read_only = 0'])
      await replica.admin(step);
    address.moveTo(replica.server.port);
    await load.untilGood(50);
    const asked = await load.stop();
    expect(Object.keys(outcomes(asked))).toEqual(['200', '503 unavailable']);
    expect(wrongLists(asked, ROWS)).toEqual([]);
    expect(await notLoggedOnce([host], asked)).toEqual([]);
    expect((await host.get(ME, revoked)).body.error.code).toBe('token_revoked');
  });
});
