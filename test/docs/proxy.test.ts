import { request } from 'node:https';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { compileFunction } from 'node:vm';
import Koa from 'koa';
import { closeAtEnd } from '../fixture/closeAtEnd';
import { freshDatabase } from '../fixture/databases';
import { startPanel, type TestPanel } from '../fixture/panel';
import { startNginx } from '../servers/startNginx';
import { Page } from './Page';

const page = new Page('docs/how-to/proxy.md');
const blockOf = (language: string) => page.blocks.find(({ info }) => info === language)?.text ?? '';

describe('A panel behind nginx, as the page sets both up', () => {
  let panel: TestPanel;
  let port: number;

  const throughProxy = (path: string, headers: Record<string, string>): Promise<string> =>
    new Promise((resolve, reject) => {
      // The certificate is the test's own.
      request({ port, path, headers, rejectUnauthorized: false, agent: false }, (answer) => {
        text(answer).then(resolve, reject);
      })
        .once('error', reject)
        .end();
    });

  beforeAll(async () => {
    const app = new Koa();
    app.silent = true;
    compileFunction(blockOf('js'), ['app'])(app);
    const { knex } = await freshDatabase('sqlite');
    panel = await startPanel(
      { db: knex },
      app.use((ctx, next) => (ctx.path === '/broken' ? breakOff(ctx) : next())),
    );
    const server = await startNginx(blockOf('nginx').replace('http://127.0.0.1:3000', panel.url));
    closeAtEnd(() => server.stop());
    port = server.port;
  });

  test('sees the address and the HTTPS that nginx reports, whatever the client writes', async () => {
    const answer = await throughProxy('/api/v1/release-audit.php', {
      Authorization: `Bearer ${await panel.token()}`,
      'X-Forwarded-For': '192.0.2.66',
      'X-Forwarded-Proto': 'http',
    });
    const { checks } = JSON.parse(answer).data as { checks: { id: string; status: string }[] };
    const statusOf = (id: string) => checks.find((check) => check.id === id)?.status;
    expect([statusOf('https'), statusOf('client_address')]).toEqual(['pass', 'pass']);
    const [line] = await panel.requestLines(1);
    expect(line?.fields.address).toBe('127.0.0.1');
  });

  test('breaks the connection to the client if an answer breaks half-way', async () => {
    await expect(throughProxy('/broken', {})).rejects.toThrow('aborted');
  });
});

/** Begins an answer that it does not finish, as the API does if a long list fails. */
async function breakOff(ctx: Pick<Koa.Context, 'body' | 'res'>): Promise<void> {
  const body = new PassThrough();
  ctx.body = body;
  body.write('[1, ');
  setTimeout(() => ctx.res.destroy(), 100);
}
