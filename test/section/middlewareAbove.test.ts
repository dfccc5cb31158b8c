import Koa, { type Middleware } from 'koa';
import { createApiSection, createPanelApi } from '../../index';
import { closeAtEnd } from '../fixture/closeAtEnd';
import { freshDatabase } from '../fixture/databases';
import { recordingLogger } from '../fixture/recordingLogger';

describe('A middleware above the API section that wraps every body', () => {
  let url: string;
  let above: Middleware;

  beforeAll(async () => {
    const { knex } = await freshDatabase('sqlite');
    const api = createPanelApi({ db: knex, logger: recordingLogger().logger });
    const authorize = (ctx: Koa.Context) => {
      if (ctx.get('X-Name') === 'login') ctx.redirect('/login');
      return ctx.get('X-Name') === 'ann' ? 'ann' : null;
    };
    const app = new Koa();
    app.use((ctx, next) => above(ctx, next));
    app.use(createApiSection({ api, authorize, prefix: '/admin/api' }).routes());
    const server = app.listen(0, '127.0.0.1');
    closeAtEnd(() => new Promise((resolve) => server.close(resolve)));
    await new Promise((resolve) => server.once('listening', resolve));
    const address = server.address();
    url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/admin/api`;
  });

  async function ask(path: string, name: string) {
    const response = await fetch(url + path, {
      redirect: 'manual',
      headers: { 'X-Name': name, Connection: 'close' },
    });
    const text = await response.text();
    return [response.status, response.headers.get('Content-Type'), text.replaceAll(/value="[^"]{40,}"/g, '')];
  }

  const wrap: Middleware = async (ctx, next) => {
    await next();
    ctx.status = 200;
    ctx.body = { data: ctx.body };
  };

  test.each([
    ['a page', '/tokens', 'ann'],
    ['a download', '/audit.csv', 'ann'],
    ['a page for a refused person', '/tokens', 'bob'],
    ['a style sheet', '/assets/section.css', 'bob'],
    ['a missing token', '/tokens/7', 'ann'],
  ])('changes nothing of %s', async (_what, path, name) => {
    above = (_ctx, next) => next();
    const plain = await ask(path, name);
    above = wrap;
    expect(await ask(path, name)).toEqual(plain);
  });

  test("wraps the panel's own answer for a person who has not logged in", async () => {
    above = wrap;
    const [status, , text] = await ask('/tokens', 'login');
    expect([status, text]).toEqual([200, expect.stringContaining('"data"')]);
  });
});
