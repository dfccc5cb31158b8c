import type { RequestListener } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { gzipSync } from 'node:zlib';
import { createClient, type PanelApiError } from '../../client';
import { answer, failure, ME, startServer, TOKEN } from '../fixture/clientServer';

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

describe('After the headers of an answer, and with garbage collected, a call', () => {
  let collecting: NodeJS.Timeout;

  beforeEach(() => {
    collecting = setInterval(collectGarbage, 20);
  });

  afterEach(() => clearInterval(collecting));

  const half: RequestListener = (_request, response) => response.writeHead(200).write('{"success":');

  test('ends with its timeout, and so does its connection', async () => {
    const { client, connections } = await startServer(half);
    const error = await failure(client({ timeoutSeconds: 0.5 }).me());
    expect([error.name, error.message]).toEqual([
      'TimeoutError',
      'The request took longer than timeoutSeconds.',
    ]);
    await none(connections);
  });

  test('ends with the reason of its signal, and so does its connection', async () => {
    const abort = new AbortController();
    const { client, connections } = await startServer((request, response) => {
      half(request, response);
      setTimeout(() => abort.abort(new Error('enough')), 300);
    });
    const error = await failure(client().me({ signal: abort.signal }));
    expect(error.message).toBe('enough');
    await none(connections);
  });

  test('ends with a signal that is itself a timeout', async () => {
    const { client } = await startServer(half);
    const called = failure(client().domains.page({}, { signal: AbortSignal.timeout(300) }));
    expect((await called).name).toBe('TimeoutError');
  });
});

test('A call ends with its timeout, even if the function that sends it obeys no signal', async () => {
  const fetch = () => new Promise<never>(() => undefined);
  const client = createClient({ baseUrl: 'https://panel.example', token: TOKEN, timeoutSeconds: 0.1, fetch });
  expect((await failure(client.me())).name).toBe('TimeoutError');
});

test('A call whose signal has ended sends nothing', async () => {
  const { client, urls } = await startServer(answer(200, ME));
  const signal = AbortSignal.abort(new Error('enough'));
  expect((await failure(client().me({ signal }))).message).toBe('enough');
  expect(urls).toEqual([]);
});

test('A call leaves no listener at its signal', async () => {
  const { client } = await startServer(answer(200, ME));
  const { signal } = new AbortController();
  const added = jest.spyOn(signal, 'addEventListener');
  const removed = jest.spyOn(signal, 'removeEventListener');
  await client().me({ signal });
  expect(added.mock.calls.length).toBeGreaterThan(0);
  expect(removed.mock.calls).toEqual(added.mock.calls);
});

describe('An answer', () => {
  const text = JSON.stringify({ ...ME, message: 'Zähler 😀' });
  const bytes = Buffer.byteLength(text);
  const compressed: RequestListener = (_request, response) => {
    response.writeHead(200, { 'Content-Encoding': 'gzip' }).end(gzipSync(text.padEnd(100_000)));
  };

  test('may have as many bytes as the client accepts', async () => {
    const { client } = await startServer(answer(200, text));
    expect(await client({ maxAnswerBytes: bytes }).me()).toEqual({ ...ME.data, etag: null });
  });

  test.each([
    ['with one byte more', answer(200, text), bytes - 1],
    ['that was compressed', compressed, 99_000],
    ['of an error', answer(502, '<html>'.repeat(1000)), 1000],
  ])('%s than the client accepts is an error', async (_what, listener, maxAnswerBytes) => {
    const { client } = await startServer(listener);
    const error = await failure<PanelApiError>(client({ maxAnswerBytes }).me());
    expect([error.name, error.code, error.message]).toEqual([
      'PanelApiError',
      null,
      'The answer has more bytes than the option maxAnswerBytes allows.',
    ]);
  });

  test('without an end is given up after 64 MiB, and its connection ends', async () => {
    let pieces = 0;
    function* endless() {
      for (const piece = Buffer.alloc(2 ** 20, ' '); ; pieces += 1) yield piece;
    }
    const { client, connections } = await startServer((_request, response) => {
      pipeline(Readable.from(endless()), response).catch(() => undefined);
    });
    expect((await failure(client().me())).message).toContain('maxAnswerBytes');
    expect(pieces).toBeGreaterThanOrEqual(64);
    await none(connections);
  });

  test('in pieces that divide a character is read whole', async () => {
    const all = Buffer.from(JSON.stringify({ ...ME, data: { text: 'Zähler 😀' } }));
    const { client } = await startServer(async (_request, response) => {
      for (const byte of all) {
        response.write(Buffer.of(byte));
        await new Promise(setImmediate);
      }
      response.end();
    });
    expect(await client().me()).toEqual({ text: 'Zähler 😀', etag: null });
  });

  test('of a function without streams is read too', async () => {
    const fetch = async () => ({ ok: true, status: 200, headers: new Headers(), text: async () => text });
    const client = createClient({
      baseUrl: 'https://panel.example',
      token: TOKEN,
      fetch: fetch as unknown as typeof globalThis.fetch,
    });
    expect(await client.me()).toEqual({ ...ME.data, etag: null });
  });
});

describe('A loop over a list', () => {
  const page = (next_cursor: unknown, items: unknown = []) =>
    answer(200, { ...ME, data: { resource: 'jobs', items, next_cursor } });

  test.each([
    ['the same cursor again', [page('a')], {}, 2],
    ['a cursor of an earlier page', [page('a'), page('b'), page('a')], {}, 3],
    ['the cursor that the loop began with', [page('a')], { cursor: 'a' }, 1],
  ])('fails if the panel sends %s', async (_what, pages, parameters, requests) => {
    const { client, urls } = await startServer(...pages);
    const error = await failure<PanelApiError>(client().jobs(parameters).next());
    expect([error.name, error.message]).toEqual([
      'PanelApiError',
      'The panel sent the same cursor again, so the list has no end.',
    ]);
    expect(urls).toHaveLength(requests);
  });

  test.each([
    ['items', page(null, {})],
    ['a cursor', page(7, [])],
  ])('fails if the panel sends something else as %s', async (_what, listener) => {
    const { client } = await startServer(listener);
    expect((await failure(client().jobs().next())).message).toBe('The answer is not in the form of the API.');
  });
});

describe('A loop over a list whose signal ends', () => {
  const page = (items: unknown[], next_cursor: string | null) =>
    answer(200, { ...ME, data: { resource: 'jobs', items, next_cursor } });

  test('rejects at the next item, also if that is already there', async () => {
    const { client, urls } = await startServer(page([{ id: 1 }, { id: 2 }], 'a'));
    const abort = new AbortController();
    const ids: unknown[] = [];
    const loop = (async () => {
      for await (const { id } of client().jobs({}, { signal: abort.signal })) {
        ids.push(id);
        abort.abort(new Error('enough'));
      }
    })();
    expect((await failure(loop)).message).toBe('enough');
    expect([ids, urls.length]).toEqual([[1], 1]);
  });

  test('ends as usual if no item is left', async () => {
    const { client } = await startServer(page([{ id: 1 }], null));
    const abort = new AbortController();
    for await (const _job of client().jobs({}, { signal: abort.signal })) abort.abort();
  });
});

describe('A 304', () => {
  const unchanged = answer(304, '');

  test('is null for a call with an ETag, which is sent', async () => {
    const seen: (string | undefined)[] = [];
    const { client } = await startServer((request, response) => {
      seen.push(request.headers['if-none-match']);
      unchanged(request, response);
    });
    expect(await client().me({ etag: 'W/"a"' })).toBeNull();
    expect(await client().jobs.page({}, { etag: 'W/"b"' })).toBeNull();
    expect(seen).toEqual(['W/"a"', 'W/"b"']);
  });

  test('is an error for any other call', async () => {
    const { client } = await startServer(unchanged);
    expect((await failure<PanelApiError>(client().me())).status).toBe(304);
    expect((await failure<PanelApiError>(client().me({ etag: null }))).status).toBe(304);
  });
});

async function none(connections: () => Promise<number>): Promise<void> {
  while ((await connections()) > 0) await sleep(10);
}
