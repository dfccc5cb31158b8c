import http from 'node:http';
import Koa from 'koa';
import { operations } from '../../routes';
import { describeOneEngine } from '../fixture/databases';
import { type FullPanel, startFullPanel } from '../fixture/fullPanel';
import { AUTHOR, type TestPanel } from '../fixture/panel';

describeOneEngine('The request line', (engine) => {
  let full: FullPanel;
  let panel: TestPanel;
  let token: string;

  beforeAll(async () => {
    const app = new Koa();
    app.use(async (ctx, next) => {
      await next();
      if (ctx.path === '/panel') ctx.body = 'the panel';
    });
    full = await startFullPanel(engine, app);
    ({ panel, token } = full);
  });

  const code = async (path: string, bearer?: string, init?: RequestInit) => {
    const { status, body } = await panel.get(path, bearer, init);
    return [status, body.error.code];
  };

  test.each(operations.map(({ name }) => name))(
    'answers %s.php with 200 to a token with every scope',
    async (name) => {
      const { status, body } = await panel.get(`/api/v1/${name}.php`, token);
      expect(status).toBe(200);
      expect(body).toMatchObject({ success: true, data: { resource: name } });
    },
  );

  test.each(operations.map(({ name, scope }) => [name, scope] as const))(
    'refuses %s.php to a token with every scope but %s',
    async (name, scope) => {
      const scopes = [...new Set(operations.map((operation) => operation.scope))].filter(
        (other) => other !== scope,
      );
      const limited = await panel.token({ scopes });
      const { status, body, headers } = await panel.get(`/api/v1/${name}.php`, limited);
      expect(status).toBe(403);
      expect(body).toMatchObject({
        success: false,
        message: `This token lacks the scope ${scope}. With profile.read, me.php shows what a token may do.`,
        error: { code: 'scope_missing', required_scope: scope },
      });
      expect(headers.get('www-authenticate')).toBe(
        `Bearer realm="panel-api", error="insufficient_scope", scope="${scope}"`,
      );
    },
  );

  test.each(operations.map(({ name, scope }) => [name, scope] as const))(
    'answers %s.php to a token with the scope %s alone',
    async (name, scope) => {
      const limited = await panel.token({ scopes: [scope] });
      expect((await panel.get(`/api/v1/${name}.php`, limited)).status).toBe(200);
    },
  );

  test('asks for a token if there is none, without an error attribute', async () => {
    const { status, body, headers } = await panel.get('/api/v1/me.php');
    expect([status, body.error.code]).toEqual([401, 'token_missing']);
    expect(headers.get('www-authenticate')).toBe('Bearer realm="panel-api"');
  });

  test('refuses a token that is not known', async () => {
    const { status, body, headers } = await panel.get('/api/v1/me.php', 'nonsense');
    expect([status, body.error.code]).toEqual([401, 'token_unknown']);
    expect(headers.get('www-authenticate')).toBe(
      'Bearer realm="panel-api", error="invalid_token", error_description="Unknown token."',
    );
  });

  test('refuses a token whose last character was changed', async () => {
    const other = token.slice(0, -1) + (token.endsWith('a') ? 'b' : 'a');
    expect(await code('/api/v1/me.php', other)).toEqual([401, 'token_unknown']);
  });

  test('refuses a token in other letter case', async () => {
    expect(await code('/api/v1/me.php', token.toUpperCase())).toEqual([401, 'token_unknown']);
  });

  test('refuses a token from the moment that it expires', async () => {
    const short = await panel.token({ expiresInSeconds: 1 });
    await new Promise((resolve) => setTimeout(resolve, 2000));
    expect(await code('/api/v1/me.php', short)).toEqual([401, 'token_expired']);
  });

  test('refuses a revoked token at the very next request', async () => {
    const { token: doomed, record } = await panel.api.tokens.create(
      { name: 'doomed', scopes: ['*'] },
      AUTHOR,
    );
    expect((await panel.get('/api/v1/me.php', doomed)).status).toBe(200);
    await panel.api.tokens.revoke(record.id, AUTHOR);
    expect(await code('/api/v1/me.php', doomed)).toEqual([401, 'token_revoked']);
  });

  test('accepts the scheme in any letter case', async () => {
    const headers = { Authorization: `bEARER ${token}` };
    expect((await panel.get('/api/v1/me.php', undefined, { headers })).status).toBe(200);
  });

  test.each(['Basic dXNlcjpwYXNz', 'Bearer', 'Bearer ', 'Token abc', ''])(
    'finds no token in the Authorization header %j',
    async (Authorization) => {
      expect(await code('/api/v1/me.php', undefined, { headers: { Authorization } })).toEqual([
        401,
        'token_missing',
      ]);
    },
  );

  test('refuses two Authorization headers, whatever their values', async () => {
    const status = await new Promise((resolve, reject) => {
      const request = http.request(`${panel.url}/api/v1/me.php`, (response) => {
        response.resume();
        resolve(response.statusCode);
      });
      request.on('error', reject);
      request.setHeader('Authorization', [`Bearer ${token}`, `Bearer ${token}`]);
      request.end();
    });
    expect(status).toBe(401);
  });

  test.each(['token', 'access_token', 'api_key'])(
    'never takes a token from the query as %s',
    async (name) => {
      expect(await code(`/api/v1/me.php?${name}=${token}`)).toEqual([401, 'token_missing']);
    },
  );

  test.each(['?limit', '?x=1&x=2', '?__proto__=1', '?a[b]=1', '?%00=1'])(
    'names the query parameter of %s, which it does not have',
    async (query) => {
      const { status, body } = await panel.get(`/api/v1/domains.php${query}`, token);
      expect([status, body.error.code]).toEqual([400, 'query_invalid']);
      expect(body.error.parameter).not.toBe('');
    },
  );

  test.each([
    '/api/v1',
    '/api/v1/',
    '/api/v1/nope.php',
    '/api/v1/me.php/',
    '/api/v1/ME.php',
    '/api/v1/a/b/c',
  ])('answers 404 at %s with a token, and 401 without one', async (path) => {
    expect(await code(path, token)).toEqual([404, 'not_found']);
    expect(await code(path)).toEqual([401, 'token_missing']);
  });

  test.each(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND'])(
    'answers %s with 405 and the methods that are allowed',
    async (method) => {
      const { status, headers } = await panel.get('/api/v1/domains.php', token, { method });
      expect([status, headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    },
  );

  test('answers HEAD as GET without the body', async () => {
    const got = await panel.get('/api/v1/domains.php', token);
    const head = await panel.get('/api/v1/domains.php', token, { method: 'HEAD' });
    expect([head.status, head.text]).toEqual([200, '']);
    expect(head.headers.get('content-length')).toBe(got.headers.get('content-length'));
  });

  test('answers 304 without a body if the client has the data already', async () => {
    const { headers } = await panel.get('/api/v1/domains.php', token);
    const etag = headers.get('etag') ?? '';
    expect(etag).toMatch(/^W\/"[\w-]{43}"$/);
    for (const named of [etag, etag.slice(2), `"other", ${etag}`, '*']) {
      const init = { headers: { 'If-None-Match': named } };
      const { status, text, headers } = await panel.get('/api/v1/domains.php', token, init);
      expect([named, status, text, headers.get('etag')]).toEqual([named, 304, '', etag]);
    }
  });

  test('answers 200 if the client has other data, and refuses a request whatever data it has', async () => {
    const { headers } = await panel.get('/api/v1/domains.php', token);
    const other = { headers: { 'If-None-Match': 'W/"other"' } };
    expect((await panel.get('/api/v1/domains.php', token, other)).status).toBe(200);
    const refused = await panel.get('/api/v1/domains.php', undefined, { headers: { 'If-None-Match': '*' } });
    expect([refused.status, refused.headers.get('etag')]).toEqual([401, null]);
    expect(headers.get('etag')).not.toBe(
      (await panel.get('/api/v1/websites.php', token)).headers.get('etag'),
    );
  });

  test("does not affect the panel's own routes", async () => {
    const response = await fetch(`${panel.url}/panel`);
    expect([response.status, await response.text()]).toEqual([200, 'the panel']);
    expect((await fetch(`${panel.url}/api/v10/me.php`)).status).toBe(404);
    expect(response.headers.get('x-request-id')).toBeNull();
  });

  test('sends back the id of the request, or one of its own if that is not valid', async () => {
    const given = await panel.get('/api/v1/me.php', token, { headers: { 'X-Request-Id': 'abc.1-2_3' } });
    const strange = await panel.get('/api/v1/me.php', token, { headers: { 'X-Request-Id': 'a b<c>' } });
    expect(given.headers.get('x-request-id')).toBe('abc.1-2_3');
    expect(strange.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  });

  test('forbids caches to keep any answer', async () => {
    const answers = [await panel.get('/api/v1/me.php', token), await panel.get('/api/v1/me.php')];
    expect(answers.map(({ headers }) => headers.get('cache-control'))).toEqual(['no-store', 'no-store']);
  });

  test('writes every time with whole seconds and the offset +00:00', async () => {
    const { body } = await panel.get('/api/v1/domains.php', token);
    expect(body.timestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/);
    expect(body.data.items[0].created_at).toBe('2026-06-12T00:00:00+00:00');
  });
});
