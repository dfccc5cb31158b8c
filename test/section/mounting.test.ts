import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as textOf } from 'node:stream/consumers';
import Koa from 'koa';
import { createApiSection, createPanelApi } from '../../index';
import type { ApiSectionOptions } from '../../section/createApiSection';
import { PATIENT_MS } from '../fixture/panel';
import { recordingLogger } from '../fixture/recordingLogger';
import {
  hiddenFields,
  SECTION,
  type SectionPanel,
  shownToken,
  startSectionPanel,
} from '../fixture/section/sectionPanel';

describe('The API section is mounted', () => {
  let section: SectionPanel;

  beforeAll(async () => {
    section = await startSectionPanel('sqlite');
  });

  test('so that its address shows the overview, with a slash at its end and without', async () => {
    for (const path of [SECTION, `${SECTION}/`]) {
      const response = await fetch(section.panel.url + path, { headers: { Cookie: 'admin=ann' } });
      const text = await response.text();
      expect(text).toContain('<h1>Overview</h1>');
      const links = [
        ...text.matchAll(/href="([^"#]+)" aria-current="page"|href="(tokens)"|href="(api\/tokens)"/g),
      ];
      expect(links.map(([, ...found]) => new URL(found.join(''), response.url).pathname)).toEqual([
        `${SECTION}/`,
        `${SECTION}/tokens`,
      ]);
    }
  });

  test('without any effect on the pages of the panel', async () => {
    for (const path of ['/admin', '/admin/apix', `${SECTION}/nothing`, '/']) {
      const { status, headers } = await fetch(section.panel.url + path, { headers: { Cookie: 'admin=ann' } });
      expect([path, status, headers.get('Content-Security-Policy')]).toEqual([path, 404, null]);
    }
  });

  test('with references that lead to pages, from every page', async () => {
    const { record } = await section.panel.api.tokens.create(
      { name: 'x', scopes: ['*'] },
      { actor: 'ann', origin: 'panel' },
    );
    for (const from of [
      '',
      'tokens',
      'tokens/',
      'tokens/new',
      `tokens/${record.id}`,
      `tokens/${record.id}/revoke`,
      'audit',
    ]) {
      const { text } = await section.get(from);
      const references = [...text.matchAll(/(?:href|src)="([^"#]+)"/g)].map(([, path = '']) =>
        path.replaceAll('&amp;', '&'),
      );
      expect(references.length).toBeGreaterThan(4);
      for (const reference of references) {
        const { pathname, search } = new URL(reference, `${section.panel.url}${SECTION}/${from}`);
        const { status } = await fetch(section.panel.url + pathname + search, {
          headers: { Cookie: 'admin=ann' },
        });
        expect([from, reference, status]).toEqual([from, reference, 200]);
      }
    }
  });

  const mounted = (options: unknown) => () => createApiSection(options as ApiSectionOptions);

  test.each<[string, object, string]>([
    ['no API', { api: undefined }, 'api'],
    ['another API', { api: {} }, 'api'],
    ['no function that authorizes', { authorize: undefined }, 'authorize'],
    ['a name in place of a function', { authorize: 'ann' }, 'authorize'],
    ['a prefix without a slash', { prefix: 'admin' }, 'prefix'],
    ['a link back that is a script', { back: 'javascript:alert(1)' }, 'back'],
    ['an unknown option', { authorise: () => 'ann' }, 'authorise'],
  ])('not with %s: the option is named', (_what, given, option) => {
    const options = { api: section.panel.api, authorize: () => 'ann', ...given };
    expect(mounted(options)).toThrow(new RegExp(`^createApiSection: .*\\b${option}\\b`));
  });

  test('in a frame of the panel’s own', async () => {
    const own = await startSectionPanel(
      'sqlite',
      {},
      {
        layout: ({ title, head, content, actor }) =>
          `<html><head>${head}</head><body><i>${actor}</i>${title}${content}</body></html>`,
      },
    );
    const { text } = await own.get('tokens');
    expect(text).toMatch(
      /^<html><head><meta[^>]*>\s*<link[^>]*>\s*<script[^>]*><\/script><\/head><body><i>ann<\/i>Tokens<div class="api-section" lang="en">/,
    );
  });

  test.each<[string, () => never]>([
    [
      'throws',
      () => {
        throw new Error('secret-71');
      },
    ],
    ['returns nothing', () => undefined as never],
    ['returns a page without the content', () => '<html></html>' as never],
  ])('so that a layout which %s hides no token', async (_what, layout) => {
    const own = await startSectionPanel('sqlite', {}, { layout });
    const { status, text } = await own.send('tokens/review?name=x&scope=*', 'tokens');
    expect([status, shownToken(text)]).toEqual([200, expect.any(String)]);
    expect(own.panel.log.some(({ message }) => message === 'panel-api section layout failed')).toBe(true);
    expect(JSON.stringify(own.panel.log)).not.toContain('secret-71');
  });

  test('behind a body parser of the panel, which has read the form already or left it', async () => {
    for (const parse of [parseForm, leaveForm, keepText, keepBytes]) {
      const app = new Koa();
      app.use(parse);
      app.use(createApiSection({ api: section.panel.api, authorize: () => 'ann' }).routes());
      const server = app.listen(0, '127.0.0.1');
      await once(server, 'listening');
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
      const page = await (await fetch(`${url}tokens/review?name=x&scope=*`)).text();
      const body = new URLSearchParams(hiddenFields(page, 'tokens'));
      const headers = { 'Sec-Fetch-Site': 'same-origin' };
      const created = await fetch(`${url}tokens`, { method: 'POST', body, headers });
      expect([created.status, shownToken(await created.text())]).toEqual([200, expect.any(String)]);
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  });

  test('behind a body parser of the panel, and revokes more tokens at once than the parser puts into an array', async () => {
    const { tokens } = section.panel.api;
    const author = { actor: 'ann', origin: 'panel' } as const;
    const ids: number[] = [];
    for (let count = 0; count < 25; count += 1)
      ids.push((await tokens.create({ name: 'x', scopes: ['*'] }, author)).record.id);
    const app = new Koa();
    app.use(parseForm);
    app.use(createApiSection({ api: section.panel.api, authorize: () => 'ann' }).routes());
    const server = app.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/tokens/revoke`;
    const page = await (await fetch(`${url}?${ids.map((id) => `id=${id}`).join('&')}`)).text();
    const body = new URLSearchParams(hiddenFields(page, 'tokens/revoke'));
    const headers = { 'Sec-Fetch-Site': 'same-origin', Connection: 'close' };
    await fetch(url, { method: 'POST', body, headers, redirect: 'manual' });
    const states = await Promise.all(ids.map(async (id) => (await tokens.get(id))?.state));
    expect(states).toEqual(ids.map(() => 'revoked'));
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  test('so that a person without a name is refused, even if the panel has set a status before', async () => {
    const app = new Koa();
    app.use(async (ctx, next) => {
      ctx.status = 200;
      await next();
    });
    app.use(createApiSection({ api: section.panel.api, authorize: () => null }).routes());
    const server = app.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/tokens`);
    expect([response.status, (await response.text()).includes('Tokens')]).toEqual([403, false]);
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  test.each([
    ['true', true],
    ['an object', { name: 'ann' }],
    ['a number', 7],
    ['a name that is too long', 'a'.repeat(129)],
    ['an empty name', ' '],
  ])('so that the log says once what authorize must return, after it returned %s', async (_name, named) => {
    const { log, logger } = recordingLogger();
    const api = createPanelApi({ db: section.database.knex, logger, deadlineMs: PATIENT_MS });
    const app = new Koa();
    app.use(createApiSection({ api, authorize: () => named as string }).routes());
    const statuses = await statusesOf(app, ['/tokens', '/audit', '/tokens']);
    expect(statuses).toEqual([403, 403, 403]);
    expect(log).toEqual([
      {
        level: 'warn',
        message: "panel-api authorize must return the administrator's name, or null",
        fields: {},
      },
    ]);
  });

  test.each([null, undefined, false as const, ''])(
    'so that authorize returns %j for others without a line in the log',
    async (named) => {
      const { log, logger } = recordingLogger();
      const api = createPanelApi({ db: section.database.knex, logger, deadlineMs: PATIENT_MS });
      const app = new Koa();
      app.use(createApiSection({ api, authorize: () => named }).routes());
      expect(await statusesOf(app, ['/tokens'])).toEqual([403]);
      expect(log).toEqual([]);
    },
  );

  test('so that a malformed host is in no shell command', async () => {
    const { port } = new URL(section.panel.url);
    const request = http.get({
      host: '127.0.0.1',
      port,
      path: `${SECTION}/reference`,
      headers: { Host: 'a;touch$IFS;', Cookie: 'admin=ann' },
    });
    const [response] = (await once(request, 'response')) as [http.IncomingMessage];
    const page = await textOf(response);
    expect([response.statusCode, page.includes('touch')]).toEqual([200, false]);
  });

  test('behind another mount, with the same references', async () => {
    const inner = new Koa();
    inner.use(createApiSection({ api: section.panel.api, authorize: () => 'ann' }).routes());
    const middleware = inner.middleware[0]!;
    const app = new Koa();
    // What koa-mount does.
    app.use(async (ctx, next) => {
      if (!ctx.path.startsWith('/x/y')) return next();
      const path = ctx.path;
      ctx.path = path.slice('/x/y'.length) || '/';
      await middleware(ctx, next);
      ctx.path = path;
    });
    const server = app.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as { port: number };
    const at = (path: string) => fetch(`http://127.0.0.1:${port}${path}`, { redirect: 'manual' });
    expect(await (await at('/x/y')).text()).toContain('href="y/tokens"');
    const { status } = await at('/x/y/tokens/new');
    expect(status).toBe(200);
    await new Promise((resolve) => server.close(resolve));
  });
});

/** The package qs, which the common parsers use, makes an object of more values. */
const LONGEST_ARRAY = 20;

/** Reads the form as the common parsers do. */
async function parseForm(ctx: Koa.Context, next: Koa.Next): Promise<void> {
  const fields = new URLSearchParams(ctx.method === 'POST' ? await textOf(ctx.req) : '');
  const names = [...new Set(fields.keys())];
  const body = names.map((name) => {
    const values = fields.getAll(name);
    if (values.length > LONGEST_ARRAY) return [name, { ...values }];
    return [name, values.length === 1 ? values[0] : values];
  });
  Object.assign(ctx.request, { body: Object.fromEntries(body) });
  await next();
}

/** Is a parser of other media types. */
async function leaveForm(ctx: Koa.Context, next: Koa.Next): Promise<void> {
  Object.assign(ctx.request, { body: {} });
  await next();
}

/** The statuses of pages that are asked for one after another. */
async function statusesOf(app: Koa, paths: readonly string[]): Promise<readonly number[]> {
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const statuses: number[] = [];
  for (const path of paths) statuses.push((await fetch(`http://127.0.0.1:${port}${path}`)).status);
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  return statuses;
}

/** Leaves the form as a text. */
async function keepText(ctx: Koa.Context, next: Koa.Next): Promise<void> {
  if (ctx.method === 'POST') Object.assign(ctx.request, { body: await textOf(ctx.req) });
  await next();
}

/** Leaves the form as bytes. */
async function keepBytes(ctx: Koa.Context, next: Koa.Next): Promise<void> {
  if (ctx.method === 'POST') Object.assign(ctx.request, { body: Buffer.from(await textOf(ctx.req)) });
  await next();
}
