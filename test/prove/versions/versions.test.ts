import { awayFromHourEnd, HOUR } from '../../fixture/awayFromHourEnd';
import { engines, freshDatabase, type TestDatabase } from '../../fixture/databases';
import { createFilledTables } from '../../fixture/panelTables';
import { AUTHOR, type HostProcess, startHost } from '../../fixture/processes/hostProcess';
import { until } from '../../fixture/until';
import { folder } from '../../steps/provideEarlier';
import { figure } from '../figure';
import { type TokenLife, violations } from '../revocation/history';
import { liveToken } from '../revocation/liveToken';
import { isWhole, scaled } from '../scale';

const DAY = 86_400;
const LIMIT = 40;
const BURST = scaled({ fast: 120, full: 1000, long: 1000 });
const PROCESSES = scaled({ fast: 2, full: 3, long: 3 });
/** How many tokens live through in each lane while each mixture of versions serves. */
const MIXED_LIVES = scaled({ fast: 1, full: 20 });

const VERSIONS = ['earlier', 'present'] as const;
type Version = (typeof VERSIONS)[number];
const BOTH_WAYS = [VERSIONS, VERSIONS.toReversed()] as readonly (readonly [Version, Version])[];

const begin = (version: Version, database: TestDatabase, options = {}, isWhole = false) =>
  startHost(database, { options, isWhole, packageFolder: version === 'earlier' ? folder : undefined });

const cases = engines.flatMap((engine) => VERSIONS.map((creator) => [engine, creator] as const));

// In the slice, the other test has tables that the earlier version creates.
describe.each(isWhole ? cases : cases.slice(1, 2))(
  'Two versions, on %s tables of the %s one,',
  (engine, creator) => {
    const hosts = new Map<Version, HostProcess>();
    const host = (version: Version) => hosts.get(version) as HostProcess;
    const read = async (version: Version, name: string, token: string) =>
      (await host(version).get(`/api/v1/${name}.php`, token)).body;
    const set = (version: Version, changes: object) =>
      host(version).call('settings', 'change', changes, AUTHOR);

    /** What a token may read, as both versions answer it: values, or the code of an error. */
    const seen = async (token: string) => {
      const answers = VERSIONS.map(async (version) => {
        const [me, domains, email] = await Promise.all(
          ['me', 'domains', 'email'].map((name) => read(version, name, token)),
        );
        return {
          accounts: me.error?.code ?? me.data.account_ids,
          scopes: me.data?.token.scopes,
          end: Date.parse(me.data?.token.expires_at) / 1000,
          addresses: me.data?.allowed_ips,
          limit: me.data?.rate_limit.limit,
          domains: domains.error?.code ?? domains.data.items.map(({ domain }: { domain: string }) => domain),
          email: email.error?.code ?? email.data.items.length,
        };
      });
      const [earlier, present] = await Promise.all(answers);
      expect(earlier).toEqual(present);
      return present!;
    };

    beforeAll(async () => {
      const database = await freshDatabase(engine);
      await createFilledTables(database.knex);
      await database.knex('accounts').insert({ username: 'ben', status: 'active', owner_id: 1 });
      await database.knex('domains').insert({ domain: 'other.example', account_id: 2 });
      for (const version of VERSIONS) hosts.set(version, await begin(version, database, {}, true));
      await set(creator, { enabled: true, rateLimitRequests: 100_000, rateLimitWindowSeconds: HOUR });
    });

    test.each(BOTH_WAYS)('bound a token that the %s one creates and changes alike', async (author) => {
      const { create, update, rotate, revoke, call } = host(author);
      const scopes = ['profile.read', 'domains.read'];
      const request = { scopes, accountId: 1, owner: true, rateLimit: 500, expiresInSeconds: DAY };
      const { token, record } = await create(request);
      const first = await seen(token);
      const domains = ['shop.example', 'other.example'];
      expect(first).toMatchObject({ scopes, accounts: [1], limit: 500, domains, email: 'scope_missing' });
      await update(record.id, { scopes: [...scopes, 'email.read'], accountId: 2, rateLimit: 400 });
      const edited = { accounts: [2], limit: 400, domains: ['other.example'], email: 0 };
      expect(await seen(token)).toMatchObject({ ...edited, end: first.end });
      await update(record.id, { allowedAddresses: ['192.0.2.0/24'] });
      expect(await seen(token)).toMatchObject({ accounts: 'ip_not_allowed', domains: 'ip_not_allowed' });
      const allowedAddresses = ['127.0.0.0/8', '192.0.2.0/24'];
      await update(record.id, { allowedAddresses, accountIds: [1, 2] });
      await call('tokens', 'extend', record.id, { expiresAt: first.end + DAY }, AUTHOR);
      const extended = await seen(token);
      const both = { accounts: [1, 2], domains, addresses: allowedAddresses, end: first.end + DAY };
      expect(extended).toMatchObject({ limit: 400, ...both });
      const next = await rotate(record.id, { graceSeconds: 600 });
      expect(await seen(next!.token)).toEqual(extended);
      expect((await seen(token)).end).toBeLessThan(first.end);
      await revoke(record.id);
      expect(await seen(token)).toMatchObject({ accounts: 'token_revoked', domains: 'token_revoked' });
    });

    test('serve a token exactly as often as its limit says', async () => {
      const { token } = await host(creator).create({ rateLimit: LIMIT });
      await awayFromHourEnd();
      const answers = Array.from({ length: BURST }, (_, index) => read(VERSIONS[index % 2]!, 'me', token));
      const codes = (await Promise.all(answers)).map(({ error }) => error?.code);
      expect(codes.filter((code) => code === undefined)).toHaveLength(LIMIT);
      expect(codes.filter((code) => code === 'rate_limited')).toHaveLength(BURST - LIMIT);
    });

    test.each(BOTH_WAYS)('obey what the %s one switches at once', async (author, other) => {
      /** The limit of a new token, or why it is refused, and what is stored of its use. */
      const use = async () => {
        const { token, record } = await host(author).create();
        const { error, data } = await read(other, 'me', token);
        // Until the next version, each shows the uses that itself has stored.
        const stored = await host(other).call<typeof record>('tokens', 'get', record.id);
        const isUsed = stored.lastUsedAt !== null && stored.lastUsedAt < record.createdAt + HOUR;
        return [error?.code ?? data.rate_limit.limit, isUsed, stored.lastUsedAddress];
      };
      for (const rateLimitRequests of [90_000, 80_000]) {
        await set(author, { enabled: false });
        expect(await use()).toEqual(['api_disabled', false, null]);
        await set(author, { enabled: true, lastUsedAddress: false, rateLimitRequests });
        expect(await use()).toEqual([rateLimitRequests, true, null]);
        await set(author, { lastUsedAddress: true });
        expect(await use()).toEqual([rateLimitRequests, true, '127.0.0.1']);
      }
    });

    test.each(BOTH_WAYS)('show what the %s one, and then the %s one did', async (...names) => {
      const created = [];
      for (const name of names) created.push(await host(name).create({ name }));
      for (const { token } of created) for (const name of names) await read(name, 'me', token);
      for (const name of names) await host(name).flush();
      expect(await host('earlier').audit()).toEqual(await host('present').audit());
      for (const name of names) {
        const { audit, call, url } = host(name);
        expect((await audit()).slice(0, 2).map(({ details }) => details.name)).toEqual(names.toReversed());
        for (const { record } of created) {
          const page = await (await fetch(`${url}/admin/tokens/${record.id}`)).text();
          expect(page).toContain(`<title>${record.name}`);
          const rows = await call<{ requests: number }[]>('usage', 'ofToken', record.id);
          expect(rows.map(({ requests }) => requests)).toEqual([2]);
        }
      }
    });
  },
);

describe.each(isWhole ? engines : engines.slice(0, 1))('A change of version under load (%s)', (engine) => {
  test('and back, one process after another, refuses no request but of a revoked token, and those always', async () => {
    const database = await freshDatabase(engine);
    const start = (version: Version) => begin(version, database, { rateLimit: { requests: 10_000_000 } });
    const serving = await Promise.all(Array.from({ length: PROCESSES }, () => start('earlier')));
    const lives: TokenLife[] = [];
    let isOver = false;
    const ended = serving.map(() => 0);
    const lane = async (number: number) => {
      for (; !isOver; ended[number]! += 1)
        lives.push(await liveToken(serving, (id) => serving[number]!.revoke(id)));
    };
    const change = async (version: Version) => {
      const started = await Promise.all(serving.map(() => start(version)));
      for (const [index, host] of started.entries()) {
        const [old] = serving.splice(index, 1, host);
        // Then nothing that the old process was asked is unanswered.
        const before = [...ended];
        await until(() => ended.every((count, number) => count >= before[number]! + MIXED_LIVES));
        await old?.stop();
      }
    };
    const changes = async () => {
      await change('present');
      // As a later version may.
      await database.knex.schema.alterTable('panel_api_tokens', (table) => table.integer('added'));
      await database.knex('panel_api_migrations').insert({ name: '0002_added', applied_at: 1 });
      await change('earlier');
    };
    const lanes = serving.map((_, number) => lane(number));
    const over = changes().finally(() => (isOver = true));
    await Promise.all([over, ...lanes]);
    const outcomes = lives.flatMap(({ uses }) => uses.map(({ outcome }) => outcome));
    figure(`${engine}: tokens revoked during a change of version and back`, lives.length);
    figure(`${engine}: requests meanwhile`, outcomes.length);
    expect(lives.flatMap(violations)).toEqual([]);
    expect(new Set(outcomes)).toEqual(new Set(['200', '401 token_revoked']));
  });
});
