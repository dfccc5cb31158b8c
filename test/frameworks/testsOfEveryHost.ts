import { once } from 'node:events';
import http from 'node:http';
import { text } from 'node:stream/consumers';
import { operations } from '../../routes';
import { until } from '../fixture/until';
import { ADMIN, below, createByForms, newTokenForm, openForm, sendForm } from './sectionForms';
import { requestLinesOf, type StartedPanel } from './startPanel';

/** How many domains the panel has. */
export const ROWS = 60_000;

/** What a host does itself. */
export interface OwnAnswers {
  /** The statuses with which it answers these paths below the API, and methods, before it asks the module. */
  readonly answers?: Readonly<Record<string, number>>;
  /** What its own pages of these statuses contain, if the panel cannot choose it. */
  readonly pages?: Readonly<Record<number, string>>;
  /** Whether it reads the whole answer of a client that has left. */
  readonly hidesLeaving?: boolean;
  /** Whether the headers that the panel sets for all answers replace the module's. */
  readonly replacesHeaders?: boolean;
}

/** Defines the tests that hold in every host: one set of requests for all. */
export function testsOfEveryHost(panelOf: () => StartedPanel, host: OwnAnswers = {}): void {
  const get = (path: string, init: RequestInit = {}) => {
    const headers = { Authorization: `Bearer ${panelOf().token}`, ...init.headers };
    return fetch(new URL(path, panelOf().url), { redirect: 'manual', ...init, headers });
  };
  const requestLines = () => requestLinesOf(panelOf());

  test.each(operations.map(({ name }) => name))(
    'the endpoint %s answers, with one line in the log',
    async (name) => {
      const before = (await requestLines()).length;
      const response = await get(
        `/api/v1/${name}.php?${operations.find((one) => one.name === name)?.kind === 'list' ? 'limit=1' : ''}`,
      );
      expect([200, 501]).toContain(response.status);
      expect(response.headers.get('X-Request-Id')).not.toBeNull();
      expect(response.headers.get('Location')).toBeNull();
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

  /** The status of an answer, and the error of the module; undefined if the host answers. */
  const refusal = async (method: string, path: string) => {
    const { url, token } = panelOf();
    const headers = { Authorization: `Bearer ${token}` };
    const request = http.request(url + path, { method, headers }).end();
    const [response] = (await once(request, 'response')) as [http.IncomingMessage];
    const body = await text(response);
    const isOwn = response.headers['x-request-id'] !== undefined;
    return [response.statusCode, isOwn ? (JSON.parse(body) as Envelope).error.code : undefined];
  };

  test.each(['POST', 'DELETE', 'OPTIONS', 'PURGE', 'TRACE'])('the method %s is refused', async (method) => {
    const own = host.answers?.[method];
    expect(await refusal(method, '/api/v1/me.php')).toEqual(
      own === undefined ? [405, 'method_not_allowed'] : [own, undefined],
    );
  });

  test.each([
    '/api/v1/',
    '/api/v1/nothing.php',
    '/api/v1/ME.php',
    '/api/v1/me.php/',
    '/api/v1//me.php',
    '/api/v1/%zz',
  ])('there is nothing at the path %s', async (path) => {
    const own = host.answers?.[path];
    expect(await refusal('GET', path)).toEqual(own === undefined ? [404, 'not_found'] : [own, undefined]);
  });

  test('no cache keeps an answer, and no foreign page shows the section', async () => {
    const { headers } = await get('/api/v1/me.php');
    const section = await get('/admin/api', { headers: { Cookie: 'admin=Ada' } });
    const policy = section.headers.get('Content-Security-Policy') ?? '';
    const own = [headers.get('Cache-Control') === 'no-store', policy.startsWith("default-src 'none'")];
    expect(own).toEqual(host.replacesHeaders ? [false, false] : [true, true]);
    // These say the same where the headers of the panel win.
    expect(headers.get('CDN-Cache-Control')).toBe('no-store');
    expect(await section.text()).toMatch(
      /<meta http-equiv="Content-Security-Policy" content="default-src &#39;none/,
    );
  });

  test('a wrong token is 401', async () => {
    expect((await get('/api/v1/me.php', { headers: { Authorization: 'Bearer wrong' } })).status).toBe(401);
  });

  test(`a list of ${ROWS} rows arrives whole`, async () => {
    const { data } = await json(await get('/api/v1/domains.php'));
    expect(data.items).toHaveLength(ROWS);
  });

  test('a client that leaves a list is in the log, and the next request is answered', async () => {
    const request = http.get(`${panelOf().url}/api/v1/domains.php`, {
      headers: { Authorization: `Bearer ${panelOf().token}` },
    });
    const [response] = (await once(request, 'response')) as [http.IncomingMessage];
    const before = (await requestLines()).length;
    response.once('data', () => request.destroy());
    request.on('error', () => undefined);
    await until(async () => (await requestLines()).length > before);
    expect((await requestLines())[before]?.aborted === true).toBe(!host.hidesLeaving);
    expect((await get('/api/v1/me.php')).status).toBe(200);
  });

  test.each([
    ['/own', 200, 'a page of the panel'],
    ['/', 404, 'no page of the panel'],
    ['/api/v10/me.php', 404, 'no page of the panel'],
    ['/fails', 500, 'a failure of the panel'],
  ])('the path %s is the own of the panel', async (path, status, own) => {
    const response = await get(path);
    expect([response.status, response.headers.get('X-Request-Id')]).toEqual([status, null]);
    expect(await response.text()).toContain(host.pages?.[status] ?? own);
  });

  test('a forged address is not believed', async () => {
    await get('/api/v1/me.php', { headers: { 'X-Forwarded-For': '192.0.2.7', 'X-Request-Id': 'forged' } });
    await until(async () => (await requestLines()).some(({ request_id }) => request_id === 'forged'));
    const line = (await requestLines()).find(({ request_id }) => request_id === 'forged');
    expect(line?.address).toBe('127.0.0.1');
  });

  test('the section refuses strangers and forms of other sites, and creates a token for an administrator', async () => {
    const { url } = panelOf();
    expect((await get('/admin/api')).status).toBe(403);
    expect((await sendForm(url, await newTokenForm(url), 'https://other.example')).status).toBe(403);
    const headers = { Authorization: `Bearer ${await createByForms(url)}` };
    expect((await get('/api/v1/domains.php?limit=1', { headers })).status).toBe(200);

    // The first token is that of the test.
    const revocation = await openForm(url, '/admin/api/tokens/2/revoke');
    const revoked = await sendForm(url, revocation);
    const next = below(revocation.path, revoked.headers.get('Location') ?? '');
    expect([revoked.status, next]).toEqual([303, expect.stringMatching(/^\/admin\/api\/tokens\/2\?/)]);
    expect((await get(next, { headers: ADMIN })).status).toBe(200);
    expect((await get('/api/v1/domains.php?limit=1', { headers })).status).toBe(401);
  });
}

export interface Envelope {
  readonly data: { readonly items: readonly unknown[] };
  readonly error: { readonly code: string };
}

export async function json(response: Response): Promise<Envelope> {
  return (await response.json()) as Envelope;
}
