import { HOUR } from '../../fixture/awayFromHourEnd';
import { describeEachEngine, freshDatabase } from '../../fixture/databases';
import { type HostProcess, startHost } from '../../fixture/processes/hostProcess';

const LIMIT = 120;

describeEachEngine('Two processes over one database', (engine) => {
  let hosts: readonly [HostProcess, HostProcess];

  beforeAll(async () => {
    const database = await freshDatabase(engine);
    const options = { rateLimit: { requests: LIMIT, windowSeconds: HOUR } };
    hosts = await Promise.all([startHost(database, { options }), startHost(database, { options })]);
  });

  /** Sends this many requests with a token at once, to each process in turn. Returns how many were allowed and refused. */
  const send = async (token: string, count: number) => {
    const requests = Array.from({ length: count }, (_, index) =>
      hosts[index % 2 === 0 ? 0 : 1].get('/api/v1/me.php', token),
    );
    const statuses = (await Promise.all(requests)).map(({ status }) => status);
    const counted = (wanted: number) => statuses.filter((status) => status === wanted).length;
    return [counted(200), counted(429)];
  };

  test.each([
    ['with one clock', [0, 0]],
    // With the clocks of the processes, each would begin a window of its own again and again.
    ['of which one is a window and 61 seconds ahead and one a window behind', [HOUR + 61, -HOUR]],
  ] as const)('%s allow exactly the limit', async (_circumstance, skews) => {
    const { token } = await hosts[0].create();
    await Promise.all(hosts.map((host, index) => host.skewClock(skews[index] ?? 0)));
    expect(await send(token, LIMIT + 1)).toEqual([LIMIT, 1]);
  });

  test('allow exactly the limit of each token if many tokens are used at once', async () => {
    const [rateLimit, asked] = [10, 14];
    const created = await Promise.all(Array.from({ length: 12 }, () => hosts[0].create({ rateLimit })));
    const sent = await Promise.all(created.map(({ token }) => send(token, asked)));
    expect(sent).toEqual(created.map(() => [rateLimit, asked - rateLimit]));
  });
});
