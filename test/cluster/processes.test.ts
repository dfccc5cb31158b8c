import { createDomains } from '../fixture/createDomains';
import { type Engine, freshDatabase, type TestDatabase } from '../fixture/databases';
import { type HostProcess, startHost } from '../fixture/processes/hostProcess';
import { longestOutageMs, notLoggedOnce, outcomes, startLoad, wrongLists } from './load';
import { NO_LIMIT, outcomesAfterRevocation, outcomesOfBurst } from './promises';

const PROCESSES = 8;
const ENGINES: readonly Engine[] = ['mariadb', 'postgresql'];

describe.each(ENGINES)('Eight processes on one %s', (engine) => {
  let database: TestDatabase;
  let hosts: readonly HostProcess[];

  beforeAll(async () => {
    database = await freshDatabase(engine);
    await createDomains(database.knex, 200);
    hosts = await Promise.all(
      Array.from({ length: PROCESSES }, () => startHost(database, { options: { rateLimit: NO_LIMIT } })),
    );
  });

  test('create the tables once although all begin at the same moment', async () => {
    const created = await Promise.all(hosts.map((host) => host.create()));
    expect(new Set(created.map(({ record }) => record.id)).size).toBe(PROCESSES);
    const history = await database.knex('panel_api_migrations').select('name');
    expect(new Set(history.map(({ name }) => name)).size).toBe(history.length);
  });

  test('refuse a token that another has revoked', async () => {
    const uses = 20 * (PROCESSES - 1);
    expect(await outcomesAfterRevocation(hosts, 20)).toEqual({ '401 token_revoked': uses });
  });

  test('allow exactly the limit of a token', async () => {
    expect(await outcomesOfBurst(hosts, 200)).toEqual({ '200': 200, '429 rate_limited': 20 });
  });

  test('answer whole lists under load, and log each request once', async () => {
    const { token } = await hosts[0]!.create();
    const load = startLoad(hosts, { token, paths: ['/api/v1/domains.php', '/api/v1/me.php'] });
    await load.untilGood(2000);
    const asked = await load.stop();
    expect(outcomes(asked)).toEqual({ 200: asked.length });
    expect(wrongLists(asked, 200)).toEqual([]);
    expect(await notLoggedOnce(hosts, asked)).toEqual([]);
    expect(longestOutageMs(asked)).toBeLessThan(1000);
  });
});
