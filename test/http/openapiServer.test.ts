import { request } from 'node:http';
import { json } from 'node:stream/consumers';
import Koa from 'koa';
import { freshDatabase, type TestDatabase } from '../fixture/databases';
import { startPanel, type TestPanel } from '../fixture/panel';

type Headers = Readonly<Record<string, string>>;

describe('The server in the OpenAPI document', () => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await freshDatabase('sqlite');
  });

  /** A panel behind a proxy that Koa trusts, or with connections that Koa takes for encrypted ones. */
  const start = async (how: 'proxied' | 'encrypted' | 'plain') => {
    const app = new Koa();
    app.proxy = how === 'proxied';
    app.use((ctx, next) => {
      if (how === 'encrypted') Object.assign(ctx.req.socket, { encrypted: true });
      return next();
    });
    const panel = await startPanel({ db: database.knex, rateLimit: { requests: 1000 } }, app);
    return { panel, token: await panel.token() };
  };

  // fetch would not send another Host.
  const serverOf = async ({ url }: TestPanel, token: string, headers: Headers): Promise<string> => {
    const answer = await new Promise<NodeJS.ReadableStream>((resolve, reject) => {
      const sent = request(`${url}/api/v1/openapi.php`, {
        headers: { ...headers, Authorization: `Bearer ${token}` },
      });
      sent.on('response', resolve).on('error', reject).end();
    });
    // biome-ignore lint/suspicious/noExplicitAny: the answer is read as the reader of its JSON would.
    return ((await json(answer)) as any).data.document.servers[0].url;
  };

  const HTTPS = { 'X-Forwarded-Proto': 'https', 'X-Forwarded-For': '192.0.2.7' };

  test.each<[string, 'proxied' | 'encrypted' | 'plain', Headers, string]>([
    ['the host of HTTPS to Node', 'encrypted', { Host: 'panel.example:8443' }, 'https://panel.example:8443'],
    [
      'the host that a trusted proxy reports',
      'proxied',
      { ...HTTPS, 'X-Forwarded-Host': 'panel.example', Host: '127.0.0.1:3000' },
      'https://panel.example',
    ],
    ['no host that a trusted proxy does not report', 'proxied', { ...HTTPS, Host: 'panel.example' }, '/'],
    [
      'no host that a proxy reports to a Koa that does not trust it',
      'encrypted',
      { 'X-Forwarded-Host': 'evil.example', Host: 'panel.example' },
      'https://panel.example',
    ],
    ['no host of a request without HTTPS', 'plain', { Host: 'panel.example' }, '/'],
    ['no malformed host', 'encrypted', { Host: 'panel.example"/><script>' }, '/'],
    [
      'no host of several',
      'proxied',
      { ...HTTPS, 'X-Forwarded-Host': 'panel.example/x?y, evil.example' },
      '/',
    ],
  ])('is %s', async (_what, how, headers, expected) => {
    const { panel, token } = await start(how);
    expect(await serverOf(panel, token, headers)).toBe(expected);
  });

  test('is that of its own request, also if requests for several hosts arrive together', async () => {
    const { panel, token } = await start('encrypted');
    const hosts = Array.from({ length: 30 }, (_, index) => `panel${index % 10}.example`);
    const servers = await Promise.all(hosts.map((Host) => serverOf(panel, token, { Host })));
    expect(servers).toEqual(hosts.map((host) => `https://${host}`));
  });
});
