import { setTimeout as sleep } from 'node:timers/promises';
import Koa from 'koa';
import type { TokenRecord } from '../../../index';
import { Database } from '../../../lib/database/Database';
import { tableNames } from '../../../lib/database/migrations/tables';
import { DatabaseLimiter } from '../../../lib/limiter/DatabaseLimiter';
import { describeEachEngine, freshDatabase, type TestDatabase } from '../../fixture/databases';
import { gatheringSwitch } from '../../fixture/gatheringSwitch';
import { AUTHOR, startPanel, type TestPanel } from '../../fixture/panel';
import { insertToken, setToken } from '../../fixture/tokenRows';
import '../../fixture/tryAgain';

const ME = '/api/v1/me.php';

/** What a proxy sends as the client's address, and what is stored. */
const ADDRESSES = [
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['2001:DB8:0::1', '2001:db8::1'],
  ['fe80::1%eth0', 'fe80::1%eth0'],
  ["192.0.2.7'; DROP TABLE panel_api_tokens --", 'unknown'],
] as const;

describeEachEngine('The last use of a token', (engine) => {
  let database: TestDatabase;
  let panel: TestPanel;
  let token: string;
  let record: TokenRecord;

  beforeAll(async () => {
    database = await freshDatabase(engine);
    panel = await startPanel({ db: database.knex });
  });

  beforeEach(async () => {
    ({ token, record } = await panel.api.tokens.create({ name: 'test', scopes: ['profile.read'] }, AUTHOR));
  });

  const lastUsedAt = async () => (await panel.api.tokens.get(record.id))?.lastUsedAt ?? null;

  test('is stored before the answer is sent, and the answer shows it', async () => {
    expect(await lastUsedAt()).toBeNull();
    const { body } = await panel.get(ME, token);
    const noted = await lastUsedAt();
    expect(Math.abs(noted! - Date.now() / 1000)).toBeLessThan(60);
    // A second may begin between reading the token and storing its use.
    expect([0, 1]).toContain(noted! - Date.parse(body.data.token.last_used_at) / 1000);
  });

  test('is stored with the address that the log shows, and the next use replaces it', async () => {
    const address = async () => (await panel.api.tokens.get(record.id))?.lastUsedAddress;
    expect(await address()).toBeNull();
    await panel.get(ME, token);
    expect(await address()).toBe('127.0.0.1');
    const proxied = new Koa();
    proxied.proxy = true;
    const behind = await startPanel({ db: database.knex, httpsRequired: false }, proxied);
    for (const [index, [sent, stored]] of ADDRESSES.entries()) {
      await setToken(database.knex, record.id, { last_used_at: 1 });
      const { status } = await behind.get(ME, token, { headers: { 'X-Forwarded-For': sent } });
      expect([sent, status, await address()]).toEqual([sent, 200, stored]);
      const line = (await behind.requestLines(index + 1)).at(-1);
      expect(line?.fields.address).toBe(stored);
    }
  });

  test('is stored by the statement that counts the request', async () => {
    await panel.get(ME, token);
    const writes: string[] = [];
    const note = ({ sql }: { sql: string }) => {
      if (/last_used_at =/i.test(sql)) writes.push(sql);
    };
    database.knex.on('query', note);
    await panel.get(ME, token);
    database.knex.off('query', note);
    expect(writes).toEqual([expect.stringMatching(/hits = .*last_used_at = /s)]);
  });

  test('is stored for each of several tokens that are counted together, with its own address', async () => {
    const door = gatheringSwitch();
    const app = new Koa();
    app.proxy = true;
    const options = { db: database.knex, httpsRequired: false, enabled: door.enabled };
    const behind = await startPanel(options, app);
    const create = () => behind.api.tokens.create({ name: 'other', scopes: ['profile.read'] }, AUTHOR);
    const others = await Promise.all(Array.from({ length: 5 }, create));
    door.gather(others.length);
    const addresses = ['192.0.2.0', '192.0.2.1', 'unknown', '2001:db8::1', '198.51.100.7'];
    const asked = others.map((other, index) =>
      behind.get(ME, other.token, { headers: { 'X-Forwarded-For': addresses[index] ?? '' } }),
    );
    expect((await Promise.all(asked)).map(({ status }) => status)).toEqual(others.map(() => 200));
    const stored = await Promise.all(others.map(({ record: { id } }) => behind.api.tokens.get(id)));
    expect(stored.map((one) => one?.lastUsedAddress)).toEqual(addresses);
    expect(stored.every((one) => one?.lastUsedAt)).toBe(true);
  });

  // SQLite has one writer, and the process waits for it.
  if (engine !== 'sqlite') {
    test('delays the answer until it is stored', async () => {
      await panel.get(ME, token);
      const blocker = await database.knex.transaction();
      let waiting: ReturnType<typeof panel.get>;
      try {
        await blocker('panel_api_rate_limits').where({ token_id: record.id }).forUpdate().first();
        waiting = panel.get(ME, token);
        expect(await Promise.race([waiting, sleep(200, 'still waiting')])).toBe('still waiting');
      } finally {
        await blocker.rollback();
      }
      expect((await waiting).status).toBe(200);
    });
  }

  test('is stored for a request that is refused after the token was accepted', async () => {
    expect((await panel.get('/api/v1/domains.php', token)).status).toBe(403);
    expect(await lastUsedAt()).not.toBeNull();
  });

  test('is not stored for a token that is refused', async () => {
    await panel.api.tokens.revoke(record.id, AUTHOR);
    expect((await panel.get(ME, token)).status).toBe(401);
    expect(await lastUsedAt()).toBeNull();
  });

  test('is written once for all requests of one second if another store counts', async () => {
    const counting = await startPanel({ db: database.knex, rateLimit: { store: 'memory' } });
    const writes: string[] = [];
    const note = ({ sql }: { sql: string }) => {
      if (/last_used_at =/i.test(sql)) writes.push(sql);
    };
    database.knex.on('query', note);
    await sleep(1000 - (Date.now() % 1000));
    const seconds = new Set<string>();
    for (let request = 0; request < 10; request += 1)
      seconds.add((await counting.get(ME, token)).body.data.token.last_used_at);
    database.knex.off('query', note);
    expect(seconds.size).toBeLessThan(10);
    expect(writes.length).toBeGreaterThanOrEqual(seconds.size);
    // The first finds no window to add to.
    expect(writes.length).toBeLessThanOrEqual(seconds.size + 1);
    expect(Math.abs((await lastUsedAt())! - Date.now() / 1000)).toBeLessThan(60);
    const [count] = await database.knex('panel_api_rate_limits').where({ token_id: record.id });
    expect(Number(count.hits)).toBe(0);
  });

  test('is stored although the token has waited for more than a window', async () => {
    await panel.get(ME, token);
    await database.knex('panel_api_rate_limits').update({ window_start: 60, last_used_at: 61 });
    expect((await panel.get(ME, token)).status).toBe(200);
    expect(Math.abs((await lastUsedAt())! - Date.now() / 1000)).toBeLessThan(60);
  });

  test('does not go back by the second that two clocks differ, and keeps its address', async () => {
    // Two seconds, because the next one may begin meanwhile.
    const later = Math.floor(Date.now() / 1000) + 2;
    await setToken(database.knex, record.id, { last_used_at: later, last_used_address: '192.0.2.7' });
    expect((await panel.get(ME, token)).status).toBe(200);
    const stored = await panel.api.tokens.get(record.id);
    expect(stored?.lastUsedAt).toBeGreaterThanOrEqual(later);
    expect(['192.0.2.7', '127.0.0.1']).toContain(stored?.lastUsedAddress);
  });

  test('of a request that was looked up earlier than one that is stored is left out', async () => {
    const store = Database.of(database.knex, 5000);
    const limiter = new DatabaseLimiter({ database: store, tables: tableNames('panel_api_') });
    const now = await store.clock();
    const id = record.id;
    await limiter.count({ id, readAt: now, address: '192.0.2.1' }, 60);
    await limiter.count({ id, readAt: now - 4, address: '192.0.2.2' }, 60);
    expect(await panel.api.tokens.get(id)).toMatchObject({ lastUsedAt: now, lastUsedAddress: '192.0.2.1' });
    await Promise.all([
      limiter.count({ id, readAt: now + 1, address: '192.0.2.3' }, 60),
      limiter.count({ id, readAt: now - 4, address: '192.0.2.4' }, 60),
    ]);
    expect(await panel.api.tokens.get(id)).toMatchObject({
      lastUsedAt: now + 1,
      lastUsedAddress: '192.0.2.3',
    });
  });

  test.each([10, 366 * 86_400])(
    'replaces a time that a wrong clock has stored %i seconds ahead, and the answer shows it',
    async (seconds) => {
      const later = Math.floor(Date.now() / 1000) + seconds;
      const ahead = { last_used_at: later, last_used_address: '192.0.2.7' };
      await setToken(database.knex, record.id, ahead);
      const { body } = await panel.get(ME, token);
      const { lastUsedAt: stored, lastUsedAddress } = (await panel.api.tokens.get(record.id))!;
      expect(stored).toBeLessThan(later);
      expect(lastUsedAddress).toBe('127.0.0.1');
      expect([0, 1]).toContain(stored! - Date.parse(body.data.token.last_used_at) / 1000);
    },
  );
});

describeEachEngine('The address of the last use', (engine) => {
  let database: TestDatabase;
  let panel: TestPanel;
  let token: string;
  let record: TokenRecord;

  beforeEach(async () => {
    database = await freshDatabase(engine);
    panel = await startPanel({ db: database.knex });
    ({ token, record } = await panel.api.tokens.create({ name: 'test', scopes: ['*'] }, AUTHOR));
  });

  const stored = async () => {
    const { lastUsedAt, lastUsedAddress } = (await panel.api.tokens.get(record.id))!;
    return [lastUsedAt !== null, lastUsedAddress];
  };

  const LATE = { last_used_address: '192.0.2.7' };
  const inDatabase = () => database.knex('panel_api_rate_limits').pluck('last_used_address');

  const keepAddress = (lastUsedAddress: boolean) =>
    panel.api.settings.change({ lastUsedAddress }, AUTHOR).catch((error) => error);

  /** Sends a request in another second than the last one. */
  const useAgain = async () => {
    await setToken(database.knex, record.id, { last_used_at: 1 });
    expect((await panel.get(ME, token)).status).toBe(200);
  };

  test('is deleted when the setting is turned off, and not stored until it is on again', async () => {
    await panel.get(ME, token);
    expect(await stored()).toEqual([true, '127.0.0.1']);
    await keepAddress(false);
    expect(await stored()).toEqual([true, null]);
    await useAgain();
    expect(await stored()).toEqual([true, null]);
    await keepAddress(true);
    expect(await stored()).toEqual([true, null]);
    await useAgain();
    expect(await stored()).toEqual([true, '127.0.0.1']);
  });

  test('is kept if the setting could not be turned off', async () => {
    await panel.get(ME, token);
    await database.knex.schema.renameTable('panel_api_audit_log', 'elsewhere');
    expect((await keepAddress(false)).message).toContain('settings.change failed');
    await database.knex.schema.renameTable('elsewhere', 'panel_api_audit_log');
    expect(await stored()).toEqual([true, '127.0.0.1']);
    expect(await panel.api.settings.get('lastUsedAddress')).toBe(true);
  });

  test('of a request that began before the setting was turned off is deleted by the next use', async () => {
    await useAgain();
    await keepAddress(false);
    await setToken(database.knex, record.id, LATE);
    await useAgain();
    expect(await inDatabase()).toEqual([null]);
    await setToken(database.knex, record.id, LATE);
    await keepAddress(false);
    expect(await inDatabase()).toEqual([null]);
  });

  // SQLite locks no rows.
  if (engine !== 'sqlite')
    test('that cannot be deleted does not keep the API from being switched off', async () => {
      await useAgain();
      await keepAddress(false);
      await setToken(database.knex, record.id, LATE);
      const blocker = await database.knex.transaction();
      try {
        await blocker('panel_api_rate_limits').where({ token_id: record.id }).forUpdate().first();
        await panel.api.settings.disable(AUTHOR);
        expect(await panel.api.settings.enabled()).toBe(false);
      } finally {
        await blocker.rollback();
      }
      await panel.api.settings.change({}, AUTHOR);
      expect(await inDatabase()).toEqual([null]);
    });

  test('is not shown while the setting is off, and is deleted before it is shown again', async () => {
    await useAgain();
    await keepAddress(false);
    await setToken(database.knex, record.id, LATE);
    expect(await stored()).toEqual([true, null]);
    await keepAddress(true);
    expect([await stored(), await inDatabase()]).toEqual([[true, null], [null]]);
  });

  test('is deleted for any number of tokens, also where the version before has stored it', async () => {
    const row = { scopes: '*', created_at: 1, ...LATE };
    for (let index = 0; index < 1203; index += 1)
      await insertToken(database.knex, { name: `${index}`, ...row });
    await database.knex('panel_api_tokens').update({ last_used_address: '192.0.2.7', seen_networks: 'x' });
    await keepAddress(false);
    expect(new Set(await inDatabase())).toEqual(new Set([null]));
    const kept = await database.knex('panel_api_tokens').distinct('last_used_address', 'seen_networks');
    expect(kept).toEqual([{ last_used_address: null, seen_networks: null }]);
  });
});
