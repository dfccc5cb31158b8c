import { awayFromHourEnd, HOUR } from '../../fixture/awayFromHourEnd';
import { describeEachEngine, freshDatabase, type TestDatabase } from '../../fixture/databases';
import { type HostProcess, startHost } from '../../fixture/processes/hostProcess';

const LIMIT = 120;

describeEachEngine('Two processes over one database', (engine) => {
  let database: TestDatabase;
  let hosts: readonly HostProcess[] = [];

  beforeAll(async () => {
    database = await freshDatabase(engine);
  });

  test.each([
    ['with one clock', [0, 0]],
    // With the clocks of the processes, each would begin a window of its own again and again.
    ['of which one is a window and 61 seconds ahead and one a window behind', [HOUR + 61, -HOUR]],
  ])('%s allow exactly the limit', async (_circumstance, skews) => {
    const options = { rateLimit: { requests: LIMIT, windowSeconds: HOUR } };
    hosts = await Promise.all(
      skews.map((clockSkewSeconds) => startHost(database, { options, clockSkewSeconds })),
    );
    const { token } = await hosts[0]!.create();
    await awayFromHourEnd();
    const requests = Array.from({ length: LIMIT + 1 }, (_, index) =>
      hosts[index % hosts.length]!.get('/api/v1/me.php', token),
    );
    const statuses = (await Promise.all(requests)).map(({ status }) => status);
    const counted = (wanted: number) => statuses.filter((status) => status === wanted).length;
    expect({ allowed: counted(200), refused: counted(429) }).toEqual({ allowed: LIMIT, refused: 1 });
  });

  test('allow exactly the limit of each token if many tokens are used at once', async () => {
    const [limit, asked] = [10, 14];
    const options = { rateLimit: { requests: limit, windowSeconds: HOUR } };
    hosts = await Promise.all([0, 1].map(() => startHost(database, { options })));
    const created = await Promise.all(Array.from({ length: 12 }, () => hosts[0]!.create()));
    await awayFromHourEnd();
    const requests = Array.from({ length: asked }, (_, index) =>
      created.map(({ token }) => hosts[index % hosts.length]!.get('/api/v1/me.php', token)),
    );
    const statuses = await Promise.all(requests.map((round) => Promise.all(round)));
    const allowed = created.map(
      (_, token) => statuses.filter((round) => round[token]?.status === 200).length,
    );
    const refused = created.map(
      (_, token) => statuses.filter((round) => round[token]?.status === 429).length,
    );
    expect([allowed, refused]).toEqual([created.map(() => limit), created.map(() => asked - limit)]);
  });
});
