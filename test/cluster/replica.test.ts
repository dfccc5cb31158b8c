import { until } from '../fixture/until';
import { longestOutageMs, notLoggedOnce, outcomes, startLoad, wrongLists } from './load';
import { outcomesAfterRevocation, outcomesOfBurst } from './promises';
import type { Replication } from './servers/Replication';
import { startMariadbReplica } from './servers/startMariadbReplica';
import { startPostgresqlStandby } from './servers/startPostgresqlStandby';
import { LIST, type ReplicatedPanel, startReplicatedPanel } from './startReplicatedPanel';

const ME = '/api/v1/me.php';
const HEALTH = '/api/v1/health.php';
const DOMAINS = 200;

describe.each([
  ['MariaDB', startMariadbReplica],
  ['PostgreSQL', startPostgresqlStandby],
])('Two panel processes on a primary, with their lists on a replica (%s)', (_engine, start) => {
  let replication: Replication;
  let panel: ReplicatedPanel;

  beforeAll(async () => {
    replication = await start();
    panel = await startReplicatedPanel(replication, DOMAINS);
  });

  test('obey a revocation at once while the replica applies nothing, and list what it has', async () => {
    await replication.pause();
    await panel.setStatus('suspended');
    expect(await outcomesAfterRevocation(panel.hosts, 100)).toEqual({ '401 token_revoked': 100 });
    expect(await panel.listed()).toBe('active');
    await replication.resume();
    await until(async () => (await panel.listed()) === 'suspended');
  });

  test('answer lists with 503 while the replica is down, never empty, and everything else as usual', async () => {
    const load = startLoad(panel.hosts, { token: panel.token, paths: [LIST, ME] });
    await load.untilGood(200);
    await replication.replica.server.kill();
    await load.untilGood(200);
    const { body } = await panel.hosts[0]!.get(HEALTH, panel.token);
    const checks: readonly { name: string; status: string }[] = body.data.checks;
    expect(checks.find(({ name }) => name === 'read_database')?.status).toBe('fail');
    await replication.replica.server.start();
    await until(async () => (await panel.hosts[1]!.get(LIST, panel.token)).status === 200);
    await load.untilGood(200);
    const asked = await load.stop();
    const of = (path: string) => asked.filter((one) => one.path === path);
    expect(outcomes(of(ME))).toEqual({ 200: of(ME).length });
    expect(Object.keys(outcomes(of(LIST)))).toEqual(['200', '503 unavailable']);
    expect(wrongLists(asked, DOMAINS)).toEqual([]);
    expect(await notLoggedOnce(panel.hosts, asked)).toEqual([]);
  });

  test('go on after the primary was killed, with the limit and the revocations as before', async () => {
    const revoked = await panel.hosts[0]!.create();
    await panel.hosts[0]!.revoke(revoked.record.id);
    const limited = await panel.hosts[0]!.create({ rateLimit: 100 });
    const load = startLoad(panel.hosts, { token: panel.token, paths: [LIST, ME] });
    const limitedLoad = startLoad(panel.hosts, {
      token: limited.token,
      paths: [ME],
      clients: 1,
      pauseMs: 50,
    });
    await load.untilGood(200);
    await replication.primary.server.kill();
    await replication.primary.server.start();
    await load.untilGood(200);
    await until(() => limitedLoad.asked.some(({ status }) => status === 429));
    const asked = await load.stop();
    const limitedAsked = await limitedLoad.stop();
    expect(Object.keys(outcomes(asked))).toEqual(['200', '503 unavailable']);
    expect(wrongLists(asked, DOMAINS)).toEqual([]);
    expect(await notLoggedOnce(panel.hosts, [...asked, ...limitedAsked])).toEqual([]);
    expect(Object.keys(outcomes(limitedAsked)).toSorted()).toEqual([
      '200',
      '429 rate_limited',
      '503 unavailable',
    ]);
    expect(outcomes(limitedAsked)[200]).toBeLessThanOrEqual(100);
    expect((await panel.hosts[1]!.get(ME, revoked.token)).body.error.code).toBe('token_revoked');
    expect(await outcomesOfBurst(panel.hosts, 100)).toEqual({ '200': 100, '429 rate_limited': 20 });
    expect(longestOutageMs(asked)).toBeLessThan(5000);
    await panel.setStatus('suspended');
    await until(async () => (await panel.listed()) === 'suspended');
  });
});
