import { once } from 'node:events';
import { createServer, request } from 'node:http';
import { join } from 'node:path';
import Koa from 'koa';
import { describeOneEngine, freshDatabase, type TestDatabase } from '../fixture/databases';
import { AUTHOR, startPanel, type TestPanel } from '../fixture/panel';
import { runDirectory } from '../servers/serverUrl';

const ME = '/api/v1/me.php';
const REFUSED = [403, 'https_required'];
const OUTSIDE = '203.0.113.5';

let database: TestDatabase;

const mount = (app: Koa, options = {}) => startPanel({ db: database.knex, ...options }, app);

/** A panel that sees this address on every request. */
const seenFrom = (address: string, options = {}) => {
  const app = new Koa();
  app.use((ctx, next) => {
    ctx.request.ip = address;
    return next();
  });
  return mount(app, options);
};

const outcome = async (panel: TestPanel, headers: Record<string, string> = {}, token?: string) => {
  const { status, body } = await panel.get(ME, token ?? (await panel.token()), { headers });
  return status === 200 ? 200 : [status, body.error.code];
};

describeOneEngine('A request without HTTPS', (engine) => {
  beforeAll(async () => {
    database = await freshDatabase(engine);
  });

  test('is refused before its token is read, with a message that says what to set', async () => {
    const panel = await seenFrom(OUTSIDE);
    const { token, record } = await panel.api.tokens.create({ name: 'plain', scopes: ['*'] }, AUTHOR);
    const { status, body, headers } = await panel.get(ME, token);
    expect([status, body.error]).toEqual([403, { code: 'https_required' }]);
    expect(body.message).toBe(
      'This API requires HTTPS. If the panel is behind a proxy, set app.proxy = true in Koa, or pass { proxies: 1 } to handler() or fetcher() elsewhere, and let the proxy send X-Forwarded-Proto.',
    );
    expect(headers.get('ratelimit')).toBeNull();
    expect((await panel.api.tokens.get(record.id))?.lastUsedAt).toBeNull();
    expect(await panel.requestLines(1)).toMatchObject([
      {
        level: 'info',
        fields: { status: 403, error_code: 'https_required', token_id: null, address: OUTSIDE },
      },
    ]);
  });

  test('is served if the settings allow it, from the next request on', async () => {
    const panel = await seenFrom(OUTSIDE);
    expect(await outcome(panel)).toEqual(REFUSED);
    await panel.api.settings.change({ httpsRequired: false }, AUTHOR);
    expect(await outcome(panel)).toBe(200);
    await panel.api.settings.change({ httpsRequired: true }, AUTHOR);
    expect(await outcome(panel)).toEqual(REFUSED);
  });

  test("reads the panel's own switch once", async () => {
    let asked = 0;
    const enabled = () => {
      asked += 1;
      return true;
    };
    const panel = await seenFrom(OUTSIDE, { enabled });
    expect([await outcome(panel), asked]).toEqual([REFUSED, 1]);
    await panel.api.settings.change({ httpsRequired: false }, AUTHOR);
    asked = 0;
    expect([await outcome(panel), asked]).toEqual([200, 1]);
    await panel.api.settings.change({ httpsRequired: true }, AUTHOR);
  });

  test('is refused if the table holds an unreadable setting', async () => {
    const panel = await seenFrom(OUTSIDE);
    await panel.api.settings.change({ httpsRequired: false }, AUTHOR);
    await database.knex('panel_api_settings').where({ name: 'https_required' }).update({ value: 'no' });
    expect(await outcome(panel)).toEqual(REFUSED);
  });
});

describe('HTTPS', () => {
  beforeAll(async () => {
    database = await freshDatabase('sqlite');
  });

  test.each(['127.0.0.1', '127.8.9.10', '::1', '0:0:0:0:0:0:0:1', '::ffff:127.0.0.1', '::ffff:7f00:1'])(
    'is not required of %s, which is the server itself',
    async (address) => {
      expect(await outcome(await seenFrom(address))).toBe(200);
    },
  );

  test.each([
    '126.255.255.255',
    '128.0.0.1',
    '::2',
    '::',
    '0.0.0.0',
    '::ffff:10.0.0.1',
    'fe80::1',
    'localhost',
  ])('is required of "%s"', async (address) => {
    expect(await outcome(await seenFrom(address))).toEqual(REFUSED);
  });

  test('is checked after the switch and before the token', async () => {
    expect(await outcome(await seenFrom(OUTSIDE, { enabled: false }))).toEqual([503, 'api_disabled']);
    expect(await outcome(await seenFrom(OUTSIDE), {}, 'nonsense')).toEqual(REFUSED);
  });

  test('is fixed by the option, whatever is stored', async () => {
    expect(await outcome(await seenFrom(OUTSIDE, { httpsRequired: false }))).toBe(200);
    const panel = await seenFrom(OUTSIDE);
    await panel.api.settings.change({ httpsRequired: false }, AUTHOR);
    expect(await outcome(await seenFrom(OUTSIDE, { httpsRequired: true }))).toEqual(REFUSED);
    await panel.api.settings.change({ httpsRequired: true }, AUTHOR);
  });

  describe('behind a proxy', () => {
    const proxied = (proxy: boolean, maxIpsCount = 0) => {
      const app = new Koa();
      Object.assign(app, { proxy, maxIpsCount });
      return mount(app);
    };

    test.each([
      ['https', 200],
      ['https, http', 200],
      ['http', REFUSED],
      ['', REFUSED],
    ])('follows X-Forwarded-Proto of a trusted one: "%s"', async (proto, expected) => {
      const headers = { 'X-Forwarded-For': OUTSIDE, 'X-Forwarded-Proto': proto };
      expect(await outcome(await proxied(true), headers)).toEqual(expected);
    });

    test('is required if the client may have forged the address of the server itself', async () => {
      expect(await outcome(await proxied(true), { 'X-Forwarded-For': '127.0.0.1' })).toEqual(REFUSED);
    });

    test.each([
      ['6.6.6.6, 127.0.0.1', 200],
      ['127.0.0.1, 203.0.113.5', REFUSED],
    ])('is decided by the address that the one proxy added to "%s"', async (addresses, expected) => {
      expect(await outcome(await proxied(true, 1), { 'X-Forwarded-For': addresses })).toEqual(expected);
    });

    test.each([
      [0, 'warn'],
      [1, 'pass'],
    ])(
      'leads, with app.maxIpsCount = %i, to the state "%s" of client_address in the audit',
      async (count, state) => {
        const panel = await proxied(true, count);
        for (const headers of [{ 'X-Forwarded-For': OUTSIDE, 'X-Forwarded-Proto': 'https' }, {}]) {
          const { body } = await panel.get('/api/v1/release-audit.php', await panel.token(), { headers });
          const { checks } = body.data as { checks: { id: string; status: string }[] };
          expect(checks.find(({ id }) => id === 'client_address')?.status).toBe(state);
        }
      },
    );

    test('is not required of the server itself if it calls past the proxy', async () => {
      expect(await outcome(await proxied(true))).toBe(200);
    });

    test('leads to the state of https of each request, even if requests arrive together', async () => {
      const panel = await proxied(true);
      const token = await panel.token();
      const asked = Array.from({ length: 20 }, (_, index) =>
        index % 2 === 0 ? { 'X-Forwarded-Proto': 'https' } : {},
      );
      const answers = await Promise.all(
        asked.map((headers) => panel.get('/api/v1/release-audit.php', token, { headers })),
      );
      const states = answers.map(({ body }) => {
        const { checks } = body.data as { checks: { id: string; status: string }[] };
        return checks.find(({ id }) => id === 'https')?.status;
      });
      expect(states).toEqual(asked.map((_, index) => (index % 2 === 0 ? 'pass' : 'warn')));
    });

    test('is not read from the header of a client that Koa does not trust', async () => {
      const app = new Koa();
      app.use((ctx, next) => {
        ctx.request.ip = OUTSIDE;
        return next();
      });
      const headers = { 'X-Forwarded-For': '127.0.0.1', 'X-Forwarded-Proto': 'https' };
      expect(await outcome(await mount(app), headers)).toEqual(REFUSED);
    });
  });

  test('is required over a unix-domain socket, which has no address', async () => {
    const app = new Koa();
    const panel = await mount(app);
    const token = await panel.token();
    const path = join(runDirectory(), 'https.sock');
    const server = createServer(app.callback()).listen(path);
    await once(server, 'listening');
    try {
      const headers = { Authorization: `Bearer ${token}` };
      const [answer] = await once(request({ socketPath: path, path: ME, headers }).end(), 'response');
      answer.resume();
      expect(answer.statusCode).toBe(403);
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });
});
