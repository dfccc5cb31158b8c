import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as textOf } from 'node:stream/consumers';
import { createMetrics, type MetricsOptions } from '../../index';
import { HOUR } from '../fixture/awayFromHourEnd';
import { closeAtEnd } from '../fixture/closeAtEnd';
import { describeOneEngine, freshDatabase, type TestDatabase } from '../fixture/databases';
import { type MetricsPanel, samplesOf, some, startMetricsPanel } from '../fixture/metricsPanel';
import { AUTHOR } from '../fixture/panel';
import { createFilledTables } from '../fixture/panelTables';
import { withoutSeconds } from '../fixture/withoutSeconds';

const HOME = '127.0.0.1';
const OUTSIDE = '203.0.113.5';
const JOBS = '/api/v1/jobs.php';

/** The members of a log line that belong to one request only, or name the endpoint. */
const DIFFERENT = ['request_id', 'token_id', 'milliseconds', 'bytes', 'route'];

interface Bearer {
  readonly token?: string;
  readonly id: number;
}

describeOneEngine('The metrics as a mount beside the API', (engine) => {
  let database: TestDatabase;
  let scraped: MetricsPanel;
  let enabled: () => boolean | Promise<boolean>;

  beforeAll(async () => {
    database = await freshDatabase(engine);
    await createFilledTables(database.knex);
    const created_at = '2026-06-12 00:00:00';
    await database.knex('accounts').insert({ id: 2, username: 'bert', status: 'active', created_at });
    await database.knex('jobs').update({ account_id: 1 });
    scraped = await startMetricsPanel({
      db: database.knex,
      enabled: () => enabled(),
      rateLimit: { requests: 1000, windowSeconds: HOUR },
      sources: { cron: false },
    });
    enabled = () => true;
    await scraped.samples((await created()).token as string);
  });

  beforeEach(() => {
    enabled = () => true;
  });

  const created = async (request: object = {}): Promise<Bearer> => {
    const { token, record } = await scraped.panel.api.tokens.create(
      { name: 'test', scopes: ['jobs.read', 'profile.read'], ...request },
      AUTHOR,
    );
    return { token, id: record.id };
  };
  const changed = async (change: object): Promise<Bearer> => {
    const bearer = await created();
    await database.knex('panel_api_tokens').where({ id: bearer.id }).update(change);
    return bearer;
  };
  const usedUp = async (): Promise<Bearer> => {
    const bearer = await created({ rateLimit: 1 });
    await scraped.panel.get('/api/v1/me.php', bearer.token);
    return bearer;
  };

  interface Refusal {
    readonly bearer?: () => Promise<Bearer>;
    readonly address?: string;
    readonly method?: string;
    readonly query?: string;
    readonly switch?: () => boolean | Promise<boolean>;
    readonly expected: readonly [status: number, code: string];
  }

  const refusals: Readonly<Record<string, Refusal>> = {
    'without a token': { bearer: async () => ({ id: 0 }), expected: [401, 'token_missing'] },
    'with an unknown token': {
      bearer: async () => ({ id: 0, token: `pnl_${'a'.repeat(46)}` }),
      expected: [401, 'token_unknown'],
    },
    'with a revoked token': {
      bearer: () => changed({ revoked_at: 1, revoked_by: 'tester' }),
      expected: [401, 'token_revoked'],
    },
    'with an expired token': { bearer: () => changed({ expires_at: 1 }), expected: [401, 'token_expired'] },
    'from another address': {
      bearer: () => created({ allowedAddresses: ['192.0.2.7'] }),
      expected: [403, 'ip_not_allowed'],
    },
    'without HTTPS': { address: OUTSIDE, expected: [403, 'https_required'] },
    'beyond the limit': { bearer: usedUp, expected: [429, 'rate_limited'] },
    'by another method': { method: 'POST', expected: [405, 'method_not_allowed'] },
    'by another method and beyond the limit': {
      method: 'DELETE',
      bearer: usedUp,
      expected: [429, 'rate_limited'],
    },
    'with an unknown parameter': { query: '?list=jobs', expected: [400, 'query_invalid'] },
    'with a parameter that is no text': { query: '?a=%zz', expected: [400, 'query_invalid'] },
    'while the API is off': { switch: () => false, expected: [503, 'api_disabled'] },
    'while the switch fails': {
      switch: () => Promise.reject(new Error('no answer')),
      expected: [503, 'unavailable'],
    },
  };

  test.each(Object.entries(refusals))('refuses a scrape %s as any request', async (_name, refusal) => {
    const { panel } = scraped;
    const { bearer = created, address = HOME, method = 'GET', query = '', expected } = refusal;
    const outcome = async (ask: (bearer: Bearer, init: RequestInit) => Promise<Response>) => {
      const who = await bearer();
      const before = (await panel.requestLines(0)).length;
      const usesBefore = await panel.api.usage.today([who.id]);
      enabled = refusal.switch ?? enabled;
      const response = await ask(who, { method, headers: { 'X-Seen-From': address } });
      const line = (await panel.requestLines(before + 1))[before];
      enabled = () => true;
      const facts = Object.entries(line?.fields ?? {}).filter(([name]) => !DIFFERENT.includes(name));
      const headers = ['www-authenticate', 'allow', 'cache-control', 'content-type', 'ratelimit-policy'];
      return {
        status: response.status,
        headers: headers.map((name) => response.headers.get(name)),
        line: [line?.level, line?.fields.token_id === (who.id || null), facts],
        uses: ((await panel.api.usage.today([who.id])).get(who.id) ?? 0) - (usesBefore.get(who.id) ?? 0),
        hits: (await database.knex('panel_api_rate_limits').where({ token_id: who.id }).pluck('hits')).map(
          Number,
        ),
        body: response,
      };
    };
    const scrape = await outcome(({ token }, init) => scraped.ask(token, { ...init, query }));
    const { sent } = scrape.body as Response & { sent: string };
    const { error } = JSON.parse(sent);
    expect([scrape.status, error.code]).toEqual(expected);
    const endpoint = await outcome(({ token }, init) =>
      fetch(`${panel.url}/api/v1/me.php${query}`, {
        ...init,
        headers: { ...init.headers, ...(token && { Authorization: `Bearer ${token}` }) },
      }),
    );
    expect({ ...scrape, body: null }).toEqual({ ...endpoint, body: null });
    const other = JSON.parse(await endpoint.body.text());
    expect(withoutSeconds(JSON.stringify(error))).toBe(withoutSeconds(JSON.stringify(other.error)));
  });

  test('counts a scrape once, notes the use, and writes one line', async () => {
    const { panel } = scraped;
    const { token, id } = await created();
    const before = (await panel.requestLines(0)).length;
    const { status, headers, sent } = await scraped.ask(token, { headers: { 'X-Request-Id': 'scrape-1' } });
    const lines = (await panel.requestLines(before + 1)).slice(before);
    expect(lines.map(({ level, fields }) => [level, fields])).toEqual([
      [
        'info',
        expect.objectContaining({
          request_id: 'scrape-1',
          route: 'metrics',
          method: 'GET',
          token_id: id,
          status: 200,
          error_code: null,
          bytes: Buffer.byteLength(sent),
        }),
      ],
    ]);
    await panel.api.usage.flush();
    expect(await panel.api.usage.ofToken(id)).toEqual([
      expect.objectContaining({ endpoint: 'metrics', statusClass: 2, requests: 1 }),
    ]);
    expect(await database.knex('panel_api_rate_limits').where({ token_id: id }).pluck('hits')).toHaveLength(
      1,
    );
    expect(Number(headers.get('ratelimit')?.match(/r=(\d+)/)?.[1])).toBe(999);
    expect((await panel.api.tokens.get(id))?.lastUsedAt).not.toBeNull();
    expect([status, headers.get('content-type'), headers.get('vary'), headers.get('cache-control')]).toEqual([
      200,
      'text/plain; version=0.0.4; charset=utf-8',
      'Accept',
      'no-store',
    ]);
  });

  test('answers HEAD as GET without the body, and OpenMetrics to who prefers it', async () => {
    const { token } = await created({ scopes: ['platform.read'] });
    const head = await scraped.ask(token, { method: 'HEAD' });
    expect([head.status, head.sent, Number(head.headers.get('content-length')) > 1000]).toEqual([
      200,
      '',
      true,
    ]);
    const open = await scraped.ask(token, { headers: { Accept: 'application/openmetrics-text' } });
    expect(open.headers.get('content-type')).toMatch(/^application\/openmetrics-text; version=1\.0\.0/);
    expect(open.sent.endsWith('\n# EOF\n')).toBe(true);
    expect(open.sent).toContain('# TYPE panel_api_requests counter\n');
  });

  test('shows a token the lists of its scopes, and names the scopes that would show something', async () => {
    const { token } = await created({ scopes: ['jobs.read', 'settings.read'] });
    const samples = samplesOf((await scraped.ask(token)).sent);
    expect(Object.keys(some(samples, 'panel_source_up'))).toEqual(['panel_source_up{list="jobs"}']);
    expect(Object.keys(samples).every((name) => /^panel_(job|source|build)/.test(name))).toBe(true);
    const without = await created({ scopes: ['settings.read', 'profile.read'] });
    const { status, headers, sent } = await scraped.ask(without.token);
    const scopes =
      'accounts.read domains.read websites.read email.read databases.read ssl.read backups.read jobs.read services.read platform.read';
    expect([status, JSON.parse(sent)]).toMatchObject([
      403,
      {
        message: `This token lacks the scope ${scopes.replaceAll(' ', ' or ')}. With profile.read, me.php shows what a token may do.`,
        error: { code: 'scope_missing', required_scope: scopes },
      },
    ]);
    expect(headers.get('www-authenticate')).toContain(`scope="${scopes}"`);
  });

  test('shows a token of one account nothing of others, and refuses one that would see nothing', async () => {
    const of = async (accountId: string) => {
      const { token } = await created({ accountId, scopes: ['*'] });
      return samplesOf((await scraped.ask(token)).sent);
    };
    const [own, other] = [await of('1'), await of('2')];
    expect(some(own, 'panel_jobs')).toEqual({ 'panel_jobs{status="running"}': 1 });
    expect(some(other, 'panel_jobs')).toEqual({});
    expect(some(other, 'panel_source_up{list="services"}')).toEqual({});
    const platform = await created({ accountId: '1', scopes: ['platform.read', 'services.read'] });
    const { status, sent } = await scraped.ask(platform.token);
    expect([status, JSON.parse(sent).error.code]).toEqual([403, 'account_forbidden']);
  });

  test('judges the token afresh while it shows a reading again', async () => {
    const kept = await startMetricsPanel({ db: database.knex }, { maxAgeSeconds: 3600 });
    const { token, id } = await created({ scopes: ['jobs.read'] });
    const count = async (bearer = token) =>
      samplesOf((await kept.ask(bearer)).sent)['panel_jobs{status="running"}'];
    expect(await count()).toBe(1);
    await database.knex('jobs').insert({ type: 'site.deploy', status: 'running', account_id: 1 });
    expect(await count()).toBe(1);
    expect(await count((await created({ accountId: '1' })).token)).toBe(2);
    await scraped.panel.api.tokens.update(id, { scopes: ['domains.read'] }, AUTHOR);
    expect(await count()).toBeUndefined();
    await scraped.panel.api.tokens.revoke(id, AUTHOR);
    expect((await kept.ask(token)).status).toBe(401);
  });

  test('judges the accounts of the token afresh while it shows a reading again', async () => {
    const kept = await startMetricsPanel({ db: database.knex }, { maxAgeSeconds: 3600 });
    const accounts = database.knex('accounts');
    const { token } = await created({ accountId: '1', owner: true });
    const jobs = async () => samplesOf((await kept.ask(token)).sent)['panel_jobs{status="queued"}'];
    await accounts.clone().where({ id: 2 }).update({ owner_id: 1 });
    await database.knex('jobs').insert({ type: 'site.deploy', status: 'queued', account_id: 2 });
    expect(await jobs()).toBe(1);
    await accounts.clone().where({ id: 2 }).update({ owner_id: null });
    expect(await jobs()).not.toBe(1);
    await accounts.clone().where({ id: 1 }).update({ status: 'suspended' });
    expect(JSON.parse((await kept.ask(token)).sent).error.code).toBe('account_suspended');
    await accounts.clone().where({ id: 1 }).update({ status: 'active' });
  });

  test('is mounted twice, with other names, and in a panel that is not Koa', async () => {
    const { token } = await created();
    const second = createMetrics({ api: scraped.panel.api, path: '/monitor/figures', prefix: 'web1_' });
    const server = http.createServer((request, response) => {
      scraped.metrics.handler()(request, response, () =>
        second.handler()(request, response, () => response.end('panel')),
      );
    });
    await once(server.listen(0, HOME), 'listening');
    closeAtEnd(() => server.close());
    const get = async (path: string) => {
      const { port } = server.address() as AddressInfo;
      const request = http.get({
        port,
        path,
        headers: { authorization: `Bearer ${token}`, connection: 'close' },
      });
      const [response] = (await once(request, 'response')) as [http.IncomingMessage];
      return textOf(response);
    };
    expect(samplesOf(await get('/metrics'))['panel_source_up{list="jobs"}']).toBe(1);
    expect(samplesOf(await get('/monitor/figures'))['web1_source_up{list="jobs"}']).toBe(1);
    for (const path of ['/metrics/', '/Metrics', '/metrics/x', '/']) expect(await get(path)).toBe('panel');
  });

  test.each<[string, object, string]>([
    ['no API', { api: undefined }, 'api'],
    ['another API', { api: {} }, 'api'],
    ['an unknown option', { port: 1 }, 'unknown option port'],
    ['the path of the API', { path: '/api/v1' }, 'path must be a path such as /metrics, and neither /api/v1'],
    ['a path below it', { path: '/api/v1/metrics' }, 'path'],
    ['a path with parameters', { path: '/:any' }, 'path'],
    ['no path', { path: '' }, 'path'],
    ['a prefix that is no name', { prefix: '1-panel' }, 'prefix'],
    ['a negative age', { maxAgeSeconds: -1 }, 'maxAgeSeconds'],
    ['an age that is no number', { maxAgeSeconds: '15' }, 'maxAgeSeconds'],
  ])('is refused at once with %s', (_name, options, expected) => {
    const mount = () => createMetrics({ api: scraped.panel.api, ...options } as MetricsOptions);
    expect(mount).toThrow(TypeError);
    expect(mount).toThrow(`createMetrics: ${expected.startsWith('unknown') ? '' : 'the option '}${expected}`);
  });

  test('leaves the other paths to the panel, and the API as it was', async () => {
    const { token } = await created();
    expect((await fetch(`${scraped.panel.url}/metrics/`)).status).toBe(404);
    expect((await fetch(`${scraped.panel.url}/metric`)).status).toBe(404);
    expect((await scraped.panel.get(`${JOBS}?limit=1`, token)).status).toBe(200);
    expect((await scraped.panel.get('/api/v1/metrics.php', token)).status).toBe(404);
  });
});
