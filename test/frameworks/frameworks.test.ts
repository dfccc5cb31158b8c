import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import http from 'node:http';
import { join } from 'node:path';
import knex, { type Knex } from 'knex';
import { operations } from '../../routes';
import { until } from '../fixture/until';

const { ScratchDirectory } = require('../ScratchDirectory') as {
  ScratchDirectory: new (name: string) => { readonly path: string; remove(): Promise<void> };
};
const { folder } = require('./packages') as { readonly folder: string };

/** The panels, each by its name, its file and the arguments of the file. */
const PANELS: readonly (readonly [name: string, file: string, ...args: readonly string[]])[] = [
  ['Koa 3', 'koa', 'koa'],
  ['Koa 2', 'koa', 'koa2'],
  ['http', 'http'],
  ['Express 5', 'express', 'express'],
  ['Express 5 below body parsers', 'express', 'express', '/', 'yes'],
  ['Express 5 at the path /api/v1', 'express', 'express', '/api/v1'],
  ['Express 5 at the path /api', 'express', 'express', '/api'],
  ['Express 4', 'express', 'express4'],
  ['Express 4 below body parsers', 'express', 'express4', '/', 'yes'],
  ['Fastify 5 with middie', 'fastify'],
  ['Fastify 5', 'fastifyAlone'],
  ['Hono', 'hono'],
  ['Nest 12 over Express', 'nest', 'express'],
  ['Nest 12 over Fastify', 'nest', 'fastify'],
  ['Nitro 2 over h3 1, the server of Nuxt', 'nitro'],
  ['h3 2', 'h3'],
  ["Next's pages", 'next', 'pages'],
  ['a custom server of Next', 'next', 'server'],
];

const ROWS = 60_000;

/** How long the slowest panel may take to start: Next builds itself first. */
const START_MS = 180_000;

describe.each(PANELS)('In a panel of %s', (_name, file, ...args) => {
  let panel: ChildProcess;
  let url: string;
  let headers: Record<string, string>;
  const scratch = new ScratchDirectory('frameworks');

  beforeAll(async () => {
    const database = join(scratch.path, 'panel.sqlite');
    await fill(knex({ client: 'better-sqlite3', connection: database, useNullAsDefault: true }));
    const started = await start(file, [database, ...args]);
    panel = started.panel;
    url = started.url;
    headers = { Authorization: `Bearer ${started.token}` };
  }, START_MS);

  afterAll(async () => {
    panel.kill();
    await scratch.remove();
  });

  const get = (path: string, init: RequestInit = {}) =>
    fetch(new URL(path, url), { redirect: 'manual', ...init, headers: { ...headers, ...init.headers } });

  /** The lines of the module's log about requests. */
  const requestLines = async () =>
    (await linesOf(panel)).filter(({ message }) => message === 'panel-api request');

  test.each(operations.map(({ name }) => name))(
    'the endpoint %s answers, with one line in the log',
    async (name) => {
      const before = (await requestLines()).length;
      const response = await get(
        `/api/v1/${name}.php?${operations.find((one) => one.name === name)?.kind === 'list' ? 'limit=1' : ''}`,
      );
      expect([200, 501]).toContain(response.status);
      expect(response.headers.get('X-Request-Id')).not.toBeNull();
      await until(async () => (await requestLines()).length === before + 1);
    },
  );

  test('HEAD is answered without a body', async () => {
    const response = await get('/api/v1/me.php', { method: 'HEAD' });
    expect([response.status, await response.text()]).toEqual([200, '']);
  });

  test('an unchanged answer is 304', async () => {
    const etag = (await get('/api/v1/domains.php?limit=5')).headers.get('ETag') ?? '';
    expect((await get('/api/v1/domains.php?limit=5', { headers: { 'If-None-Match': etag } })).status).toBe(
      304,
    );
  });

  test.each(['POST', 'DELETE', 'OPTIONS', 'PURGE'])('the method %s is 405', async (method) => {
    const answer = await get('/api/v1/me.php', { method });
    expect([answer.status, (await json(answer)).error.code]).toEqual([405, 'method_not_allowed']);
  });

  test.each(['/api/v1/', '/api/v1/nothing.php', '/api/v1/ME.php', '/api/v1/me.php/', '/api/v1//me.php'])(
    'the path %s is 404 in the envelope',
    async (path) => {
      const answer = await get(path);
      // Next redirects from paths with such slashes before it looks for a page.
      if (args[0] === 'pages' && /\/\/|\/$/.test(path)) expect(answer.status).toBe(308);
      else expect([answer.status, (await json(answer)).error.code]).toEqual([404, 'not_found']);
    },
  );

  test('a wrong token is 401', async () => {
    expect((await get('/api/v1/me.php', { headers: { Authorization: 'Bearer wrong' } })).status).toBe(401);
  });

  test(`a list of ${ROWS} rows arrives whole`, async () => {
    const { data } = await json(await get('/api/v1/domains.php'));
    expect(data.items).toHaveLength(ROWS);
  });

  test('a client that leaves a list is in the log, and the next request is answered', async () => {
    const request = http.get(`${url}/api/v1/domains.php`, { headers });
    const [response] = (await once(request, 'response')) as [http.IncomingMessage];
    response.once('data', () => request.destroy());
    request.on('error', () => undefined);
    await until(async () => (await requestLines()).some(({ aborted }) => aborted === true));
    expect((await get('/api/v1/me.php')).status).toBe(200);
  });

  test.each([
    ['/own', 200, 'a page of the panel'],
    ['/', 404, 'no page of the panel'],
    ['/api/v10/me.php', 404, 'no page of the panel'],
    ['/fails', 500, 'a failure of the panel'],
  ])('the path %s is the own of the panel', async (path, status, text) => {
    const response = await get(path);
    expect([response.status, response.headers.get('X-Request-Id')]).toEqual([status, null]);
    // Next has pages of its own for 404 and 500.
    expect(await response.text()).toContain(file === 'next' && status !== 200 ? '__NEXT_DATA__' : text);
  });

  test('a forged address is not believed', async () => {
    await get('/api/v1/me.php', { headers: { 'X-Forwarded-For': '192.0.2.7', 'X-Request-Id': 'forged' } });
    await until(async () => (await requestLines()).some(({ request_id }) => request_id === 'forged'));
    const line = (await requestLines()).find(({ request_id }) => request_id === 'forged');
    expect(line?.address).toBe('127.0.0.1');
  });

  test('the section refuses strangers and forms of other sites, and creates a token for an administrator', async () => {
    const admin = { Cookie: 'admin=Ada', Origin: url };
    const open = async (path: string) => postForm(await (await get(path, { headers: admin })).text(), path);
    const send = ({ path, fields }: Form, headers: Record<string, string> = {}) =>
      get(path, { method: 'POST', body: new URLSearchParams(fields), headers: { ...admin, ...headers } });
    expect((await get('/admin/api')).status).toBe(403);

    const filled = await open('/admin/api/tokens/new');
    filled.fields.push(['name', 'Billing'], ['scope', 'domains.read'], ['expiry', '90']);
    expect((await send(filled, { Origin: 'https://other.example' })).status).toBe(403);
    const review = await send(filled);
    expect(review.status).toBe(303);
    const created = await send(await open(below(filled.path, review.headers.get('Location') ?? '')));
    expect(await created.text()).toMatch(/pnl_[\w-]{20,}/);
  });
});

describe("In Next's pages below its basePath", () => {
  const scratch = new ScratchDirectory('frameworks');
  let started: Started;

  beforeAll(async () => {
    const database = join(scratch.path, 'panel.sqlite');
    await fill(knex({ client: 'better-sqlite3', connection: database, useNullAsDefault: true }));
    started = await start('next', [database, 'pages', '/hosting']);
  }, START_MS);

  afterAll(async () => {
    started.panel.kill();
    await scratch.remove();
  });

  const get = (path: string, headers: Record<string, string> = {}) =>
    fetch(`${started.url}/hosting${path}`, {
      headers: { Authorization: `Bearer ${started.token}`, ...headers },
    });

  test('the link to the next page of a list leads to it', async () => {
    const link = (await get('/api/v1/domains.php?limit=1')).headers.get('Link') ?? '';
    const [, next = ''] = /^<\/hosting(\/[^>]*)>; rel="next"$/.exec(link) ?? [];
    const { data } = await json(await get(next));
    expect(data.items).toEqual([expect.objectContaining({ id: 2 })]);
  });

  test('the section answers as a page, and leaves its other paths to Next', async () => {
    const admin = { Cookie: 'admin=Ada' };
    expect((await get('/api/admin/tokens', admin)).status).toBe(200);
    expect((await get('/api/admin/nothing', admin)).status).toBe(404);
  });
});

describe.each(['express', 'express4', 'fastify'])('The mount of Koa in %s', (name) => {
  const scratch = new ScratchDirectory('frameworks');
  let started: Started;

  beforeAll(async () => {
    started = await start('misused', [join(scratch.path, 'panel.sqlite'), name]);
  });

  afterAll(async () => {
    started.panel.kill();
    await scratch.remove();
  });

  test('is named in the log, once', async () => {
    for (const path of ['/own', '/api/v1/me.php', '/own'])
      expect((await fetch(started.url + path)).status).toBe(500);
    expect(await linesOf(started.panel)).toEqual([
      { message: 'panel-api routes() is for Koa; here use handler()' },
    ]);
  });
});

interface Started {
  readonly panel: ChildProcess;
  readonly url: string;
  readonly token: string;
}

/** Starts a panel, and waits until it listens. */
async function start(file: string, args: readonly string[]): Promise<Started> {
  const panel = fork(join(folder, `${file}.cjs`), args, { cwd: folder });
  const [started] = await Promise.race([once(panel, 'message'), once(panel, 'exit')]);
  return { panel, ...(started as Omit<Started, 'panel'>) };
}

/** The lines of the module's log. */
async function linesOf(panel: ChildProcess): Promise<readonly Record<string, unknown>[]> {
  panel.send('log');
  const [{ lines }] = (await once(panel, 'message')) as [{ lines: readonly Record<string, unknown>[] }];
  return lines;
}

interface Form {
  readonly path: string;
  readonly fields: [name: string, value: string][];
}

/** The form of a page that sends something, with its hidden fields. */
function postForm(page: string, path: string): Form {
  const [form = '', attributes = ''] =
    /<form([^>]*method="post"[^>]*)>[\s\S]*?<\/form>/.exec(mainOf(page)) ?? [];
  const value = (text: string, name: string) => new RegExp(`${name}="([^"]*)"`).exec(text)?.[1] ?? '';
  const hidden = [...form.matchAll(/<input[^>]*type="hidden"[^>]*>/g)].map(([input]): [string, string] => [
    value(input, 'name'),
    value(input, 'value'),
  ]);
  return { path: below(path, value(attributes, 'action')), fields: hidden };
}

/** The path to which a relative link of a page leads. */
function below(path: string, link: string): string {
  const { pathname, search } = new URL(link.replaceAll('&amp;', '&'), `http://panel${path}`);
  return pathname + search;
}

function mainOf(page: string): string {
  return page.slice(page.indexOf('<main'));
}

async function fill(db: Knex): Promise<void> {
  await db.schema.createTable('domains', (table) => {
    table.increments('id');
    table.string('domain');
    table.string('type');
    table.string('status');
    table.string('ssl_status');
  });
  await db.raw(
    `INSERT INTO domains (domain, type, status, ssl_status)
     WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${ROWS})
     SELECT 'site' || i || '.example', 'primary', 'active', 'none' FROM n`,
  );
  await db.destroy();
}

interface Envelope {
  readonly data: { readonly items: readonly unknown[] };
  readonly error: { readonly code: string };
}

async function json(response: Response): Promise<Envelope> {
  return (await response.json()) as Envelope;
}
