import { startHost } from '../fixture/processes/hostProcess';
import { until } from '../fixture/until';
import { notLoggedOnce, outcomes, startLoad, wrongLists } from './load';
import { NO_LIMIT, outcomesAfterRevocation } from './promises';
import { movableAddress } from './servers/movableAddress';
import type { Replication } from './servers/Replication';
import { startMariadbReplica } from './servers/startMariadbReplica';
import { LIST, type ReplicatedPanel, startReplicatedPanel } from './startReplicatedPanel';

const ME = '/api/v1/me.php';
const DOMAINS = 200;

describe('Two panel processes on a MariaDB primary, with their lists on a replica', () => {
  let replication: Replication;
  let panel: ReplicatedPanel;

  beforeAll(async () => {
    replication = await startMariadbReplica();
    panel = await startReplicatedPanel(replication, DOMAINS);
  });

  test('obey a revocation at once while the replica is seconds behind', async () => {
    const { replica } = replication;
    await replica.admin('STOP SLAVE');
    await replica.admin('CHANGE MASTER TO MASTER_DELAY = 3');
    await replica.admin('START SLAVE');
    await panel.setStatus('suspended');
    expect(await outcomesAfterRevocation(panel.hosts, 50)).toEqual({ '401 token_revoked': 50 });
    expect(await panel.listed()).toBe('active');
    await until(async () => (await panel.listed()) === 'suspended');
    await replica.admin('STOP SLAVE');
    await replica.admin('CHANGE MASTER TO MASTER_DELAY = 0');
    await replica.admin('START SLAVE');
  });

  test('answer 503 while the primary is read-only, as it is before it becomes a replica, and heal', async () => {
    await replication.primary.admin('SET GLOBAL read_only = 1');
    const { status, body } = await panel.hosts[0]!.get(LIST, panel.token);
    expect([status, body.error.code]).toEqual([503, 'unavailable']);
    await until(() => panel.hosts[0]!.printed().includes('"cause":"ER_OPTION_PREVENTS_STATEMENT"'));
    await replication.primary.admin('SET GLOBAL read_only = 0');
    expect((await panel.hosts[0]!.get(LIST, panel.token)).status).toBe(200);
  });

  test('heal without a restart when the primary has become read-only and the replica has taken its place', async () => {
    const { primary, replica } = replication;
    const address = await movableAddress(primary.server.port);
    const url = new URL(primary.database.url);
    url.port = String(address.port);
    const host = await startHost({ engine: 'mariadb', url: url.href }, { options: { rateLimit: NO_LIMIT } });
    const { token: revoked, record } = await host.create();
    await host.revoke(record.id);
    const load = startLoad([host], { token: panel.token, paths: [LIST, ME] });
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
    expect(wrongLists(asked, DOMAINS)).toEqual([]);
    expect(await notLoggedOnce([host], asked)).toEqual([]);
    expect((await host.get(ME, revoked)).body.error.code).toBe('token_revoked');
  });
});
