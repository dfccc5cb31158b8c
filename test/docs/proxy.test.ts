import type { IncomingMessage } from 'node:http';
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
const blocksOf = (language: string) =>
  page.blocks.filter(({ info }) => info === language).map(({ text }) => text);
const [inPanel = ''] = blocksOf('js');
const [whole = '', below = '', compressed = ''] = blocksOf('nginx');

describe('A panel behind nginx, as the page sets both up', () => {
  let panel: TestPanel;
  let port: number;

  const answerOf = (path: string, headers: Record<string, string>): Promise<IncomingMessage> =>
    new Promise((resolve, reject) => {
      // The certificate is the test's own.
      request({ port, path, headers, rejectUnauthorized: false, agent: false }, resolve)
        .once('error', reject)
        .end();
    });

  const throughProxy = async (path: string, headers: Record<string, string>) =>
    text(await answerOf(path, headers));

  const bearer = async () => ({ Authorization: `Bearer ${await panel.token()}` });

  beforeAll(async () => {
    const app = new Koa();
    app.silent = true;
    compileFunction(inPanel, ['app'])(app);
    const { knex } = await freshDatabase('sqlite');
    panel = await startPanel(
      { db: knex },
      app.use((ctx, next) => (ctx.path === '/broken' ? breakOff(ctx) : next())),
    );
    const lines = (whole.match(/proxy_set_header .*;/g) ?? []).join('\n');
    const config = [whole, below.replace('# and the lines above', lines), compressed].join('\n');
    const server = await startNginx(config.replaceAll('http://127.0.0.1:3000', panel.url));
    closeAtEnd(() => server.stop());
    port = server.port;
  });

  test('sees the address and the HTTPS that nginx reports, whatever the client writes', async () => {
    const answer = await throughProxy('/api/v1/release-audit.php', {
      ...(await bearer()),
      'X-Forwarded-For': '192.0.2.66',
      'X-Forwarded-Proto': 'http',
    });
    const { checks } = JSON.parse(answer).data as { checks: { id: string; status: string }[] };
    const statusOf = (id: string) => checks.find((check) => check.id === id)?.status;
    expect([statusOf('https'), statusOf('client_address')]).toEqual(['pass', 'pass']);
    const [line] = await panel.requestLines(1);
    expect(line?.fields.address).toBe('127.0.0.1');
  });

  test('knows the path that nginx cuts off', async () => {
    const answer = await throughProxy('/panel/api/v1/openapi.php', {
      ...(await bearer()),
      Host: 'panel.example',
    });
    expect(JSON.parse(answer).data.document.servers[0].url).toBe('https://panel.example/panel');
  });

  test('is compressed, and still has a validator', async () => {
    const headers = { ...(await bearer()), 'Accept-Encoding': 'gzip' };
    const answer = await answerOf('/api/v1/openapi.php', headers);
    answer.resume();
    const { 'content-encoding': encoding, etag } = answer.headers;
    expect([answer.statusCode, encoding, etag]).toEqual([200, 'gzip', expect.stringMatching(/^W\//)]);
    const again = await answerOf('/api/v1/openapi.php', { ...headers, 'If-None-Match': etag ?? '' });
    again.resume();
    expect(again.statusCode).toBe(304);
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
