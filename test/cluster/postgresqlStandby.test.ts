import { startHost } from '../fixture/processes/hostProcess';
import { openList } from '../fixture/streams/openList';
import { until } from '../fixture/until';
import { notLoggedOnce, outcomes, startLoad, wrongLists } from './load';
import { NO_LIMIT, outcomesOfBurst } from './promises';
import { movableAddress } from './servers/movableAddress';
import type { Replication, Side } from './servers/Replication';
import { startPostgresqlStandby } from './servers/startPostgresqlStandby';
import { LIST, type ReplicatedPanel, startReplicatedPanel, untilReplicated } from './startReplicatedPanel';

const ME = '/api/v1/me.php';
const DOMAINS = 200;

describe('Two panel processes on a PostgreSQL primary, with their lists on a hot standby', () => {
  let replication: Replication;
  let panel: ReplicatedPanel;

  beforeAll(async () => {
    replication = await startPostgresqlStandby();
    panel = await startReplicatedPanel(replication, DOMAINS);
  });

  test('break off a long list whose rows the primary has removed, and return the next one whole', async () => {
    const { primary, replica } = replication;
    const { knex } = primary.database;
    const more = 20_000;
    await knex.raw(
      `INSERT INTO domains (domain, type, ssl_status, status)
        SELECT repeat('long', 50), repeat('long', 50), 'active', 'active' FROM generate_series(1, ${more})`,
    );
    await untilReplicated(replica.database, DOMAINS + more);
    const load = startLoad(panel.hosts, { token: panel.token, paths: [`${LIST}?limit=1`, ME] });
    const list = await openList(panel.hosts[0]!.url + LIST, panel.token);
    await list.some();
    await knex('domains').where('id', '>', DOMAINS).delete();
    await knex.raw('VACUUM domains');
    await until(async () => (await conflictsOn(replica)) > 0);
    expect((await list.rest()).whole).toBe(false);
    await until(() => panel.hosts[0]!.printed().includes('"aborted":true'));
    const line = panel.hosts[0]!.printed()
      .split('\n')
      .find((one) => one.includes('"aborted":true'));
    expect(line).toMatch(/"error_code":"unavailable","cause":"\w+","cause_query":"domains.rows"/);
    const { body } = await panel.hosts[0]!.get(LIST, panel.token);
    expect(body.data.items).toHaveLength(DOMAINS);
    const asked = await load.stop();
    expect(outcomes(asked)).toEqual({ 200: asked.length });
    expect(wrongLists(asked, 1)).toEqual([]);
    expect(await notLoggedOnce(panel.hosts, asked)).toEqual([]);
  });

  test('answer 503 while db leads to the standby, and heal when it has taken the place of the primary', async () => {
    const { primary, replica } = replication;
    const address = await movableAddress(primary.server.port);
    const url = new URL(primary.database.url);
    url.port = String(address.port);
    const host = await startHost(
      { engine: 'postgresql', url: url.href },
      { options: { rateLimit: NO_LIMIT } },
    );
    const { token: revoked, record } = await host.create();
    await host.revoke(record.id);
    const load = startLoad([host], { token: panel.token, paths: [LIST, ME] });
    await load.untilGood(50);
    // As in an orderly failover, the standby has everything first.
    await until(async () => (await placeOf(replica)) === (await placeOf(primary)));
    await primary.server.kill();
    address.moveTo(replica.server.port);
    await until(() => host.printed().includes('"cause":"25006"'));
    await replica.admin('SELECT pg_promote()');
    await load.untilGood(50);
    const asked = await load.stop();
    expect(Object.keys(outcomes(asked))).toEqual(['200', '503 unavailable']);
    expect(wrongLists(asked, DOMAINS)).toEqual([]);
    expect(await notLoggedOnce([host], asked)).toEqual([]);
    expect((await host.get(ME, revoked)).body.error.code).toBe('token_revoked');
    expect(await outcomesOfBurst([host], 100)).toEqual({ '200': 100, '429 rate_limited': 20 });
  });
});

/** How many statements and transactions recovery has cancelled because they read removed rows. */
async function conflictsOn({ admin }: Side): Promise<number> {
  const { rows } = await admin('SELECT sum(confl_snapshot) AS sum FROM pg_stat_database_conflicts');
  return Number(rows[0].sum);
}

/** How far a server has come in what the primary has written. */
async function placeOf({ admin }: Side): Promise<string> {
  const { rows } = await admin(
    'SELECT CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn() ELSE pg_current_wal_lsn() END AS place',
  );
  return rows[0].place;
}
