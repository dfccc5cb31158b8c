import { once } from 'node:events';
import http2 from 'node:http2';
import type { AddressInfo } from 'node:net';
import Router from '@koa/router';
import Koa, { type Middleware } from 'koa';
import { createPanelApi } from '../../index';
import { readAnswer } from '../fixture/answer';
import { closeAtEnd } from '../fixture/closeAtEnd';
import { freshDatabase, type TestDatabase } from '../fixture/databases';
import { AUTHOR, PATIENT_MS, startPanel } from '../fixture/panel';
import { recordingLogger } from '../fixture/recordingLogger';

describe('The API', () => {
  let database: TestDatabase;

  beforeEach(async () => {
    database = await freshDatabase('sqlite');
  });

  test('answers over HTTP/2', async () => {
    const api = createPanelApi({
      db: database.knex,
      logger: recordingLogger().logger,
      enabled: true,
      deadlineMs: PATIENT_MS,
    });
    const { token } = await api.tokens.create({ name: 'test', scopes: ['*'] }, AUTHOR);
    const handle = new Koa().use(api.routes()).callback();
    const server = http2.createServer(
      (request, response) => void handle(request as never, response as never),
    );
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const client = http2.connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    closeAtEnd(async () => {
      client.destroy();
      server.close();
    });
    const stream = client.request({ ':path': '/api/v1/me.php', authorization: `Bearer ${token}` });
    const [headers] = (await once(stream, 'response')) as [http2.IncomingHttpHeaders & { ':status': number }];
    expect(headers[':status']).toBe(200);
  });

  test('names its endpoints by the path below which the panel mounted it', async () => {
    const app = new Koa();
    app.use(mountedAt('/panel'));
    const panel = await startPanel({ db: database.knex }, app);
    const token = await panel.token();
    const read = async (path: string) => {
      const response = await fetch(panel.url + path, { headers: { Authorization: `Bearer ${token}` } });
      return (await readAnswer(response)).body.data;
    };
    expect((await read('/panel/api/v1/me.php')).endpoints[0].path).toBe('/panel/api/v1/me.php');
    expect((await read('/panel/api/v1/openapi.php')).document.servers[0].url).toBe('/panel');
    await panel.close();
  });

  test("answers OPTIONS for an unknown path itself, before the panel's router does", async () => {
    const app = new Koa();
    const router = new Router();
    app.use(router.routes());
    app.use(router.allowedMethods());
    const panel = await startPanel({ db: database.knex }, app);
    const headers = { Authorization: `Bearer ${await panel.token()}` };
    const response = await fetch(`${panel.url}/api/v1/nothing.php`, { method: 'OPTIONS', headers });
    const { status, body } = await readAnswer(response);
    expect([status, body?.error.code]).toEqual([404, 'not_found']);
    await panel.close();
  });

  test("survives a panel's middleware that discards its state", async () => {
    const app = new Koa();
    app.use(async (ctx, next) => {
      await next();
      Object.defineProperty(ctx, 'state', { value: {} });
    });
    const panel = await startPanel({ db: database.knex }, app);
    expect((await panel.get('/api/v1/me.php')).status).toBe(401);
    expect(await panel.requestLines(1)).toHaveLength(1);
    await panel.close();
  });

  test("shows a panel's own check in the release audit, whatever it returns", async () => {
    const fails = () => {
      throw new Error('password=hunter2');
    };
    const panel = await startPanel({
      db: database.knex,
      releaseChecks: [
        {
          id: 'good',
          title: 'Good',
          run: () => ({ status: 'pass', detail: 'It reads ftp://backup:hunter2@nas/.' }),
        },
        { id: 'nothing', title: 'Nothing', run: (() => undefined) as never },
        { id: 'fails', title: 'Fails', run: fails },
      ],
    });
    const { body, text } = await panel.get('/api/v1/release-audit.php', await panel.token());
    const statuses = body.data.checks.map(({ id, status }: { id: string; status: string }) => [id, status]);
    expect(statuses).toEqual(
      expect.arrayContaining([
        ['good', 'pass'],
        ['nothing', 'fail'],
        ['fails', 'fail'],
      ]),
    );
    expect(text).toContain('It reads ftp://…@nas/.');
    expect(text).not.toContain('hunter2');
    expect(panel.log).toContainEqual(
      expect.objectContaining({
        message: 'panel-api check failed',
        fields: expect.objectContaining({ check: 'fails' }),
      }),
    );
    await panel.close();
  });
});

// Like koa-mount.
function mountedAt(prefix: string): Middleware {
  return async function mounted(ctx, next) {
    if (!ctx.path.startsWith(prefix)) return next();
    Object.assign(ctx, { mountPath: prefix });
    ctx.path = ctx.path.slice(prefix.length);
    await next();
  };
}
