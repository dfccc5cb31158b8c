import { once } from 'node:events';
import http from 'node:http';
import http2 from 'node:http2';
import { connect } from 'node:net';
import { newToken } from '../../lib/tokens/tokenFormat';
import { type BothProtocols, startBothProtocols } from '../fixture/bothProtocols';
import { freshDatabase, type TestDatabase } from '../fixture/databases';
import { AUTHOR } from '../fixture/panel';
import { until } from '../fixture/until';

const ME = '/api/v1/me.php';
/** The panel's answer to requests that do not belong to the module. */
const PANEL = 418;
const INVENTED = ['FOO', 'get', 'Get', 'head', 'GETT', "!#$%&'*+.^_`|~", 'M'.repeat(200)];

/** Targets of requests, and the status of the module's answer; null if the panel answers. */
const TARGETS: readonly (readonly [target: string, status: number | null])[] = [
  [ME, 200],
  [`${ME}?`, 200],
  [`http://elsewhere.example${ME}`, 200],
  [`${ME}#fragment`, 200],
  [`${ME}/`, 404],
  ['/api/v1', 404],
  ['/api/v1/', 404],
  ['/api/v1//', 404],
  ['/api/v1?x=1', 404],
  ['/api/v1/../panel', 404],
  ['/api/v1/%6de.php', 404],
  ['/api/v1/%', 404],
  ['/api/v1/%ff%00', 404],
  ['/api/v1/me.php;a=b', 404],
  ['/api/v1/\\me.php', 404],
  [`/api/v1/${'x'.repeat(8000)}`, 404],
  ['//api/v1/me.php', null],
  ['/./api/v1/me.php', null],
  ['/%61pi/v1/me.php', null],
  ['/api%2Fv1/me.php', null],
  ['/API/v1/me.php', null],
  ['/api/v10', null],
  ['/api/v1me.php', null],
  ['*', null],
];

describe('Everything under the prefix', () => {
  let database: TestDatabase;
  let panel: BothProtocols;
  let client: http2.ClientHttp2Session;
  let token: string;

  beforeAll(async () => {
    database = await freshDatabase('sqlite');
    // The panel's own middleware, after the module, answers the other requests.
    panel = await startBothProtocols(
      { db: database.knex, rateLimit: { requests: 10_000 } },
      async (ctx, next) => {
        await next();
        if (ctx.body === undefined) {
          ctx.status = PANEL;
          ctx.body = '';
        }
      },
    );
    ({ token } = await panel.api.tokens.create({ name: 'test', scopes: ['*'] }, AUTHOR));
    client = http2.connect(`http://127.0.0.1:${panel.http2Port}`);
  });

  afterAll(() => client.destroy());

  interface Seen {
    readonly status: number | undefined;
    readonly allow: unknown;
    readonly text: string;
  }

  async function overHttp2(method: string, path: string, authorization?: string): Promise<Seen> {
    const stream = client.request({
      ':method': method,
      ':path': path,
      ...(authorization === undefined ? {} : { authorization }),
    });
    const [headers] = await once(stream, 'response');
    let text = '';
    for await (const chunk of stream) text += chunk;
    return { status: headers[':status'], allow: headers.allow, text };
  }

  async function overHttp1(method: string, path: string, authorization = ''): Promise<Seen> {
    const request = http.request({
      port: panel.http1Port,
      method,
      path,
      headers: { Authorization: authorization },
    });
    request.end();
    const [response] = await once(request, 'response');
    let text = '';
    for await (const chunk of response) text += chunk;
    return { status: response.statusCode, allow: response.headers.allow, text };
  }

  /** The newest line, as soon as there is one line for each request. */
  async function lastLine() {
    await until(() => panel.requestLines().length >= panel.reached());
    return panel.requestLines().at(-1)?.fields;
  }

  test('is answered 405 over HTTP/2 with an invented method, and logged', async () => {
    for (const method of INVENTED) {
      const { status, allow, text } = await overHttp2(method, ME, `Bearer ${token}`);
      expect([method, status, allow]).toEqual([method, 405, 'GET, HEAD']);
      expect(JSON.parse(text).error).toEqual({ code: 'method_not_allowed' });
      const line = await lastLine();
      expect(line).toMatchObject({ route: ME, status: 405, error_code: 'method_not_allowed' });
      expect(line.method.slice(0, 32)).toBe(method.slice(0, 32));
    }
  });

  test('is answered 401 without a token and 404 for an unknown path, with an invented method too', async () => {
    expect((await overHttp2('FOO', ME)).status).toBe(401);
    expect((await overHttp2('FOO', '/api/v1/nope.php', `Bearer ${token}`)).status).toBe(404);
  });

  test('is answered 405 over both protocols with every other method that Node knows', async () => {
    // Node itself answers CONNECT.
    for (const method of http.METHODS.filter((name) => !['GET', 'HEAD', 'CONNECT'].includes(name)))
      for (const ask of [overHttp1, overHttp2]) {
        const { status, allow } = await ask(method, ME, `Bearer ${token}`);
        expect([method, status, allow]).toEqual([method, 405, 'GET, HEAD']);
      }
  });

  test('does not log a token that is part of a method', async () => {
    const other = newToken('pnl');
    expect((await overHttp2(`x${other}`, ME)).status).toBe(401);
    expect((await lastLine()).method).toBe('…');
    expect(JSON.stringify(panel.requestLines())).not.toContain(other.slice(0, 20));
  });

  test('is answered over HTTP/1.0', async () => {
    const socket = connect(panel.http1Port, '127.0.0.1');
    socket.write(`GET ${ME} HTTP/1.0\r\nAuthorization: Bearer ${token}\r\n\r\n`);
    let text = '';
    for await (const chunk of socket) text += chunk;
    expect(text).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    expect(JSON.parse(text.slice(text.indexOf('\r\n\r\n'))).success).toBe(true);
  });

  test('is answered by the module, and no other path is, however the target is written', async () => {
    let passed = 0;
    for (const [target, expected] of TARGETS) {
      // Over HTTP/2 Node refuses the others.
      for (const ask of target.startsWith('/') ? [overHttp1, overHttp2] : [overHttp1]) {
        const { status } = await ask('GET', target, `Bearer ${token}`);
        expect([target, status]).toEqual([target, expected ?? PANEL]);
        if (expected === null) passed += 1;
      }
    }
    await until(() => panel.requestLines().length >= panel.reached() - passed);
    expect(panel.requestLines()).toHaveLength(panel.reached() - passed);
    expect(passed).toBeGreaterThan(0);
  });
});
