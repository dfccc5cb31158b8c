import { getEventListeners } from 'node:events';
import { Readable } from 'node:stream';
import type { Knex } from 'knex';
import {
  type ApiSectionOptions,
  createAccountSection,
  createApiSection,
  createMcp,
  createMetrics,
  createPanelApi,
  type Fetcher,
  type FetchInfo,
  type LayoutParts,
  type PanelApi,
} from '../../index';
import { freshDatabase } from '../fixture/databases';
import { AUTHOR, PATIENT_MS } from '../fixture/panel';
import { recordingLogger } from '../fixture/recordingLogger';
import { until } from '../fixture/until';

const ADDRESS = '192.0.2.7';
const ORIGIN = 'http://panel.example';

describe('The fetcher of the API', () => {
  const { logger, log } = recordingLogger();
  let db: Knex;
  let api: PanelApi;
  let fetcher: Fetcher;
  let token: string;

  beforeAll(async () => {
    ({ knex: db } = await freshDatabase('sqlite'));
    await db.schema.createTable('domains', (table) => {
      table.increments('id');
      table.string('domain');
      table.string('type');
      table.string('status');
      table.string('ssl_status');
    });
    await db.raw(
      `INSERT INTO domains (domain, type, status, ssl_status)
       WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000)
       SELECT 'site' || i || '.example', 'primary', 'active', 'none' FROM n`,
    );
    api = createPanelApi({ db, logger, enabled: true, deadlineMs: PATIENT_MS });
    fetcher = api.fetcher();
    ({ token } = await api.tokens.create({ name: 'test', scopes: ['*'] }, AUTHOR));
  });

  const request = (path: string, init: RequestInit = {}) =>
    new Request(ORIGIN + path, { ...init, headers: { Authorization: `Bearer ${token}`, ...init.headers } });
  const ask = async (
    path: string,
    init?: RequestInit,
    info: FetchInfo = { address: ADDRESS, secure: true },
  ) => {
    const response = await fetcher(request(path, init), info);
    if (!response) throw new Error('The path is not its own.');
    return response;
  };
  const lineOf = (id: string) => log.find(({ fields }) => fields.request_id === id)?.fields;

  test('answers with the envelope, and logs the address, the bytes and no break', async () => {
    const response = await ask('/api/v1/me.php', { headers: { 'X-Request-Id': 'whole' } });
    const text = await response.text();
    expect([response.status, JSON.parse(text).data.client_ip]).toEqual([200, ADDRESS]);
    await until(async () => lineOf('whole') !== undefined);
    expect(lineOf('whole')).toMatchObject({ status: 200, address: ADDRESS, bytes: Buffer.byteLength(text) });
    expect(lineOf('whole')).not.toHaveProperty('aborted');
  });

  test('sends a long list as fast as it is read, and whole', async () => {
    const response = await ask('/api/v1/domains.php', { headers: { 'X-Request-Id': 'list' } });
    expect(JSON.parse(await response.text()).data.items).toHaveLength(20_000);
    await until(async () => lineOf('list') !== undefined);
    expect(lineOf('list')).not.toHaveProperty('aborted');
  });

  test('logs a client that leaves a long list', async () => {
    const response = await ask('/api/v1/domains.php', { headers: { 'X-Request-Id': 'left' } });
    const reader = response.body!.getReader();
    await reader.read();
    await reader.cancel();
    await until(async () => lineOf('left') !== undefined);
    expect(lineOf('left')).toMatchObject({ status: 200, aborted: true });
  });

  test('logs a client whose signal is aborted in a long list, and breaks the body off', async () => {
    const leaving = new AbortController();
    const init = { headers: { 'X-Request-Id': 'aborted' }, signal: leaving.signal };
    const response = await ask('/api/v1/domains.php', init);
    leaving.abort();
    await expect(response.text()).rejects.toThrow();
    await until(async () => lineOf('aborted') !== undefined);
    expect(lineOf('aborted')).toMatchObject({ aborted: true });
  });

  test('answers a client that has left before with an empty 499, and logs that', async () => {
    const headers = { 'X-Request-Id': 'before' };
    const response = await ask('/api/v1/me.php', { headers, signal: AbortSignal.abort() });
    expect([response.status, await response.text()]).toEqual([499, '']);
    await until(async () => lineOf('before') !== undefined);
    expect(lineOf('before')).toMatchObject({ status: null, aborted: true });
  });

  test('logs no break if the signal is aborted after the answer', async () => {
    const leaving = new AbortController();
    const response = await ask('/api/v1/me.php', {
      headers: { 'X-Request-Id': 'after' },
      signal: leaving.signal,
    });
    await until(async () => lineOf('after') !== undefined);
    leaving.abort();
    expect(JSON.parse(await response.text()).success).toBe(true);
    expect(lineOf('after')).not.toHaveProperty('aborted');
  });

  test('holds no more of a long list than its reader has room for', async () => {
    const response = await ask('/api/v1/domains.php', { headers: { 'X-Request-Id': 'held' } });
    const reader = response.body!.getReader();
    await reader.read();
    // The rest of the list has more than 2 MB. Were it written without a reader, the request would be over.
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(lineOf('held')).toBeUndefined();
    await reader.cancel();
    await until(async () => lineOf('held') !== undefined);
    expect(Number(lineOf('held')?.bytes)).toBeLessThan(500_000);
  });

  test('is done with an answer in one piece, even a long one that is never read', async () => {
    const response = await ask('/api/v1/domains.php?limit=900', { headers: { 'X-Request-Id': 'one-piece' } });
    expect(response.headers.has('ETag')).toBe(true);
    await until(async () => lineOf('one-piece') !== undefined);
    expect(Number(lineOf('one-piece')?.bytes)).toBeGreaterThan(2 ** 16);
  });

  test('leaves no listener on the signal of a request that was answered', async () => {
    const { signal } = new AbortController();
    const asked = request('/api/v1/me.php', { headers: { 'X-Request-Id': 'signal' }, signal });
    await (await fetcher(asked, { address: ADDRESS, secure: true }))?.text();
    await until(async () => lineOf('signal') !== undefined);
    expect(getEventListeners(asked.signal, 'abort')).toEqual([]);
  });

  test('answers HEAD and an unchanged list without a body', async () => {
    const head = await ask('/api/v1/me.php', { method: 'HEAD' });
    expect([head.status, head.body]).toEqual([200, null]);
    const etag = (await ask('/api/v1/domains.php?limit=5')).headers.get('ETag') ?? '';
    const same = await ask('/api/v1/domains.php?limit=5', { headers: { 'If-None-Match': etag } });
    expect([same.status, same.body]).toEqual([304, null]);
  });

  test('sends no header of a connection', async () => {
    const { headers } = await ask('/api/v1/domains.php');
    for (const name of ['connection', 'keep-alive', 'transfer-encoding', 'date'])
      expect(headers.has(name)).toBe(false);
  });

  test.each(['/', '/api/v10/me.php', '/API/v1/me.php'])(
    'returns undefined for the path %s, and leaves its body alone',
    async (path) => {
      const other = request(path, { method: 'POST', body: 'a form' });
      expect(fetcher(other)).toBeUndefined();
      expect(fetcher(other, null as never)).toBeUndefined();
      expect(await other.text()).toBe('a form');
    },
  );

  test('links to the next page by the URL that the client sent', async () => {
    const info = { address: ADDRESS, secure: true, url: '/panel/api/v1/domains.php?limit=1' };
    const { headers } = await ask('/domains.php?limit=1', {}, info);
    expect(headers.get('Link')).toMatch(/^<\/panel\/api\/v1\/domains\.php\?limit=1&cursor=/);
  });

  test('sends no Location with an answer that does not redirect', async () => {
    expect((await ask('/api/v1/me.php')).headers.get('Location')).toBeNull();
  });

  test.each([
    ["/domains.php?search=it's&limit=1", "/panel/api/v1/domains.php?search=it's&limit=1"],
    ['/domains.php?limit=1', '/pänel/./api/v1/domains.php?limit=1'],
    ['/domains.php?limit=1', '/panel/api/v1/domains.php'],
    ['/domains.php?limit=1', 'https://other.example/panel/api/v1/domains.php?limit=1'],
    ['/api/v1/domains.php?limit=1#top', undefined],
    ['/api/v1/domains.php?', undefined],
  ])('answers %s, which the client sent as %s', async (path, url) => {
    const response = await ask(path, {}, { address: ADDRESS, secure: true, url });
    expect((await response.json()) as object).toMatchObject({ data: { resource: 'domains' } });
  });

  test('redirects by a whole path, because some frameworks read a relative one as their own', async () => {
    const section = createAccountSection({ api, account: () => 7, prefix: '/my/api' }).fetcher();
    const response = await section(request('/my/api'), { address: ADDRESS, url: '/panel/my/api' });
    expect([response?.status, response?.headers.get('Location')]).toEqual([303, '/panel/my/api/tokens']);
  });

  test.each([
    ['believes no header without proxies', {}, ADDRESS],
    ['believes as many proxies as it is told', { proxies: 1 }, '192.0.2.2'],
  ])('%s', async (_name, options, address) => {
    const headers = { 'X-Forwarded-For': '192.0.2.1, 192.0.2.2', 'X-Forwarded-Proto': 'https' };
    const response = await api.fetcher(options)(request('/api/v1/me.php', { headers }), {
      address: ADDRESS,
      secure: true,
    });
    expect(JSON.parse((await response?.text()) ?? '').data.client_ip).toBe(address);
  });

  test('takes the protocol from the connection, not from the URL', async () => {
    const secureUrl = new Request('https://panel.example/api/v1/me.php', {
      headers: { Authorization: `Bearer ${token}` },
    });
    expect((await fetcher(secureUrl, { address: ADDRESS }))?.status).toBe(403);
  });

  test('ends a request quietly whose address is unknown, as servers name it after the client has left', async () => {
    const response = await ask('/api/v1/me.php', {}, { address: undefined });
    expect([response.status, await response.text()]).toEqual([499, '']);
    expect(log.some(({ message }) => message.includes('as of a client that has left'))).toBe(true);
  });

  test('refuses a request without an address, and the log says once how to pass it', async () => {
    for (let time = 0; time < 2; time += 1)
      expect(() => fetcher(request('/api/v1/me.php'))).toThrow(
        'panel-api fetcher needs the address of the connection',
      );
    expect(log.filter(({ message }) => message.startsWith('panel-api fetcher needs'))).toHaveLength(1);
  });

  test.each([
    [{ address: 'not an ip' }, 'the option address must be an IP address as text'],
    [{ address: { address: '::', port: 3000 } }, 'the option address must be an IP address as text'],
    [{ incoming: {} }, 'unknown option incoming'],
    [{ address: ADDRESS, secure: 'yes' }, 'the option secure must be true or false'],
    [{ address: ADDRESS, state: null }, 'the option state must be an object'],
  ])('refuses the second argument %j of a framework', (info, sentence) => {
    expect(() => fetcher(request('/api/v1/me.php'), info as FetchInfo)).toThrow(sentence);
  });

  test('refuses a request of which the panel has read the body, with that reason', async () => {
    const read = request('/api/v1/me.php', { method: 'POST', body: 'a form' });
    await read.text();
    expect(() => fetcher(read, { address: ADDRESS })).toThrow(
      'panel-api fetcher got a request of which the body was read',
    );
  });

  test('refuses a request of which the panel reads the body, with that reason', () => {
    const read = request('/api/v1/me.php', { method: 'POST', body: 'a form' });
    read.body?.getReader();
    expect(() => fetcher(read, { address: ADDRESS })).toThrow('of which the body was read');
  });

  describe('gives authorize of a section', () => {
    const FORM = { 'Content-Type': 'application/x-www-form-urlencoded', Origin: ORIGIN };

    const askSection = async (options: Partial<ApiSectionOptions>, init: RequestInit = {}) => {
      const section = createApiSection({ api, authorize: () => 'Ada', prefix: '/admin/api', ...options });
      const asked = new Request(`${ORIGIN}/admin/api/settings`, { headers: FORM, ...init });
      const response = await section.fetcher()(asked, { address: ADDRESS });
      if (!response) throw new Error('The path is not its own.');
      return response;
    };

    test("Node's request, with its headers and limits", async () => {
      const seen: unknown[] = [];
      const { status } = await askSection({
        authorize({ req }) {
          req.setTimeout(1000);
          const index = req.rawHeaders.indexOf('origin');
          seen.push(req.rawHeaders[index + 1], req.headers.origin, req.headers.host);
          return 'Ada';
        },
      });
      expect([status, ...seen]).toEqual([200, ORIGIN, ORIGIN, 'panel.example']);
    });

    test('a response that may continue first, and have several cookies', async () => {
      const { status, headers } = await askSection({
        authorize(ctx) {
          ctx.res.writeContinue();
          ctx.res.setHeader('Set-Cookie', ['one=1', 'two=2']);
          return 'Ada';
        },
      });
      expect([status, headers.getSetCookie()]).toEqual([200, ['one=1', 'two=2']]);
    });

    test.each([204, 205, 304])('an answer of its own without a body, with status %i', async (own) => {
      const response = await askSection({
        authorize(ctx) {
          ctx.status = own;
          return null;
        },
      });
      expect([response.status, response.body]).toEqual([own, null]);
    });

    test('an answer of its own that Node would send in chunks', async () => {
      const response = await askSection({
        authorize(ctx) {
          ctx.set('Transfer-Encoding', 'chunked');
          ctx.body = Readable.from(['a', 'b']);
          return null;
        },
      });
      expect(await response.text()).toBe('ab');
    });

    test('an answer of its own with a status that a Response does not take', async () => {
      const response = await askSection({
        authorize(ctx) {
          ctx.status = 600;
          ctx.body = 'own';
          return null;
        },
      });
      expect([response.status, await response.text()]).toEqual([500, 'own']);
    });

    test('a redirect of its own, with its fragment', async () => {
      const response = await askSection({
        authorize(ctx) {
          ctx.redirect('../login#tab');
          return null;
        },
      });
      expect([response.status, response.headers.get('Location')]).toEqual([302, '/admin/login#tab']);
    });

    test('a form with empty parts', async () => {
      const body = new ReadableStream({
        start(controller) {
          for (const part of ['', '', 'a=b', '', '']) controller.enqueue(Buffer.from(part));
          controller.close();
        },
      });
      const { status } = await askSection({}, { method: 'POST', body, duplex: 'half' } as RequestInit);
      expect(status).toBe(403);
    });

    test('a form that is complete when it was read', async () => {
      const seen: unknown[] = [];
      const layout = ({ ctx, content }: LayoutParts) => {
        seen.push(ctx.req.complete, ctx.req.aborted);
        return content;
      };
      await askSection({ layout }, { method: 'POST', body: 'a=b' });
      expect(seen).toEqual([true, false]);
    });

    test('no more of an endless form than it reads', async () => {
      let isCancelled = false;
      const body = new ReadableStream({
        pull: (controller) => controller.enqueue(new Uint8Array(2 ** 20)),
        cancel() {
          isCancelled = true;
        },
      });
      const { status } = await askSection({}, { method: 'POST', body, duplex: 'half' } as RequestInit);
      expect(status).toBe(413);
      await until(async () => isCancelled);
    });
  });

  test('says that it is a method if a server is given it without brackets', () => {
    const uncalled = api.fetcher as unknown as Fetcher;
    expect(() => uncalled(request('/api/v1/me.php'))).toThrow('panel-api fetcher is given without brackets');
  });

  test('ends quietly if the body of the request breaks off', async () => {
    const broken = new ReadableStream({ pull: (controller) => controller.error(new Error('of the host')) });
    const section = createApiSection({ api, authorize: () => 'Ada', prefix: '/admin/api' });
    const form = { 'Content-Type': 'application/x-www-form-urlencoded', Origin: ORIGIN };
    const init = { method: 'POST', body: broken, duplex: 'half', headers: form } as RequestInit;
    const response = await section.fetcher()(new Request(`${ORIGIN}/admin/api/settings`, init), {
      address: ADDRESS,
    });
    expect([response?.status, await response?.text()]).toEqual([499, '']);
    expect(log.filter(({ level }) => level === 'error')).toEqual([]);
  });

  test('refuses a form of 17 MiB with a page, and goes on', async () => {
    const section = createApiSection({ api, authorize: () => 'Ada', prefix: '/admin/api' }).fetcher();
    const form = { 'Content-Type': 'application/x-www-form-urlencoded', Origin: ORIGIN };
    const init = { method: 'POST', body: 'a'.repeat(17 * 1024 * 1024), headers: form };
    const response = await section(new Request(`${ORIGIN}/admin/api/settings`, init), { address: ADDRESS });
    expect(response?.status).toBe(413);
    expect((await ask('/api/v1/me.php')).status).toBe(200);
  });

  test.each(['createApiSection', 'createAccountSection', 'createMetrics', 'createMcp'])(
    '%s has one, too',
    async (name) => {
      const mounts = {
        createApiSection: () =>
          createApiSection({ api, authorize: (ctx) => ctx.state.user, prefix: '/mounted' }),
        createAccountSection: () =>
          createAccountSection({ api, account: (ctx) => ctx.state.id, prefix: '/mounted' }),
        createMetrics: () => createMetrics({ api, path: '/mounted' }),
        createMcp: () => createMcp({ api, path: '/mounted' }),
      };
      const mounted = mounts[name as keyof typeof mounts]();
      const info = { address: ADDRESS, secure: true, state: { user: 'Ada', id: 7 } };
      const response = await mounted.fetcher()(request('/mounted'), info);
      const statuses = {
        createApiSection: 200,
        createAccountSection: 303,
        createMetrics: 200,
        createMcp: 503,
      };
      expect(response?.status).toBe(statuses[name as keyof typeof mounts]);
      expect(mounted.fetcher()(request('/own'), info)).toBeUndefined();
    },
  );
});
