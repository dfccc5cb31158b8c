import { setTimeout as sleep } from 'node:timers/promises';
import { createInstallation } from '../../lib/Installation';
import { operations } from '../../routes';
import { createDomains } from '../fixture/createDomains';
import { asCustomer, REQUEST } from '../fixture/customers';
import type { TestDatabase } from '../fixture/databases';
import { HISTORY } from '../fixture/migrations/history';
import { schemaOf } from '../fixture/migrations/schemaOf';
import { AUTHOR, startPanel, type TestPanel } from '../fixture/panel';
import { type HostProcess, startHost } from '../fixture/processes/hostProcess';
import { recordingLogger } from '../fixture/recordingLogger';
import { until } from '../fixture/until';
import type { PrivateServer } from '../servers/PrivateServer';
import { longestOutageMs, notLoggedOnce, outcomes, startLoad, wrongLists } from './load';
import { NO_LIMIT, outcomesAfterRevocation, outcomesOfBurst } from './promises';
import { freshOnEach, whileBehind, whileWriting } from './servers/galeraDatabase';
import { startGalera } from './servers/startGalera';

const ME = '/api/v1/me.php';
const LIST = '/api/v1/domains.php';
const ROWS = 200;

describe('A panel process on each of three nodes of Galera', () => {
  let nodes: readonly PrivateServer[];
  let databases: readonly TestDatabase[];
  let hosts: readonly HostProcess[];

  beforeAll(async () => {
    nodes = await startGalera();
    databases = await freshOnEach(nodes);
    await createDomains(databases[0]!.knex, ROWS);
    hosts = await Promise.all(
      databases.map((database) => startHost(database, { options: { rateLimit: NO_LIMIT } })),
    );
    await Promise.all(hosts.map((host) => host.create()));
  });

  const migrate = ({ knex }: TestDatabase) =>
    createInstallation({ db: knex, logger: recordingLogger().logger }, operations).migrations.up();

  test('creates the tables once, also if eight begin over all nodes at the same moment', async () => {
    const expected = await freshOnEach(nodes);
    await migrate(expected[0]!);
    for (let round = 0; round < 30; round += 1) {
      const fresh = await freshOnEach(nodes);
      await Promise.all(Array.from({ length: 8 }, (_, index) => migrate(fresh[index % nodes.length]!)));
      expect(await fresh[0]!.knex('panel_api_migrations').orderBy('name').pluck('name')).toEqual(HISTORY);
      for (const database of fresh) expect(await schemaOf(database)).toEqual(await schemaOf(expected[0]!));
    }
  });

  test('refuses a token that another node has revoked', async () => {
    // Without the wait of the look-up, this lets through requests with revoked tokens.
    const found = await whileWriting(databases[2]!, () => outcomesAfterRevocation(hosts, 200));
    expect(found).toEqual({ '401 token_revoked': 400 });
  });

  test('gives a customer exactly the allowed number of tokens, by creations on three nodes at once', async () => {
    const fresh = await freshOnEach(nodes);
    const panels: TestPanel[] = [];
    for (const { knex } of fresh) panels.push(await startPanel({ db: knex, sources: { accounts: false } }));
    const [{ api }] = panels as [TestPanel];
    await api.settings.change({ customerScopes: ['domains.read'], customerTokens: 3 }, AUTHOR);
    for (let account = 1; account <= 20; account += 1) {
      const created = await Promise.all(
        Array.from({ length: 12 }, (_, index) =>
          panels[index % nodes.length]!.api.tokens.create(REQUEST, asCustomer(account)).then(
            () => 'created',
            (error) => error.name,
          ),
        ),
      );
      expect(created.toSorted()).toEqual([...Array(9).fill('InvalidInput'), ...Array(3).fill('created')]);
    }
  });

  test('allows exactly the limit of a token, with counts through two and through three nodes', async () => {
    expect(await outcomesOfBurst(hosts.slice(1), 200)).toEqual({ '200': 200, '429 rate_limited': 20 });
    expect(await outcomesOfBurst(hosts, 200)).toEqual({ '200': 200, '429 rate_limited': 20 });
  });

  test('answers whole lists under load, and logs each request once', async () => {
    const { token } = await hosts[0]!.create();
    const load = startLoad(hosts, { token, paths: [LIST, ME] });
    await load.untilGood(1500);
    const asked = await load.stop();
    expect(outcomes(asked)).toEqual({ 200: asked.length });
    expect(wrongLists(asked, ROWS)).toEqual([]);
    expect(await notLoggedOnce(hosts, asked)).toEqual([]);
  });

  test('waits on a node that is behind, and never takes a revoked token there', async () => {
    const { token, record } = await hosts[0]!.create();
    expect((await hosts[1]!.get(ME, token)).status).toBe(200);
    await whileBehind(databases[1]!, databases[0]!, async (catchUp) => {
      await hosts[0]!.revoke(record.id);
      const began = performance.now();
      const answers = Promise.all(Array.from({ length: 10 }, () => hosts[1]!.get(ME, token)));
      await sleep(3000);
      await catchUp();
      const codes = (await answers).map(({ body }) => body.error?.code);
      expect(new Set(codes)).toEqual(new Set(['token_revoked']));
      expect(performance.now() - began).toBeGreaterThan(3000);
    });
  });

  test('changes a token on a node that is behind as if it were not', async () => {
    const { record } = await hosts[0]!.create({ name: 'first' });
    expect(await hosts[1]!.update(record.id, { name: 'first' })).toMatchObject({ name: 'first' });
    await whileBehind(databases[1]!, databases[0]!, async (catchUp) => {
      await hosts[0]!.update(record.id, { name: 'second' });
      const changed = hosts[1]!.update(record.id, { name: 'first' });
      await sleep(1000);
      await catchUp();
      expect(await changed).toMatchObject({ name: 'first', version: 3 });
    });
  });

  test('goes on when a node is killed, and takes it back without a restart', async () => {
    const { token } = await hosts[0]!.create();
    const load = startLoad(hosts, { token, paths: [LIST, ME] });
    const of = (host: number) => load.asked.filter((asked) => asked.host === host);
    await load.untilGood(300);
    await nodes[2]!.kill();
    await load.untilGood(300);
    expect(await outcomesOfBurst(hosts.slice(0, 2), 200)).toEqual({ '200': 200, '429 rate_limited': 20 });
    await nodes[2]!.start();
    await until(() => of(2).at(-1)?.status === 200);
    await load.untilGood(300);
    const asked = await load.stop();
    expect(Object.keys(outcomes(asked)).toSorted()).toEqual(['200', '503 unavailable']);
    expect(wrongLists(asked, ROWS)).toEqual([]);
    expect(await notLoggedOnce(hosts, asked)).toEqual([]);
    expect(await outcomesOfBurst(hosts, 200)).toEqual({ '200': 200, '429 rate_limited': 20 });
    // Until the others have given the node up, nothing is committed.
    for (const host of [0, 1]) expect(longestOutageMs(of(host))).toBeLessThan(12_000);
  });

  test('answers 503 on a node without the majority, and heals when it has one', async () => {
    const { token } = await hosts[0]!.create();
    await Promise.all([nodes[1]!.kill(), nodes[2]!.kill()]);
    const load = startLoad(hosts.slice(0, 1), { token, paths: [LIST, ME] });
    await until(() => hosts[0]!.printed().includes('"cause":"ER_UNKNOWN_COM_ERROR"'));
    const asked = await load.stop();
    expect(outcomes(asked)).toEqual({ '503 unavailable': asked.length });
    expect(Math.max(...asked.map(({ sentMs, answeredMs }) => answeredMs - sentMs))).toBeLessThan(7000);
    await databases[0]!.knex.raw("SET GLOBAL wsrep_provider_options = 'pc.bootstrap = true'");
    await Promise.all([nodes[1]!.start(), nodes[2]!.start()]);
    for (const host of hosts) expect((await host.get(ME, token)).status).toBe(200);
  });
});
