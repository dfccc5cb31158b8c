import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import Koa, { type Context, type Middleware } from 'koa';
import { createPanelApi, type PanelApi } from '../../index';
import { readAnswer } from '../fixture/answer';
import { closeAtEnd } from '../fixture/closeAtEnd';
import { freshDatabase, type TestDatabase } from '../fixture/databases';
import { AUTHOR, PATIENT_MS } from '../fixture/panel';
import { createPanelTables } from '../fixture/panelTables';
import { recordingLogger } from '../fixture/recordingLogger';

/** How a panel mounts the API. */
type Mount = (api: PanelApi, app: Koa) => RequestListener;

const plain: Mount = (api, app) => app.use(api.routes()).callback();

/** Like koa-mount, which leaves the path before its own alone. */
function mountedAt(prefix: string, inner: Middleware): Middleware {
  return async (ctx, next) => {
    const { path } = ctx;
    if (!path.startsWith(prefix)) return next();
    Object.assign(ctx, { mountPath: prefix });
    ctx.path = path.slice(prefix.length);
    await inner(ctx, next);
    ctx.path = path;
  };
}

/** Like Express, which cuts the path of a mount off and keeps the whole. */
const express =
  (prefix: string): Mount =>
  (api, app) => {
    const handle = app.use(api.routes()).callback();
    return (request: IncomingMessage & { originalUrl?: string }, response) => {
      request.originalUrl = request.url ?? '';
      request.url = request.originalUrl.slice(prefix.length);
      void handle(request, response);
    };
  };

const koaMount: Mount = (api, app) =>
  app.use(mountedAt('/hosting', api.routes() as unknown as Middleware)).callback();

const nested: Mount = (api, app) =>
  app.use(mountedAt('/a', mountedAt('/b', api.routes() as unknown as Middleware))).callback();

type Row = readonly [where: string, mount: Mount, sent: string, prefix: string | null, seen: string];

const ROWS: readonly Row[] = [
  ['in a panel', plain, '', null, ''],
  ['below a path of koa-mount', koaMount, '/hosting', null, '/hosting'],
  ['below the paths of two mounts', nested, '/a/b', null, '/a/b'],
  ['below a path of Express', express('/x/y'), '/x/y', null, '/x/y'],
  ['behind a proxy that cuts a path off', plain, '', '/panel', '/panel'],
  ['behind a proxy that names it with a slash at its end', plain, '', '/panel/', '/panel'],
  ['behind two of them', plain, '', '/outer, /inner', '/outer/inner'],
  ['behind one, below a path of Express', express('/x'), '/x', '/panel', '/panel/x'],
  ['behind one that cuts off nothing', plain, '', '/', ''],
  ['behind one that passes on another host', plain, '', '//evil.example', ''],
  ['behind one that passes on an address', plain, '', 'https://evil.example/x', ''],
  ['behind one that passes on markup', plain, '', '/a>; rel="prev", </b', ''],
];

describe('The path that clients see', () => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await freshDatabase('sqlite');
    await createPanelTables(database.knex, ['domains']);
    for (const id of [1, 2, 3, 4])
      await database
        .knex('domains')
        .insert({ id, domain: `${id}.example`, status: id < 4 ? 'active, new' : 'gone' });
  });

  const start = async (mount: Mount, proxy: boolean) => {
    const app = new Koa();
    app.proxy = proxy;
    const { logger } = recordingLogger();
    const api = createPanelApi({
      db: database.knex,
      logger,
      enabled: true,
      httpsRequired: false,
      deadlineMs: PATIENT_MS,
    });
    const { token } = await api.tokens.create({ name: 'test', scopes: ['*'] }, AUTHOR);
    const server = createServer(mount(api, app)).listen(0, '127.0.0.1');
    await once(server, 'listening');
    closeAtEnd(() => {
      server.closeAllConnections();
      server.close();
    });
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    return async (path: string, headers: Record<string, string> = {}) =>
      readAnswer(await fetch(url + path, { headers: { ...headers, Authorization: `Bearer ${token}` } }));
  };

  test.each(ROWS)('is that of the request %s', async (_where, mount, sent, prefix, seen) => {
    const get = await start(mount, true);
    const headers = prefix === null ? {} : { 'X-Forwarded-Prefix': prefix };
    const page = await get(`${sent}/api/v1/domains.php?limit=1`, headers);
    expect(page.headers.get('Link')).toBe(
      `<${seen}/api/v1/domains.php?limit=1&cursor=${page.body.data.next_cursor}>; rel="next"`,
    );
    const { endpoints } = (await get(`${sent}/api/v1/me.php`, headers)).body.data;
    expect(endpoints[0].path).toBe(`${seen}/api/v1/me.php`);
    const { document } = (await get(`${sent}/api/v1/openapi.php`, headers)).body.data;
    expect(document.servers[0].url).toBe(seen || '/');
  });

  test('has no prefix that a client sends to a Koa that trusts no proxy', async () => {
    const get = await start(plain, false);
    const { headers } = await get('/api/v1/domains.php?limit=1', { 'X-Forwarded-Prefix': '/panel' });
    expect(headers.get('Link')).toMatch(/^<\/api\/v1\/domains\.php\?/);
  });

  test('leads from page to page, with the same filters, as often as they were given', async () => {
    const get = await start(koaMount, false);
    const ids: number[] = [];
    let path: string | undefined =
      '/hosting/api/v1/domains.php?limit=1&status[]=%22active, new%22&status[]=x';
    while (path) {
      const { status, body, headers } = await get(path);
      expect([path, status]).toEqual([path, 200]);
      ids.push(...body.data.items.map(({ id }: { id: number }) => id));
      path = /^<(.*)>; rel="next"$/.exec(headers.get('Link') ?? '')?.[1];
    }
    expect(ids).toEqual([1, 2, 3]);
  });

  test('is the one that the client sent, also if the panel answers it with the API of another', async () => {
    const rewritten: Mount = (api, app) =>
      app
        .use(async (ctx: Context, next) => {
          ctx.path = `/api/v1${ctx.path}`;
          await next();
        })
        .use(api.routes())
        .callback();
    const get = await start(rewritten, false);
    const { headers } = await get('/domains.php?limit=1');
    expect(headers.get('Link')).toMatch(/^<\/domains\.php\?/);
  });
});
