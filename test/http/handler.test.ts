import { once } from 'node:events';
import http from 'node:http';
import http2 from 'node:http2';
import type { AddressInfo, Server } from 'node:net';
import { createApiSection, createPanelApi, type HandlerOptions, type PanelApi } from '../../index';
import { closeAtEnd } from '../fixture/closeAtEnd';
import { freshDatabase } from '../fixture/databases';
import { AUTHOR, PATIENT_MS } from '../fixture/panel';
import { recordingLogger } from '../fixture/recordingLogger';

type Listener = (request: Request, response: http.ServerResponse) => unknown;
type Request = http.IncomingMessage & { originalUrl?: string | undefined; body?: unknown };

describe('The handler of the API', () => {
  const { logger, log } = recordingLogger();
  let api: PanelApi;
  let token: string;

  beforeAll(async () => {
    const { knex } = await freshDatabase('sqlite');
    api = createPanelApi({ db: knex, logger, enabled: true, deadlineMs: PATIENT_MS });
    ({ token } = await api.tokens.create({ name: 'test', scopes: ['*'] }, AUTHOR));
  });

  /** Sends a request to a server of this listener. The path is sent as it is written. */
  async function ask(listener: Listener, path: string, headers: http.OutgoingHttpHeaders = {}) {
    const server = http.createServer((request, response) => void listener(request, response));
    const port = await listen(server);
    const request = http.get({ port, path, headers: { authorization: `Bearer ${token}`, ...headers } });
    const [response] = (await once(request, 'response')) as [http.IncomingMessage];
    return { status: response.statusCode, text: (await response.toArray()).join('') };
  }

  /** Cuts a path off, as frameworks do for what is mounted there. */
  const mountedAt = (path: string, options?: HandlerOptions): Listener => {
    const handler = api.handler(options);
    return (request, response) => {
      request.originalUrl = request.url;
      request.url = (request.url ?? '').slice(path.length).replace(/^(?!\/)/, '/');
      handler(request, response, () => response.end(`panel ${request.url}`));
    };
  };

  test.each(['', '/api', '/api/v1', '/panel', '/panel/api', '/panel/api/v1'])(
    'answers below the mount path "%s"',
    async (path) => {
      const whole = path.includes('/api') ? path.replace(/\/api.*/, '') : path;
      const answer = await ask(mountedAt(path), `${whole}/api/v1/me.php?`);
      expect(answer.status).toBe(200);
      expect(JSON.parse(answer.text).data.endpoints[0].path).toBe(`${whole}/api/v1/me.php`);
      expect((await ask(mountedAt(path), `${whole}/api/v1`)).status).toBe(404);
    },
  );

  test.each([
    '/',
    '/api',
    '/api/v10/me.php',
    '/API/v1/me.php',
    '/other/api/v1/me.php',
    '/?/api/v1/me.php',
    '*',
  ])('calls next for the path %s, with the request as it was', async (path) => {
    expect((await ask(mountedAt(''), path)).text).toBe(`panel ${path === '*' ? '/*' : path}`);
  });

  test('answers an absolute URL, as clients of proxies send it', async () => {
    expect((await ask(api.handler(), 'http://panel.example/api/v1/me.php')).status).toBe(200);
  });

  test('returns nothing if it was given next, because h3 would send what it returns', async () => {
    const handler = api.handler();
    const next = jest.fn();
    const returned: unknown[] = [];
    const listener: Listener = (request, response) => {
      if (request.headers['x-begun']) response.write('of the panel');
      next.mockImplementation(() => response.end('panel'));
      returned.push(handler(request, response, next));
    };
    await ask(listener, '/own');
    expect(next).toHaveBeenCalledTimes(1);
    await ask(listener, '/api/v1/me.php', { 'x-begun': 'yes' });
    expect(next).toHaveBeenCalledTimes(2);
    await ask(listener, '/api/v1/me.php');
    expect(next).toHaveBeenCalledTimes(2);
    expect(returned).toEqual([undefined, undefined, undefined]);
    // By their third parameter h3 and others know handlers that may call next.
    expect(handler).toHaveLength(3);
  });

  test('says without next whether it answers', async () => {
    const handler = api.handler();
    const listener: Listener = (request, response) => {
      const answers = handler(request, response);
      if (!answers) response.end('panel');
    };
    expect((await ask(listener, '/own')).text).toBe('panel');
    expect((await ask(listener, '/api/v1/nothing.php')).status).toBe(404);
  });

  test('leaves an answer alone that the panel has begun, and says so in the log', async () => {
    const handler = api.handler();
    const listener: Listener = (request, response) => {
      response.write('of the panel');
      const next = () => response.end(' alone');
      handler(request, response, next);
    };
    expect((await ask(listener, '/api/v1/me.php?limit=1')).text).toBe('of the panel alone');
    expect(log.at(-1)).toMatchObject({
      message: 'panel-api request answered before',
      fields: { route: '/api/v1/me.php' },
    });
  });

  test('lets an error of next go on to the framework', async () => {
    const handler = api.handler();
    const listener: Listener = (request, response) => {
      try {
        handler(request, response, () => {
          throw new Error('of the panel');
        });
      } catch (error) {
        response.end(String(error));
      }
    };
    expect((await ask(listener, '/own')).text).toBe('Error: of the panel');
  });

  test('can be mounted twice: the first one answers', async () => {
    const [first, second] = [api.handler(), jest.fn(api.handler())];
    const listener: Listener = (request, response) =>
      first(request, response, () => second(request, response, () => response.end('panel')));
    expect((await ask(listener, '/api/v1/me.php')).status).toBe(200);
    expect(second).not.toHaveBeenCalled();
    expect((await ask(listener, '/own')).text).toBe('panel');
  });

  test.each([
    ['believes no proxy by default', undefined, '127.0.0.1'],
    ['believes as many proxies as it is told', { proxies: 1 }, '192.0.2.2'],
    ['believes two proxies', { proxies: 2 }, '192.0.2.1'],
  ])('%s', async (_name, options, address) => {
    const headers = { 'x-forwarded-for': '192.0.2.1, 192.0.2.2', 'x-forwarded-proto': 'https' };
    const { text } = await ask(api.handler(options), '/api/v1/me.php', headers);
    expect(JSON.parse(text).data.client_ip).toBe(address);
  });

  test.each([[{ proxies: -1 }], [{ proxies: 1.5 }], [{ proxy: true }]])(
    'refuses the options %j',
    (options) => {
      expect(() => api.handler(options as HandlerOptions)).toThrow(TypeError);
    },
  );

  test('answers over HTTP/2', async () => {
    const handler = api.handler();
    const server = http2.createServer((request, response) => void handler(request, response));
    const client = http2.connect(`http://127.0.0.1:${await listen(server)}`);
    closeAtEnd(async () => client.destroy());
    const stream = client.request({ ':path': '/api/v1/me.php', authorization: `Bearer ${token}` });
    const [headers] = (await once(stream, 'response')) as [http2.IncomingHttpHeaders];
    expect(headers[':status' as never]).toBe(200);
    stream.close();
  });

  test("reads a section's form that a parser of the panel has read", async () => {
    const section = createApiSection({ api, authorize: () => 'Ada', prefix: '/admin/api' });
    const handler = section.handler();
    const listener: Listener = async (request, response) => {
      await request.toArray();
      request.body = { form_token: 'wrong' };
      handler(request, response);
    };
    const port = await listen(http.createServer((request, response) => void listener(request, response)));
    const body = new URLSearchParams({ form_token: 'wrong' });
    const url = `http://127.0.0.1:${port}`;
    const answer = await fetch(`${url}/admin/api/settings`, {
      method: 'POST',
      body,
      headers: { Origin: url },
    });
    // The form was read: its token is refused, and not its encoding.
    expect(answer.status).toBe(403);
  });
});

async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closeAtEnd(async () => void server.close());
  return (server.address() as AddressInfo).port;
}
