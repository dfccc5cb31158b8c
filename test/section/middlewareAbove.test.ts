import { createReadStream } from 'node:fs';
import { PassThrough, Readable } from 'node:stream';
import Koa, { type Middleware } from 'koa';
import { createApiSection, createPanelApi } from '../../index';
import { closeAtEnd } from '../fixture/closeAtEnd';
import { freshDatabase } from '../fixture/databases';
import { PATIENT_MS } from '../fixture/panel';
import { recordingLogger } from '../fixture/recordingLogger';
import { insertAuditRows } from '../fixture/section/auditRows';

describe('A middleware above the API section', () => {
  let url: string;
  let above: Middleware;

  beforeAll(async () => {
    const { knex } = await freshDatabase('sqlite');
    const api = createPanelApi({ db: knex, logger: recordingLogger().logger, deadlineMs: PATIENT_MS });
    await api.audit.list();
    const entry = { actor: 'ann', token_id: 1, details: { note: 'n'.repeat(500) } };
    await insertAuditRows(knex, Array(1000).fill(entry));
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

  const wrappers: Readonly<Record<string, (ctx: Koa.ParameterizedContext) => void>> = {
    'puts every body into an object': (ctx) => {
      ctx.status = 200;
      ctx.body = { data: ctx.body };
    },
    'replaces every body by a buffer': (ctx) => {
      ctx.body = Buffer.from('changed');
    },
    'replaces every body by a file': (ctx) => {
      ctx.body = createReadStream(__filename);
    },
    'replaces every body by a stream that fails': (ctx) => {
      const failing = new PassThrough();
      ctx.body = failing;
      failing.destroy(new Error('failed'));
    },
    'removes every body': (ctx) => {
      ctx.body = null;
    },
    'leads every stream through one of its own': (ctx) => {
      if (ctx.body instanceof Readable) ctx.body = ctx.body.pipe(new PassThrough());
    },
  };

  describe.each(Object.entries(wrappers))('and %s', (_how, wrap) => {
    test.each([
      ['a page', '/tokens', 'ann'],
      ['a short download', '/audit.csv?actor=other', 'ann'],
      ['a long download', '/audit.csv', 'ann'],
      ['a page for a refused person', '/tokens', 'bob'],
      ['a style sheet', '/assets/section.css', 'bob'],
      ['a missing token', '/tokens/7', 'ann'],
    ])('changes nothing of %s', async (_what, path, name) => {
      above = (_ctx, next) => next();
      const plain = await ask(path, name);
      above = async (ctx, next) => {
        await next();
        wrap(ctx);
      };
      expect(await ask(path, name)).toEqual(plain);
    });
  });

  test("wraps the panel's own answer for a person who has not logged in", async () => {
    above = async (ctx, next) => {
      await next();
      ctx.body = { data: ctx.body };
    };
    const [status, , text] = await ask('/tokens', 'login');
    expect([status, text]).toEqual([302, expect.stringContaining('"data"')]);
  });
});
