import type { RequestListener } from 'node:http';
import { inspect } from 'node:util';
import { type ClientOptions, createClient, PanelApiError } from '../../client';
import { answer, failure as failed, ME, startServer, TOKEN } from '../fixture/clientServer';
import '../fixture/tryAgain';

const limited = (seconds: string) =>
  answer(
    429,
    {
      success: false,
      message: 'Too many requests.',
      error: { code: 'rate_limited', retry_after: Number(seconds) },
    },
    { 'Retry-After': seconds },
  );

const failure = failed<PanelApiError>;

describe('After 429, the client', () => {
  test('waits for Retry-After and asks again', async () => {
    const { client, urls } = await startServer(limited('1'), answer(200, ME));
    const start = performance.now();
    expect(await client().me()).toEqual({ ...ME.data, etag: null });
    expect(performance.now() - start).toBeGreaterThan(950);
    expect(urls).toHaveLength(2);
  });

  test.each<[string, number | null, Record<string, string>]>([
    ['a header that a browser hides', 1, {}],
    ['another header', 1, { 'Retry-After': '3000' }],
    ['no number', null, { 'Retry-After': '1' }],
  ])('reads the seconds from the body, or else from the header, with %s', async (_what, seconds, headers) => {
    const error = { code: 'rate_limited', retry_after: seconds };
    const refusal = answer(429, { success: false, message: 'Too many requests.', error }, headers);
    const { client, urls } = await startServer(refusal, answer(200, ME));
    const start = performance.now();
    expect(await client().me()).toMatchObject(ME.data);
    expect(performance.now() - start).toBeGreaterThan(950);
    expect(urls).toHaveLength(2);
  });

  test('waits as the header of a proxy says', async () => {
    const { client, urls } = await startServer(
      answer(429, '<html>', { 'Retry-After': '0' }),
      answer(200, ME),
    );
    expect(await client().me()).toMatchObject(ME.data);
    expect(urls).toHaveLength(2);
  });

  test.each(['<html>', '{"error":{"retry_after":-1}}', '{"error":null}'])(
    'fails at once if nothing says how long: %s',
    async (body) => {
      const { client, urls } = await startServer(answer(429, body));
      expect((await failure(client().me())).status).toBe(429);
      expect(urls).toHaveLength(1);
    },
  );

  test('waits only once', async () => {
    const { client, urls } = await startServer(limited('0'));
    expect((await failure(client().me())).code).toBe('rate_limited');
    expect(urls).toHaveLength(2);
  });

  test.each([
    ['it would wait longer than it may', '61', {}],
    ['it may not wait', '1', { maxWaitSeconds: 0 }],
    ['Retry-After is a date', 'Wed, 12 Jun 2999 00:00:00 GMT', {}],
  ])('fails at once if %s', async (_when, seconds, options) => {
    const { client, urls } = await startServer(limited(seconds));
    const { code, details } = await failure(client(options).me());
    expect([code, typeof details.retry_after]).toEqual([
      'rate_limited',
      seconds.length > 5 ? 'undefined' : 'number',
    ]);
    expect(urls).toHaveLength(1);
  });

  test('ends its wait when the call is aborted', async () => {
    const abort = new AbortController();
    const { client, urls } = await startServer((request, response) => {
      limited('30')(request, response);
      setTimeout(() => abort.abort(new Error('enough')), 100);
    });
    const call = failure(client().me({ signal: abort.signal }));
    expect((await call).message).toBe('enough');
    expect(urls).toHaveLength(1);
  });
});

test('A 503 is not sent again', async () => {
  const body = {
    success: false,
    message: 'The API is switched off on this server.',
    error: { code: 'api_disabled' },
  };
  const { client, urls } = await startServer(answer(503, body, { 'Retry-After': '0' }));
  expect((await failure(client().me())).code).toBe('api_disabled');
  expect(urls).toHaveLength(1);
});

describe('An answer in another form', () => {
  test.each([
    ['the error page of a proxy', 502, '<html>secret-canary</html>'],
    ['a text', 200, '"secret-canary"'],
    ['null', 200, 'null'],
    ['JSON that is cut off', 200, '{"success":true,"data":{"resource":"me","secret-canary'],
    ['an object without data', 200, '{"success":true,"secret-canary":1}'],
    ['a success with the status of a failure', 500, ME],
    ['an array', 404, '["secret-canary"]'],
  ])('is an error without its text: %s', async (_what, status, body) => {
    const { client } = await startServer(answer(status, body));
    const error = await failure(client().me());
    expect(error).toBeInstanceOf(PanelApiError);
    expect({ ...error, message: error.message }).toEqual({
      name: 'PanelApiError',
      message: 'The answer is not in the form of the API.',
      code: null,
      status,
      details: {},
      requestId: null,
    });
    expect(inspect(error, { depth: 9, showHidden: true })).not.toContain('canary');
  });
});

describe('A call', () => {
  const silent: RequestListener = () => {};

  test('ends after the timeout, also in the middle of the answer', async () => {
    const half: RequestListener = (_request, response) => response.writeHead(200).write('{"success":');
    for (const listener of [silent, half]) {
      const { client } = await startServer(listener);
      expect((await failure(client({ timeoutSeconds: 0.1 }).me())).name).toBe('TimeoutError');
    }
  });

  test.each([
    ['an object', (client: ReturnType<typeof createClient>, signal: AbortSignal) => client.me({ signal })],
    ['a page', (client, signal) => client.jobs.page({}, { signal })],
    ['an item', (client, signal) => client.jobs.get(1, { signal })],
    ['a list', (client, signal) => client.jobs({}, { signal }).next()],
  ])('for %s ends with the reason of its signal', async (_what, call) => {
    const { client } = await startServer(silent);
    const abort = new AbortController();
    const called = failure(call(client(), abort.signal));
    setTimeout(() => abort.abort(new Error('enough')), 50);
    expect((await called).message).toBe('enough');
  });

  test('passes the failure of the network on as it is', async () => {
    const failed = new TypeError('fetch failed');
    const client = createClient({
      baseUrl: 'https://panel.example',
      token: TOKEN,
      fetch: () => Promise.reject(failed),
    });
    expect(await failure(client.me())).toBe(failed);
  });
});

describe('The token', () => {
  test('is sent in the header alone', async () => {
    const seen: (string | undefined)[] = [];
    const { client, urls } = await startServer((request, response) => {
      seen.push(request.headers.authorization);
      answer(200, ME)(request, response);
    });
    await client().me();
    expect(seen).toEqual([`Bearer ${TOKEN}`]);
    expect(urls).toEqual(['/api/v1/me.php']);
  });

  test('does not follow a redirect', async () => {
    const other = await startServer(answer(200, ME));
    const { client } = await startServer(answer(302, '', { Location: `${other.url}/api/v1/me.php` }));
    const error = await failure(client().me());
    expect(error.name).toBe('TypeError');
    expect(other.urls).toEqual([]);
    expect(inspect(error, { depth: 9, showHidden: true })).not.toContain(TOKEN);
  });

  test('is shown by no inspection', async () => {
    const { client, url } = await startServer(answer(200, ME));
    expect(inspect(client(), { depth: 9, showHidden: true })).not.toContain(TOKEN);
    expect(JSON.stringify(client())).toBe('{}');
    expect(url).not.toContain(TOKEN);
  });

  test.each([`${TOKEN}\n`, `${TOKEN} x`, `${TOKEN}…`, ''])(
    'that cannot be sent is refused unseen',
    (token) => {
      expect(() => createClient({ baseUrl: 'https://panel.example', token })).toThrow(
        new TypeError('token must be a token of the panel, without spaces and line breaks.'),
      );
    },
  );
});

describe('The address', () => {
  test.each(['http://127.0.0.2:3000', 'http://[::1]', 'http://localhost', 'http://panel.localhost/hosting'])(
    '%s of this machine may be without HTTPS',
    (baseUrl) => {
      expect(() => createClient({ baseUrl, token: TOKEN })).not.toThrow();
    },
  );

  test.each(['http://panel.example', 'http://192.0.2.7', 'http://localhost.example', 'http://127.example'])(
    '%s of another machine is refused without HTTPS, unless an option allows it',
    (baseUrl) => {
      expect(() => createClient({ baseUrl, token: TOKEN })).toThrow(
        new TypeError(
          'baseUrl must begin with https://, because the network could read the token. The option allowHttp permits http://.',
        ),
      );
      expect(() => createClient({ baseUrl, token: TOKEN, allowHttp: true })).not.toThrow();
    },
  );

  test.each(['/', '/hosting', '/hosting//'])('may end with %s', async (end) => {
    const { client, url, urls } = await startServer(answer(200, ME));
    await client({ baseUrl: new URL(url + end) }).me();
    expect(urls).toEqual([`${end.replace(/\/+$/, '')}/api/v1/me.php`]);
  });

  test.each(['/api/v1', '/api/v1/', '/hosting/api/v1//'])('that ends with %s is refused', (end) => {
    expect(() => createClient({ baseUrl: `https://panel.example${end}`, token: TOKEN })).toThrow(
      new TypeError('baseUrl must be the address of the panel, without /api/v1.'),
    );
  });

  test.each([
    'panel.example',
    'ftp://panel.example',
    'https://user:secret-canary@panel.example',
    'https://panel.example/?a=secret-canary',
    'https://panel.example/#secret-canary',
  ])('%s is refused', (baseUrl) => {
    expect(() => createClient({ baseUrl, token: TOKEN })).toThrow(
      new TypeError('baseUrl must be an address such as https://panel.example, without a password or query.'),
    );
  });
});

describe('An option', () => {
  test.each([
    [{ timeoutSeconds: 0 }, 'timeoutSeconds must be a number above 0, at most 2147483.'],
    [{ timeoutSeconds: 2_147_484 }, 'timeoutSeconds must be a number above 0, at most 2147483.'],
    [{ timeoutSeconds: '5' }, 'timeoutSeconds must be a number above 0, at most 2147483.'],
    [{ maxWaitSeconds: -1 }, 'maxWaitSeconds must be a number from 0 to 2147483.'],
    [{ maxWaitSeconds: Number.NaN }, 'maxWaitSeconds must be a number from 0 to 2147483.'],
    [{ maxAnswerBytes: 0 }, 'maxAnswerBytes must be a whole number from 1 to 500000000.'],
    [{ maxAnswerBytes: 1.5 }, 'maxAnswerBytes must be a whole number from 1 to 500000000.'],
    [{ maxAnswerBytes: Infinity }, 'maxAnswerBytes must be a whole number from 1 to 500000000.'],
    [{ allowHttp: 'yes' }, 'allowHttp must be a boolean.'],
    [{ fetch: null }, 'fetch must be a function.'],
  ])('that is wrong is refused: %p', (options, sentence) => {
    const given = { baseUrl: 'https://panel.example', token: TOKEN, ...options } as ClientOptions;
    expect(() => createClient(given)).toThrow(new TypeError(sentence));
  });

  test('of another name is refused, and so is one of a call', async () => {
    const given = { baseUrl: 'https://panel.example', token: TOKEN, timeout: 5 } as ClientOptions;
    expect(() => createClient(given)).toThrow(
      new TypeError(
        'Unknown option timeout. The options can only be baseUrl, token, timeoutSeconds, maxWaitSeconds, maxAnswerBytes, allowHttp, fetch.',
      ),
    );
    const client = createClient({ baseUrl: 'https://panel.example', token: TOKEN });
    const misspelt = { sginal: AbortSignal.abort() } as object;
    const calls = [client.me(misspelt), client.jobs.page({}, misspelt), client.jobs.count({}, misspelt)];
    for (const call of calls)
      expect(await failure(call)).toEqual(
        new TypeError('Unknown option sginal. The options can only be signal, etag.'),
      );
    for (const call of [client.jobs.get(1, misspelt), client.jobs({}, misspelt).next()])
      expect(await failure(call)).toEqual(
        new TypeError('Unknown option sginal. The options can only be signal.'),
      );
  });
});
