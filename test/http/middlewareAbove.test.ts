import { once } from 'node:events';
import http2, { type ClientHttp2Session, type Http2ServerResponse } from 'node:http2';
import { PassThrough } from 'node:stream';
import { createGzip, gzipSync } from 'node:zlib';
import Koa, { type Middleware } from 'koa';
import { type BothProtocols, startBothProtocols } from '../fixture/bothProtocols';
import { freshDatabase } from '../fixture/databases';
import { startPanel, type TestPanel } from '../fixture/panel';
import { createLongTable } from '../fixture/streams/longTable';
import { until } from '../fixture/until';

const DOMAINS = '/api/v1/domains.php';
const SHORT = `${DOMAINS}?limit=20`;
const ROWS = 1500;

/** The headers that describe the content. */
const DESCRIBING = ['Content-Type', 'Content-Length', 'Content-Encoding', 'ETag', 'WWW-Authenticate'];

let panel: TestPanel;
let token: string;
let above: Middleware;
const errors: unknown[] = [];

beforeAll(async () => {
  const { knex } = await freshDatabase('sqlite');
  await createLongTable(knex, ROWS);
  const app = new Koa();
  app.on('error', (error) => errors.push(error));
  app.use((ctx, next) => above(ctx, next));
  panel = await startPanel({ db: knex, rateLimit: { requests: 10_000 } }, app);
  token = await panel.token();
});

beforeEach(() => {
  above = (_ctx, next) => next();
  errors.length = 0;
});

/** What a client notices of an answer. */
async function ask(path: string, { method = 'GET', headers = {}, bearer = token } = {}) {
  const response = await fetch(panel.url + path, {
    method,
    redirect: 'manual',
    headers: { Authorization: `Bearer ${bearer}`, ...headers },
  });
  const text = (await response.text()).replace(/"timestamp":"[^"]*"/, '');
  return {
    status: response.status,
    headers: DESCRIBING.map((name) => response.headers.get(name)),
    text,
  };
}

const wrappers: Readonly<Record<string, (ctx: Koa.ParameterizedContext) => unknown>> = {
  'puts the body into an object': (ctx) => {
    ctx.body = { data: ctx.body };
  },
  'puts the body into a text, with its own status, type and length': (ctx) => {
    ctx.status = 200;
    ctx.type = 'text/html';
    ctx.body = `<pre>${ctx.body}</pre>`;
    ctx.length = 11;
  },
  'puts the body into a buffer': (ctx) => {
    ctx.response.body = Buffer.from(`{"data":${ctx.response.body}}`);
  },
  'puts the body into a stream': (ctx) => {
    const stream = new PassThrough();
    stream.end(`{"data":${ctx.body}}`);
    ctx.body = stream;
  },
  'removes the body': (ctx) => {
    ctx.body = null;
  },
  'sends those who are refused to its login': (ctx) => {
    if (ctx.status >= 400) ctx.redirect('/login');
  },
  'throws errors for its own error page': (ctx) => {
    if (ctx.status >= 400) ctx.throw(ctx.status);
  },
  'throws nothing': () => {
    throw null;
  },
};

describe.each(Object.entries(wrappers))('A middleware above the mount that %s changes nothing', (_, wrap) => {
  test.each<[string, string, Parameters<typeof ask>[1]]>([
    ['of a short list', SHORT, {}],
    ['of a long list', DOMAINS, {}],
    ['of the head of a short list', SHORT, { method: 'HEAD' }],
    ['of the head of a long list', DOMAINS, { method: 'HEAD' }],
    ['of an answer to a client that has the data', SHORT, { headers: { 'If-None-Match': '*' } }],
    ['of a refusal', SHORT, { bearer: 'wrong' }],
    ['of the answer to an unknown path', '/api/v1/nothing', {}],
  ])('%s', async (_answer, path, init) => {
    const plain = await ask(path, init);
    above = async (ctx, next) => {
      await next();
      wrap(ctx);
    };
    expect(await ask(path, init)).toEqual(plain);
  });
});

test('A middleware above the mount that throws after the answer has its error reported', async () => {
  above = async (_ctx, next) => {
    await next();
    throw new Error("the panel's");
  };
  expect((await ask(SHORT)).status).toBe(200);
  expect(errors).toEqual([expect.objectContaining({ message: "the panel's" })]);
});

test("A middleware above the mount changes the panel's other answers", async () => {
  above = async (ctx, next) => {
    await next();
    ctx.body = { status: ctx.status };
  };
  const response = await fetch(`${panel.url}/other`);
  expect([response.status, await response.json()]).toEqual([200, { status: 404 }]);
});

describe('A middleware above the mount that throws after the answer to a request over HTTP/2', () => {
  let reset: boolean;
  let both: BothProtocols;
  let session: ClientHttp2Session;

  beforeEach(async () => {
    reset = false;
    const { knex } = await freshDatabase('sqlite');
    both = await startBothProtocols({ db: knex }, async (ctx, next) => {
      await next();
      const { stream } = ctx.res as unknown as Http2ServerResponse;
      if (reset) await until(() => stream.closed);
      throw new Error("the panel's");
    });
    session = http2.connect(`http://127.0.0.1:${both.http2Port}`);
  });

  afterEach(() => session.destroy());

  const send = (method: string) =>
    session.request({ ':path': DOMAINS, ':method': method }).on('error', () => undefined);

  test.each(['GET', 'HEAD'])('changes nothing of the answer to %s', async (method) => {
    const [headers] = await once(send(method).resume(), 'response');
    expect(headers[':status']).toBe(401);
  });

  test('harms nothing if the client has left', async () => {
    reset = true;
    const stream = send('GET');
    await until(() => both.reached() > 0);
    stream.close(http2.constants.NGHTTP2_CANCEL);
    await until(() => both.requestLines().length > 0);
    reset = false;
    const [headers] = await once(send('GET').resume(), 'response');
    expect(headers[':status']).toBe(401);
  });
});

describe('A middleware above the mount that compresses', () => {
  const gzipped: Readonly<Record<string, (ctx: Koa.ParameterizedContext) => void>> = {
    'with a stream, as koa-compress does': (ctx) => {
      const { body } = ctx;
      ctx.set('Content-Encoding', 'gzip');
      ctx.res.removeHeader('Content-Length');
      const stream = createGzip();
      ctx.body = stream;
      stream.end(body);
    },
    'at once, and then names the encoding': (ctx) => {
      ctx.body = gzipSync(ctx.body as Buffer);
      ctx.set('Content-Encoding', 'gzip');
    },
    'with a web stream': (ctx) => {
      const text = new Blob([ctx.body as Buffer<ArrayBuffer>]).stream();
      ctx.set('Content-Encoding', 'gzip');
      ctx.body = text.pipeThrough(new CompressionStream('gzip'));
    },
    'into a blob, and then names the encoding': (ctx) => {
      ctx.body = new Blob([gzipSync(ctx.body as Buffer)]);
      ctx.set('Content-Encoding', 'gzip');
    },
  };

  test.each(Object.entries(gzipped))('%s sends a short list in its encoding', async (_how, compress) => {
    const plain = await ask(SHORT);
    above = async (ctx, next) => {
      await next();
      compress(ctx);
    };
    const { status, headers, text } = await ask(SHORT);
    expect([status, headers[2], text]).toEqual([200, 'gzip', plain.text]);
  });

  test.each(Object.entries(gzipped))('%s may stand below one that wraps', async (_how, compress) => {
    const plain = await ask(SHORT);
    above = async (ctx, next) => {
      await next();
      compress(ctx);
      ctx.body = { data: ctx.body };
    };
    expect((await ask(SHORT)).text).toBe(plain.text);
  });

  test.each(Object.entries(gzipped))('%s may throw then', async (_how, compress) => {
    const plain = await ask(SHORT);
    above = async (ctx, next) => {
      await next();
      compress(ctx);
      throw new Error("the panel's");
    };
    expect((await ask(SHORT)).text).toBe(plain.text);
  });

  test.each(Object.entries(gzipped))(
    '%s leaves the bytes before the encoding in the log',
    async (_how, compress) => {
      above = async (ctx, next) => {
        await next();
        compress(ctx);
      };
      const before = (await panel.requestLines(0)).length;
      const response = await fetch(panel.url + SHORT, { headers: { Authorization: `Bearer ${token}` } });
      const bytes = Buffer.byteLength(await response.text());
      expect((await panel.requestLines(before + 1)).at(-1)?.fields.bytes).toBe(bytes);
    },
  );
});

test('A middleware above the mount adds headers to a short answer', async () => {
  above = async (ctx, next) => {
    await next();
    ctx.set({ 'X-Response-Time': '1ms' });
    ctx.append('Vary', 'Accept-Encoding');
  };
  const { headers } = await panel.get(SHORT, token);
  expect([headers.get('X-Response-Time'), headers.get('Vary')]).toEqual(['1ms', 'Accept-Encoding']);
});

test.each<[how: string, between: (ctx: Koa.Context) => void]>([
  ['as it is', () => undefined],
  [
    'with its own handling of errors',
    (ctx) => {
      const { onerror } = ctx;
      ctx.onerror = (error) => onerror.call(ctx, error);
    },
  ],
])(
  'a request that is passed to the API again, %s, is answered once and fails nowhere',
  async (_how, between) => {
    above = async (ctx, next) => {
      await next();
      between(ctx as Koa.Context);
      await panel.api.routes()(ctx as never, async () => undefined);
    };
    expect((await ask(SHORT)).status).toBe(200);
    expect((await ask('/api/v1/unknown.php')).status).toBe(404);
    expect(errors).toEqual([]);
  },
);
