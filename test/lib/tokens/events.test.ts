import { setTimeout as sleep } from 'node:timers/promises';
import Koa from 'koa';
import type { TokenEvent } from '../../../index';
import { networkOf } from '../../../lib/addresses/addresses';
import {
  describeEachEngine,
  describeOneEngine,
  freshDatabase,
  type TestDatabase,
} from '../../fixture/databases';
import { AUTHOR, startPanel, type TestPanel } from '../../fixture/panel';
import { until } from '../../fixture/until';

const DAY = 86_400;
const ME = '/api/v1/me.php';

/** A panel behind a proxy that says which address its client has. It is told of what requests show. */
async function startProxied(database: TestDatabase, told?: (event: TokenEvent) => unknown) {
  const app = new Koa();
  const onTokenEvent = told && ((event: TokenEvent) => (event.type === 'created' ? undefined : told(event)));
  app.proxy = true;
  const rateLimit = { requests: 10_000 };
  return startPanel(
    { db: database.knex, httpsRequired: false, rateLimit, ...(onTokenEvent && { onTokenEvent }) },
    app,
  );
}

const from = (address: string) => ({ headers: { 'X-Forwarded-For': address } });

const create = async (panel: TestPanel, request: object = {}) =>
  panel.api.tokens.create({ name: 'x', scopes: ['profile.read'], expiresAt: null, ...request }, AUTHOR);

/** Sets the columns of a token as if time had passed. */
const alter = ({ knex }: TestDatabase, id: number, columns: object) =>
  knex('panel_api_tokens').where({ id }).update(columns);

describeEachEngine('An event of a token', (engine) => {
  test('is told once over all processes, however many requests show it', async () => {
    const database = await freshDatabase(engine);
    const told: TokenEvent[] = [];
    // Each mount has a memory of its own, like a process.
    const mounts = [await startProxied(database, (event) => told.push(event))];
    mounts.push(await startProxied(database, (event) => told.push(event)));
    const { token, record } = await create(mounts[0]!);
    await alter(database, record.id, { created_at: 1, expires_at: record.createdAt + 2 * DAY });
    const ask = async (address: string) => {
      await Promise.all(
        Array.from({ length: 12 }, (_, index) => mounts[index % 2]!.get(ME, token, from(address))),
      );
      await mounts[0]!.get(ME, token, from(address));
    };
    await ask('192.0.2.7');
    await until(() => told.length === 2);
    await alter(database, record.id, { expires_at: record.createdAt - 1 });
    await ask('192.0.2.7');
    await until(() => told.length === 3);
    await sleep(100);
    const shown = told.map((event) => [event.type, 'token' in event && event.token.id]).toSorted();
    expect(shown).toEqual(['ended', 'expiring', 'first_address'].map((type) => [type, record.id]));
    expect(told.find(({ type }) => type === 'expiring')).toMatchObject({ days: 3 });
  });
});

describeOneEngine('The events of a token', (engine) => {
  let database: TestDatabase;
  let panel: TestPanel;
  let told: TokenEvent[];
  let behave: (event: TokenEvent) => unknown;

  beforeAll(async () => {
    database = await freshDatabase(engine);
    panel = await startProxied(database, (event) => {
      told.push(event);
      return behave(event);
    });
  });

  beforeEach(() => {
    told = [];
    behave = () => undefined;
  });

  /** What these requests tell: waits for so many events, or a moment if there must be none. */
  const toldOf = async (count: number, requests: () => Promise<unknown>) => {
    told = [];
    await requests();
    await until(() => told.length >= count);
    if (count === 0) await sleep(60);
    return told.map((event) =>
      'days' in event ? event.days : 'network' in event ? event.network : event.type,
    );
  };

  test('tell that it expires, at 14, 3 and 1 days, and again after an extension', async () => {
    const { token, record } = await create(panel);
    const now = record.createdAt;
    const ask = () => panel.get(ME, token, from('192.0.2.7'));
    await toldOf(1, ask);
    const at = async (left: number, count: number) => {
      await alter(database, record.id, { created_at: now - 90 * DAY, expires_at: now + left });
      return [...(await toldOf(count, ask)), ...(await toldOf(0, ask))];
    };
    for (const [left, days] of [
      [15 * DAY, []],
      [14 * DAY, [14]],
      [4 * DAY, []],
      [DAY, [1]],
      [3600, []],
    ] as const)
      expect([left, await at(left, days.length)]).toEqual([left, days]);
    await panel.api.tokens.extend(record.id, { expiresAt: now + 2 * DAY }, AUTHOR);
    expect(await toldOf(1, ask)).toEqual([3]);
    const found = {
      ...(await panel.api.tokens.get(record.id)),
      lastUsedAt: expect.any(Number),
      readAt: expect.any(Number),
    };
    expect(told[0]).toEqual(expect.objectContaining({ token: found }));
  });

  test('do not tell of a time that is as long as its whole life', async () => {
    const { token } = await create(panel, { expiresAt: undefined, expiresInSeconds: 3 * DAY });
    expect(await toldOf(1, () => panel.get(ME, token, from('192.0.2.7')))).toEqual(['192.0.2.0/24']);
  });

  test('tell of each network once, and of none if no address may be stored', async () => {
    const { token, record } = await create(panel);
    const ask = (count: number, ...addresses: readonly string[]) =>
      toldOf(count, async () => {
        for (const address of addresses) {
          await panel.get(ME, token, from(address));
          await sleep(30);
        }
      });
    expect(await ask(2, '192.0.2.7', '192.0.2.250', '198.51.100.1', '192.0.2.7')).toEqual([
      '192.0.2.0/24',
      '198.51.100.0/24',
    ]);
    expect(told[1]).toMatchObject({ type: 'first_address', address: '198.51.100.1' });
    expect(await ask(1, '2001:db8:1:2::3', '2001:db8:1:ffff::3', 'unknown')).toEqual(['2001:db8:1::/48']);
    await panel.api.settings.change({ lastUsedAddress: false }, AUTHOR);
    const stored = async () =>
      (await database.knex('panel_api_tokens').where({ id: record.id }))[0].seen_networks;
    expect(await stored()).toBeNull();
    await alter(database, record.id, { seen_networks: '203.0.113.0/24' });
    expect(await ask(0, '203.0.113.7', '192.0.2.7')).toEqual([]);
    expect(await stored()).toBeNull();
    await panel.api.settings.change({ lastUsedAddress: true }, AUTHOR);
  });

  test('tell of networks that requests show at the same moment', async () => {
    const { token, record } = await create(panel);
    await create(panel);
    const addresses = Array.from({ length: 12 }, (_, index) => `10.1.${index}.7`);
    const networks = addresses.map((address) => address.replace(/7$/, '0/24')).toSorted();
    const shown = await toldOf(addresses.length, () =>
      Promise.all(addresses.map((address) => panel.get(ME, token, from(address)))),
    );
    expect(shown.toSorted()).toEqual(networks);
    const [row] = await database.knex('panel_api_tokens').where({ id: record.id });
    const seen = row.seen_networks.split(' ').map((one: string) => one.split('=')[0]);
    expect(seen.toSorted()).toEqual(networks);
  });

  describe('of networks', () => {
    const stored = async (id: number): Promise<string> =>
      (await database.knex('panel_api_tokens').where({ id }))[0].seen_networks;
    const use = async (token: string, addresses: readonly string[]) => {
      for (const address of addresses) await panel.get(ME, token, from(address));
    };
    const dayOf = (seconds: number) => Math.floor(seconds / DAY);
    const numbered = (beginning: string, count: number) =>
      Array.from({ length: count }, (_, index) => `${beginning}.${index}`);

    test('are told again of none that is in use every day, and of three a day that replace another', async () => {
      const { token, record } = await create(panel);
      const today = dayOf(record.createdAt);
      const others = numbered('10.0', 63).map((one) => `${one}.0/24=${today - 2}`);
      await alter(database, record.id, { seen_networks: [...others, `192.0.2.0/24=${today - 3}`].join(' ') });
      expect(await toldOf(0, () => use(token, ['192.0.2.7']))).toEqual([]);
      for (const one of numbered('10.9', 3))
        expect(await toldOf(1, () => use(token, [`${one}.7`]))).toEqual([`${one}.0/24`]);
      expect(await toldOf(0, () => use(token, ['10.9.3.7', '10.9.4.7']))).toEqual([]);
      const networks = (await stored(record.id)).split(' ');
      expect(networks).toHaveLength(64);
      expect(networks.filter((one) => one.endsWith('+'))).toHaveLength(3);
      expect(await toldOf(0, () => use(token, ['192.0.2.7', '10.9.4.7', '10.9.1.7']))).toEqual([]);
      // On the next day.
      const aged = networks.map((one) => one.replace(/\d+(?=\+?$)/, (day) => `${Number(day) - 1}`)).join(' ');
      await alter(database, record.id, { seen_networks: aged });
      expect(await toldOf(1, () => use(token, ['192.0.2.7', '10.9.4.7', '10.9.1.7']))).toEqual([
        '10.9.4.0/24',
      ]);
    });

    test('are stored once a day, however many the token is used from in turn', async () => {
      const { token } = await create(panel);
      const addresses = numbered('10.7', 80).map((one) => `${one}.7`);
      let updates = 0;
      const count = ({ sql }: { sql: string }) => {
        if (/^(?:\S+ SET .*? FOR \S+ )?update .*seen_networks/i.test(sql)) updates += 1;
      };
      database.knex.on('query', count);
      expect(await toldOf(67, () => use(token, addresses))).toHaveLength(67);
      const before = updates;
      expect(before).toBeGreaterThanOrEqual(67);
      expect(await toldOf(0, () => use(token, addresses))).toEqual([]);
      expect(updates).toBe(before);
      database.knex.removeListener('query', count);
    });

    test('keep the day of their last use if a request that began on the day before ends later', async () => {
      const { token, record } = await create(panel);
      const tomorrow = dayOf(record.createdAt) + 1;
      const seen = `192.0.2.0/24=${tomorrow}+ 198.51.100.0/24=${tomorrow}`;
      await alter(database, record.id, { seen_networks: seen });
      expect(await toldOf(0, () => use(token, ['192.0.2.7', '198.51.100.7']))).toEqual([]);
      expect(await stored(record.id)).toBe(seen);
    });

    test('are told of none that was stored without a day', async () => {
      const { token, record } = await create(panel);
      await alter(database, record.id, { seen_networks: '192.0.2.0/24 198.51.100.0/24' });
      expect(await toldOf(0, () => use(token, ['198.51.100.7', '192.0.2.7']))).toEqual([]);
      // The requests are dealt with after their answers, in any order.
      const isStored = (networks: string) =>
        /^192\.0\.2\.0\/24=\d+ 198\.51\.100\.0\/24=\d+$/.test(networks.split(' ').toSorted().join(' '));
      await until(async () => isStored(await stored(record.id)));
    });
  });

  test('tell that it was used after its revocation, but not what refused it before', async () => {
    const { token, record } = await create(panel, { allowedAddresses: ['192.0.2.7'] });
    expect(await toldOf(0, () => panel.get(ME, token, from('198.51.100.1')))).toEqual([]);
    await panel.api.tokens.revoke(record.id, AUTHOR);
    expect(await toldOf(1, () => panel.get(ME, token, from('192.0.2.7')))).toEqual(['ended']);
    expect(await toldOf(0, () => panel.get(ME, token, from('192.0.2.7')))).toEqual([]);
  });

  test.each<[string, () => unknown, boolean]>([
    [
      'throws',
      () => {
        throw new Error('secret');
      },
      true,
    ],
    ['rejects', () => Promise.reject(new Error('secret')), true],
    [
      'throws what is no error',
      () => {
        throw null;
      },
      true,
    ],
    ['never settles', () => new Promise(() => undefined), false],
    ['rejects long after the answer', () => sleep(150).then(() => Promise.reject(new Error('secret'))), true],
  ])('change nothing for the request if the function %s', async (_what, act, isLogged) => {
    behave = act;
    const { token, record } = await create(panel);
    const lines = () => panel.log.filter(({ message }) => message === 'panel-api token event failed').length;
    const before = lines();
    expect((await panel.get(ME, token, from('192.0.2.7'))).status).toBe(200);
    await until(() => told.length === 1);
    if (isLogged) await until(() => lines() > before);
    expect(lines() - before).toBe(isLogged ? 1 : 0);
    if (isLogged) {
      const { fields } = panel.log.findLast(({ message }) => message === 'panel-api token event failed')!;
      expect(fields).toMatchObject({ type: 'first_address', token_id: record.id });
      expect(JSON.stringify(fields)).not.toContain('secret');
    }
    expect(await toldOf(0, () => panel.get(ME, token, from('192.0.2.7')))).toEqual([]);
  });

  test('cost no statement for a request that shows none', async () => {
    const plain = await startProxied(database);
    const { token, record } = await create(panel);
    const names: string[] = [];
    const updates = () =>
      names.filter((sql) => /told_days|seen_networks/.test(sql) && /^update/i.test(sql)).length;
    /** How many three requests cost. The first must cost this many; the next ones find them done. */
    const statements = async (asked: TestPanel, first = 0) => {
      names.length = 0;
      const ask = () => asked.get(ME, token, from('192.0.2.7'));
      await ask();
      await until(() => updates() >= first && database.knex.client.pool.numUsed() === 0);
      await ask();
      await ask();
      await sleep(60);
      return updates();
    };
    database.knex.on('query', ({ sql }: { sql: string }) => names.push(sql));
    expect(await statements(panel, 1)).toBe(1);
    expect(await statements(panel)).toBe(0);
    expect(names.length).toBeGreaterThan(2);
    expect(await statements(plain)).toBe(0);
    await alter(database, record.id, { created_at: 1, expires_at: record.createdAt + 2 * DAY });
    expect([await statements(panel, 1), await statements(panel)]).toEqual([1, 0]);
    await alter(database, record.id, { expires_at: 2 });
    expect([await statements(panel, 1), await statements(panel)]).toEqual([1, 0]);
    await alter(database, record.id, { expires_at: null });
    await panel.api.settings.change({ lastUsedAddress: false }, AUTHOR);
    expect(await statements(panel)).toBe(0);
    await panel.api.settings.change({ lastUsedAddress: true }, AUTHOR);
  });

  test('are no option unless they are a function', async () => {
    for (const onTokenEvent of [true, {}, 'mail', null])
      await expect(startPanel({ db: database.knex, onTokenEvent: onTokenEvent as never })).rejects.toThrow(
        'createPanelApi: the option onTokenEvent must be a function.',
      );
  });
});

test.each([
  ['192.0.2.7', '192.0.2.0/24'],
  ['::ffff:192.0.2.7', '192.0.2.0/24'],
  ['2001:db8:1:2::3', '2001:db8:1::/48'],
  ['::1', '::/48'],
  ['fe80::1%eth0', null],
  ['unknown', null],
])('The network of %s is %p', (address, network) => {
  expect(networkOf(address)).toBe(network);
});
