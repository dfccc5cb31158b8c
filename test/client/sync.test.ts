import type { RequestListener } from 'node:http';
import { type CopyMeta, type Item, type PanelApiError, type Store, SuspiciousLoss } from '../../client';
import { answer, failure, startServer, TOKEN } from '../fixture/clientServer';
import '../fixture/tryAgain';

type Domain = Item<'domains'>;
type Server = Awaited<ReturnType<typeof startServer>>;

const domain = (id: number | string, name = `d${id}.example`) => ({ id, domain: name, status: 'active' });
const domains = (count: number) => Array.from({ length: count }, (_, index) => domain(index + 1));

const bodyOf = (items: readonly unknown[], resource = 'domains') =>
  `{"success":true,"message":"Loaded.","data":{"resource":"${resource}","items":${JSON.stringify(items)}},"timestamp":"x"}`;

/** Answers with this list, or 304 if the request has its tag. */
const list =
  (items: readonly unknown[], etag = ''): RequestListener =>
  (request, response) =>
    etag !== '' && request.headers['if-none-match'] === etag
      ? response.writeHead(304, { ETag: etag }).end()
      : answer(200, bodyOf(items), etag === '' ? {} : { ETag: etag })(request, response);

/** Runs `sync` of the domains, of which a store may have only some fields. */
const sync = (server: Server, store: unknown, options?: object, client = server.client()) =>
  client.sync('domains', store as Map<number | bigint, Domain>, options);

const counts = (created: number, changed: number, deleted: number, unchanged: number) => ({
  created,
  changed,
  deleted,
  unchanged,
  complete: true,
});

/** A Map that is a copy of these items, as a run has left it. */
async function copyOf(server: Server, store = new Map<unknown, unknown>()) {
  await sync(server, store);
  return store as Map<unknown, unknown> & { meta: CopyMeta };
}

describe('A run', () => {
  test('fills an empty Map, and then stores only what differs', async () => {
    const server = await startServer(
      list(domains(3)),
      list([domain(1), domain(2, 'other.example'), domain(4)]),
    );
    const store = new Map();
    expect(await sync(server, store)).toEqual(counts(3, 0, 0, 0));
    expect([...store.entries()]).toEqual(domains(3).map((item) => [item.id, item]));
    const put = jest.spyOn(store, 'set');
    expect(await sync(server, store)).toEqual(counts(1, 1, 1, 1));
    expect(put.mock.calls.map(([id]) => id)).toEqual([2, 4]);
    expect(new Map(store)).toEqual(
      new Map([
        [1, domain(1)],
        [2, domain(2, 'other.example')],
        [4, domain(4)],
      ]),
    );
  });

  test('asks for the whole list', async () => {
    const server = await startServer(list([]));
    expect(await sync(server, new Map())).toEqual(counts(0, 0, 0, 0));
    expect(server.urls).toEqual(['/api/v1/domains.php']);
  });

  test('takes an id that was given to another row as changed', async () => {
    const server = await startServer(list([domain(1, 'first.example')]), list([domain(1, 'second.example')]));
    const store = await copyOf(server);
    expect(await sync(server, store)).toEqual(counts(0, 1, 0, 0));
    expect(store.get(1)).toEqual(domain(1, 'second.example'));
  });

  test('finds no difference in another order of members', async () => {
    const [one, other] = ['{"id":1,"a":{"b":1,"c":[1,2]}}', '{"a":{"c":[1,2],"b":1},"id":1}'].map((text) =>
      JSON.parse(text),
    );
    const server = await startServer(list([one]), list([other]));
    expect(await sync(server, await copyOf(server))).toEqual(counts(0, 0, 0, 1));
  });

  test.each([
    ['a number', 1, '1'],
    ['null', null, undefined],
    ['an array', [1], { 0: 1 }],
    ['a longer array', [1, 2], [1]],
    ['other members', { a: 1 }, { b: 1 }],
  ])('finds a difference: %s', async (_what, before, after) => {
    const server = await startServer(list([{ id: 1, value: before }]), list([{ id: 1, value: after }]));
    expect(await sync(server, await copyOf(server))).toEqual(counts(0, 1, 0, 0));
  });

  test('keeps all digits of a whole number, also of a key', async () => {
    const long = bodyOf([]).replace('[]', '[{"id":9007199254740993,"disk_used_bytes":9007199254740995}]');
    const server = await startServer(answer(200, long));
    const store = await copyOf(server);
    expect(store.get(9007199254740993n)).toEqual({
      id: 9007199254740993n,
      disk_used_bytes: 9007199254740995n,
    });
    expect(await sync(server, store)).toEqual(counts(0, 0, 0, 1));
  });

  test('reads a list of text keys', async () => {
    const settings = [{ key: 'a,b' }, { key: '' }, { key: '__proto__' }];
    const server = await startServer(answer(200, bodyOf(settings, 'settings')));
    const store = new Map();
    expect(await server.client().sync('settings', store)).toEqual(counts(3, 0, 0, 0));
    expect([...store.keys()]).toEqual(['a,b', '', '__proto__']);
    expect(await server.client().sync('settings', store)).toEqual(counts(0, 0, 0, 3));
  });

  test('copies the rows of filters, and the named fields', async () => {
    const server = await startServer(list(domains(1)));
    const filters = { status: ['active', 'a,b'], account_id: 7, created_at_since: new Date(0) };
    await sync(server, new Map(), { filters, fields: ['domain'] });
    expect(decodeURIComponent(server.urls[0] ?? '')).toBe(
      '/api/v1/domains.php?account_id=7&created_at_since=1970-01-01T00:00:00.000Z&fields=domain&status=active,"a,b"',
    );
  });
});

describe('The tag of a list', () => {
  test('is sent with the next request: if nothing has changed, the answer has no body', async () => {
    const server = await startServer(list(domains(3), 'W/"1"'));
    const store = await copyOf(server);
    expect(store.meta).toEqual({
      source: `${server.url}/api/v1/domains.php`,
      etag: 'W/"1"',
      at: expect.stringMatching(/^\d{4}-.*Z$/),
      rows: 3,
    });
    const { at } = store.meta;
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(await sync(server, store)).toEqual(counts(0, 0, 0, 3));
    expect(store.meta.at).not.toBe(at);
    expect(store.meta.etag).toBe('W/"1"');
  });

  test('is not sent if the store has another number of items than the copy', async () => {
    const server = await startServer(list(domains(3), 'W/"1"'));
    const store = await copyOf(server);
    store.clear();
    expect(await sync(server, store)).toEqual(counts(3, 0, 0, 0));
  });

  test('is not taken for that of a list without one', async () => {
    const server = await startServer(list(domains(3), 'W/"1"'), list(domains(3)));
    const store = await copyOf(server);
    await sync(server, store);
    expect(store.meta.etag).toBeNull();
  });

  test('does not vouch for a copy whose changes were not all stored', async () => {
    const old = domains(3);
    const server = await startServer(
      list(old, 'W/"1"'),
      list([domain(1, 'x'), domain(2)], 'W/"2"'),
      list(old, 'W/"1"'),
    );
    const store = await copyOf(server);
    jest.spyOn(store, 'delete').mockImplementationOnce(() => {
      throw new Error('The disk is full.');
    });
    expect((await failure(sync(server, store))).message).toBe('The disk is full.');
    expect(store.meta).toMatchObject({ etag: null, at: null });
    // The list is again as it was before the failed run.
    expect(await sync(server, store)).toEqual(counts(0, 1, 0, 2));
    expect(store.get(1)).toEqual(domain(1));
  });
});

describe('A list in pieces', () => {
  const hostile = [
    { id: 1, domain: 'a"]}\\', note: '},{"items":[' },
    { id: 2, domain: 'é-漢字-🐘', note: null, deep: { list: [[], {}, ['\\"']] } },
    { id: 3, domain: '\\\\' },
    { id: 4, domain: '' },
  ];

  test.each([1, 2, 3, 5, 7, 1000])('of %i bytes is the same', async (size) => {
    const spaced = bodyOf(hostile)
      .replace('"items":[', '"items" :\n [ ')
      .replace(']},"timestamp', ' ] } ,"timestamp');
    const bytes = Buffer.from(spaced);
    const server = await startServer((_request, response) => {
      for (let start = 0; start < bytes.length; start += size)
        response.write(bytes.subarray(start, start + size));
      response.end();
    });
    // Each piece arrives alone.
    const pieces: typeof fetch = async (...given) => {
      const body = new Uint8Array(await (await fetch(...given)).arrayBuffer());
      let start = 0;
      return new Response(
        new ReadableStream({
          pull(controller) {
            if (start >= body.length) return controller.close();
            controller.enqueue(body.subarray(start, start + size));
            start += size;
          },
        }),
      );
    };
    const store = new Map();
    expect(await sync(server, store, {}, server.client({ fetch: pieces }))).toEqual(counts(4, 0, 0, 0));
    expect([...store.values()]).toEqual(hostile);
  });

  test('may be longer than maxAnswerBytes, but an item that goes over several pieces may not', async () => {
    const server = await startServer(list(domains(200)), list([domain(1, 'x'.repeat(2_000_000))]));
    const client = server.client({ maxAnswerBytes: 2000 });
    const store = new Map();
    expect(await sync(server, store, {}, client)).toEqual(counts(200, 0, 0, 0));
    expect((await failure(sync(server, new Map(), {}, client))).name).toBe('PanelApiError');
  });

  // In quadratic time, each takes longer than the limit; in linear time, less than a second.
  test.each<[string, string, number]>([
    ['an item', bodyOf([domain(1, 'x'.repeat(16_000_000))]), 1],
    [
      'an item of many texts',
      bodyOf([{ id: 1, names: Array.from({ length: 1_000_000 }, () => '\\"x\\') }]),
      1,
    ],
    ['no list', `{"success":true,"message":"${'x'.repeat(16_000_000)}"}`, 0],
  ])(
    'is read in linear time: %s',
    async (_what, body, created) => {
      const server = await startServer(answer(200, body));
      const run = sync(server, new Map());
      if (created > 0) expect(await run).toEqual(counts(1, 0, 0, 0));
      else expect((await failure(run)).name).toBe('PanelApiError');
    },
    15_000,
  );

  test('may have an item that ends behind many others, at the end of the answer', async () => {
    const items = [domain(1), domain(2, 'x'.repeat(5000)), domain(3), domain(4, 'x'.repeat(9000))];
    const server = await startServer(list(items));
    const store = new Map();
    expect(await sync(server, store, {}, server.client({ maxAnswerBytes: 10_000 }))).toEqual(
      counts(4, 0, 0, 0),
    );
    expect([...store.values()]).toEqual(items);
  });

  test('may take longer than timeoutSeconds, but no piece may', async () => {
    const body = bodyOf(domains(9));
    const dribble: RequestListener = async (_request, response) => {
      for (let start = 0; start < body.length; start += 100) {
        response.write(body.slice(start, start + 100));
        await new Promise((resolve) => setTimeout(resolve, 150));
      }
      response.end();
    };
    const stall: RequestListener = (_request, response) => response.write(body.slice(0, 100));
    const server = await startServer(dribble, stall);
    const client = server.client({ timeoutSeconds: 0.5 });
    expect(body.length).toBeGreaterThan(500);
    expect(await sync(server, new Map(), {}, client)).toEqual(counts(9, 0, 0, 0));
    expect((await failure(sync(server, new Map(), {}, client))).name).toBe('TimeoutError');
  });
});

/** Runs against an answer that is no whole list: the copy of twelve rows must be as it was, and the next run complete. */
async function expectUntouched(broken: RequestListener, options?: object): Promise<Error> {
  const server = await startServer(list(domains(12), 'W/"1"'), broken, list(domains(11)));
  const store = await copyOf(server);
  const before = [structuredClone([...store]), store.meta];
  const error = await failure(sync(server, store, options));
  expect([[...store], store.meta]).toEqual(before);
  expect(await sync(server, store)).toEqual(counts(0, 0, 1, 11));
  return error;
}

describe('Nothing of the copy changes if', () => {
  const half = [domain(1, 'changed.example'), domain(2), domain(99)];
  const body = bodyOf(half);

  test('the answer ends early, wherever', async () => {
    for (let length = body.length - 1; length >= 0; length -= 3)
      expect(await expectUntouched(answer(200, body.slice(0, length)))).toMatchObject({
        name: 'PanelApiError',
        message: 'The answer is not in the form of the API.',
      });
  });

  test('the connection breaks, wherever', async () => {
    for (let length = 0; length < body.length; length += 20)
      await expectUntouched((_request, response) => {
        response.writeHead(200, { 'Content-Length': body.length });
        response.write(body.slice(0, length), () => setTimeout(() => response.destroy(), 10));
      });
  });

  test('the connection closes without an error in the middle of an answer without a length', async () => {
    const error = await expectUntouched((_request, { socket }) => {
      socket?.end(`HTTP/1.0 200 OK\r\n\r\n${body.slice(0, -40)}`);
    });
    expect(error.name).toBe('PanelApiError');
  });

  test.each<[string, string]>([
    ['a page of a proxy', '<html>items</html>'],
    ['an empty answer', ''],
    ['the list of mailboxes', bodyOf(half, 'email')],
    ['a page', body.replace(']}', '],"next_cursor":null}')],
    ['figures', bodyOf([]).replace('}', ',"total":12}')],
    ['no items', '{"success":true,"message":"","data":{"resource":"domains"}}'],
    ['items that are none', body.replace(/\[.*\]/, '"many"')],
    ['items elsewhere', `{"items":[{"id":1}],${bodyOf([]).slice(1)}`],
    ['items twice', body.replace('"items":[', '"items":[{"id":5}],"items":[')],
    ['a text behind the end', `${body}<!-- cached -->`],
    ['two answers', body + body],
    ['a missing comma', body.replace('},{', '} {')],
    ['a comma too many', body.replace('},{', '},,{')],
    ['a comma at the beginning', body.replace('[{', '[,{')],
    ['a comma at the end', body.replace('}]', '},]')],
    ['a number behind an item', body.replace('},{', '}.5,{')],
    ['an exponent behind an item', body.replace('}]', '}e5]')],
    ['a wrong bracket', body.replace('}]', '}}')],
    ['an item without a key', bodyOf([...half, { domain: 'x' }])],
    ['an item that is none', bodyOf([...half, 5])],
    ['two items of one key', bodyOf([...half, domain(2)])],
    ['two new items of one key', bodyOf([...half, domain(99)])],
    ['a success of another kind', body.replace('true', '"true"')],
  ])('the answer is %s', async (_what, text) => {
    const error = await expectUntouched(answer(200, text));
    expect([error.name, error.message]).toEqual([
      'PanelApiError',
      'The answer is not in the form of the API.',
    ]);
  });

  test.each<[string, Buffer]>([
    ['in an item', Buffer.from(body.replace('d2', '\xff'), 'latin1')],
    ['at its end', Buffer.concat([Buffer.from(body), Buffer.from([0xf0, 0x9f])])],
  ])('the answer has bytes that are no text: %s', async (_where, bytes) => {
    const error = await expectUntouched((_request, response) => response.end(bytes));
    expect([error.name, error.message]).toEqual([
      'PanelApiError',
      'The answer is not in the form of the API.',
    ]);
  });

  test.each([
    [401, 'token_revoked'],
    [403, 'scope_missing'],
    [503, 'unavailable'],
    [200, 'unavailable'],
  ])('the API refuses with %i %s', async (status, code) => {
    const refusal = { success: false, message: 'No.', error: { code } };
    expect(await expectUntouched(answer(status, refusal))).toMatchObject({ status, code });
  });

  test('the answer is 304 for another tag than the one that was sent', async () => {
    const server = await startServer((_request, response) => response.writeHead(304).end());
    const error = await failure<PanelApiError>(sync(server, new Map()));
    expect([error.name, error.status]).toEqual(['PanelApiError', 304]);
  });

  test('the call is aborted in the middle', async () => {
    const abort = new AbortController();
    const error = await expectUntouched(
      (_request, response) => {
        response.write(body.slice(0, -20));
        setTimeout(() => abort.abort(new Error('enough')), 50);
      },
      { signal: abort.signal },
    );
    expect(error.message).toBe('enough');
  });
});

describe('A list that has lost more than half of its rows', () => {
  test.each([
    [12, 0],
    [12, 5],
    [10, 4],
  ])('is suspicious: %i rows, then %i', async (before, after) => {
    const server = await startServer(list(domains(before)), list(domains(after)));
    const store = await copyOf(server);
    const error = await failure<SuspiciousLoss>(sync(server, store));
    expect(error).toBeInstanceOf(SuspiciousLoss);
    expect({ ...error }).toEqual({ name: 'SuspiciousLoss', rows: before, lost: before - after });
    expect(error.message).toBe(
      `${before - after} of ${before} rows are gone. If that is right, call sync with allowLoss: true.`,
    );
    expect(store.size).toBe(before);
    expect(await sync(server, store, { allowLoss: true })).toEqual(counts(0, 0, before - after, after));
    expect(store.size).toBe(after);
  });

  test.each([
    [9, 0],
    [12, 6],
  ])('is not, with %i rows and then %i', async (before, after) => {
    const server = await startServer(list(domains(before)), list(domains(after)));
    expect(await sync(server, await copyOf(server))).toEqual(counts(0, 0, before - after, after));
  });

  test('is suspicious too if it has other rows instead', async () => {
    const server = await startServer(list(domains(12)), list(domains(19).slice(7)));
    const store = await copyOf(server);
    expect(await failure(sync(server, store))).toMatchObject({ rows: 12, lost: 7 });
    expect(store.size).toBe(12);
  });
});

describe('After a refusal', () => {
  const refused = (status: number, headers: Record<string, string>) =>
    answer(status, { success: false, message: 'Wait.', error: { code: 'unavailable' } }, headers);

  test.each([429, 503])('%i with Retry-After, a run waits once', async (status) => {
    const server = await startServer(refused(status, { 'Retry-After': '1' }), list(domains(2)));
    const start = performance.now();
    expect(await sync(server, new Map())).toEqual(counts(2, 0, 0, 0));
    expect(performance.now() - start).toBeGreaterThan(950);
    expect(server.urls).toHaveLength(2);
    const again = await startServer(refused(status, { 'Retry-After': '0' }));
    expect(await failure(sync(again, new Map()))).toMatchObject({ status });
    expect(again.urls).toHaveLength(2);
  });

  test('a run waits until a date', async () => {
    const soon = new Date(Date.now() + 2000).toUTCString();
    const server = await startServer(refused(503, { 'Retry-After': soon }), list(domains(2)));
    expect(await sync(server, new Map())).toEqual(counts(2, 0, 0, 0));
  });

  test('503 without it, or with too long a time, a run ends', async () => {
    const late = new Date(Date.now() + 90_000).toUTCString();
    for (const headers of [{}, ...['61', '', 'soon 1', late].map((time) => ({ 'Retry-After': time }))]) {
      const server = await startServer(refused(503, headers as Record<string, string>));
      expect(await failure(sync(server, new Map()))).toMatchObject({ status: 503 });
      expect(server.urls).toHaveLength(1);
    }
  });
});

describe('A store', () => {
  test('of a different list, filter or panel is refused, and one with items of its own', async () => {
    const server = await startServer(list(domains(2)));
    const other = await startServer(list(domains(2)));
    const store = new Map();
    const filters = { account_id: 7, status: 'active' };
    await sync(server, store, { filters });
    const refused = [
      () => sync(server, store),
      () => sync(server, store, { filters: { ...filters, account_id: 8 } }),
      () => sync(server, store, { filters, fields: ['domain'] }),
      () => sync(other, store, { filters }),
      () => server.client().sync('email', store, { filters: filters as object }),
      () => sync(server, new Map([[1, domain(1)]])),
    ];
    for (const run of refused) expect(await failure(run())).toMatchObject({ code: 'COPY_FOREIGN' });
    expect(store.size).toBe(2);
    const sameFilters = { status: 'active', account_id: 7 };
    expect(await sync(server, store, { filters: sameFilters })).toEqual(counts(0, 0, 0, 2));
  });

  test('is not used by two runs at once, of whichever client', async () => {
    const answers: (() => void)[] = [];
    const server = await startServer((request, response) => {
      answers.push(() => list(domains(2))(request, response));
    });
    const store = new Map();
    const first = sync(server, store);
    for (const client of [undefined, server.client()])
      expect(await failure(sync(server, store, {}, client))).toMatchObject({
        code: 'COPY_BUSY',
        message: 'Another run is bringing this copy up to date.',
      });
    while (answers.length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
    answers.pop()?.();
    expect(await first).toEqual(counts(2, 0, 0, 0));
    const failing = await startServer(answer(500, ''), list(domains(2)));
    const next = new Map();
    await failure(sync(failing, next));
    expect(await sync(failing, next)).toEqual(counts(2, 0, 0, 0));
  });

  /** A store as a program writes one over a database: each method waits. */
  function asyncStore(calls: string[] = []) {
    const items = new Map<unknown, Domain>();
    let meta: CopyMeta | null = null;
    const soon = () => new Promise((resolve) => setImmediate(resolve));
    const note = async (text: string) => {
      await soon();
      calls.push(text);
    };
    const store: Store<unknown, Domain> = {
      async get(key) {
        await soon();
        return items.get(key) ?? null;
      },
      async put(item, key) {
        await note(`put ${key}`);
        items.set(key, item);
      },
      async delete(key) {
        await note(`delete ${key}`);
        items.delete(key);
      },
      async *keys() {
        await soon();
        yield* items.keys();
      },
      getMeta: async () => meta,
      async putMeta(given) {
        await note(`meta ${given.etag}`);
        meta = given;
      },
    };
    return { store, items };
  }

  test('may be asynchronous: what the copy knows of itself comes last, and deletions behind all items', async () => {
    const server = await startServer(
      list(domains(3), '"1"'),
      list([domain(1), domain(3, 'x'), domain(4)], '"2"'),
    );
    const calls: string[] = [];
    const { store, items } = asyncStore(calls);
    expect(await sync(server, store)).toEqual(counts(3, 0, 0, 0));
    expect(await sync(server, store)).toEqual(counts(1, 1, 1, 1));
    expect(calls.slice(0, 5)).toEqual(['meta null', 'put 1', 'put 2', 'put 3', 'meta "1"']);
    expect(calls.slice(5)).toEqual(['meta null', 'put 3', 'put 4', 'delete 2', 'meta "2"']);
    expect([...items.keys()]).toEqual([1, 3, 4]);
  });

  test('that returns its keys as texts loses nothing', async () => {
    const server = await startServer(list(domains(3)));
    const { store, items } = asyncStore();
    await sync(server, store);
    const texts = {
      ...store,
      keys: () => [...items.keys()].map(String),
      get: (key: unknown) => store.get(Number(key)),
    };
    expect(await failure(sync(server, texts))).toMatchObject({ code: 'COPY_DAMAGED' });
    expect(items.size).toBe(3);
  });

  test('that has lost an item behind its key is damaged', async () => {
    const server = await startServer(list(domains(3)));
    const store = await copyOf(server);
    expect(await failure(sync(server, { ...mapStore(store), get: () => undefined }))).toMatchObject({
      code: 'COPY_DAMAGED',
    });
  });

  const mapStore = (map: Map<unknown, unknown> & { meta?: CopyMeta }) => ({
    get: (key: unknown) => map.get(key),
    put: (item: unknown, key: unknown) => void map.set(key, item),
    delete: (key: unknown) => map.delete(key),
    keys: () => map.keys(),
    getMeta: () => map.meta,
    putMeta: (meta: CopyMeta) => void Object.assign(map, { meta }),
  });

  test('with a transaction gets each item at once, and takes all back if the run fails', async () => {
    const map = new Map();
    const sizes: number[] = [];
    const put = (item: unknown, key: unknown) => {
      map.set(key, item);
      sizes.push(map.size);
    };
    const transaction = async <R>(work: () => Promise<R>) => {
      const before = [...map];
      try {
        return await work();
      } catch (error) {
        map.clear();
        for (const [key, item] of before) map.set(key, item);
        throw error;
      }
    };
    const store = { ...mapStore(map), put, transaction };
    const parts = bodyOf(domains(30)).split('},{');
    const broken: RequestListener = async (_request, response) => {
      for (const part of parts.slice(0, 20)) response.write(`${part}},{`);
      setTimeout(() => response.destroy(), 50);
    };
    const server = await startServer(list(domains(2)), broken, list(domains(30)));
    await sync(server, store);
    await failure(sync(server, store));
    expect([map.size, Math.max(...sizes)]).toEqual([2, 20]);
    expect(await sync(server, store)).toEqual(counts(28, 0, 0, 2));
  });

  test.each<[string, unknown]>([
    ['nothing', undefined],
    ['an array', []],
    ['a Set', new Set()],
    ['without keys', { get() {}, put() {}, delete() {} }],
  ])('that is none is refused: %s', async (_what, store) => {
    const server = await startServer(list([]));
    expect(await failure(sync(server, store))).toEqual(
      new TypeError('A store must be a Map, or have the methods get, put, delete and keys.'),
    );
    expect(server.urls).toEqual([]);
  });

  test.each(['getMeta', 'putMeta'])('without %s is refused if it has the other one', async (method) => {
    const server = await startServer(list([]));
    const store = { ...mapStore(new Map()), [method]: undefined };
    expect(await failure(sync(server, store))).toEqual(
      new TypeError('A store must have both getMeta and putMeta, or neither.'),
    );
    expect(server.urls).toEqual([]);
  });

  test('that is frozen is refused, because a run could not mark it', async () => {
    const server = await startServer(list([]));
    const error = await failure(sync(server, Object.freeze(mapStore(new Map()))));
    expect([error.name, error.message]).toEqual([
      'TypeError',
      expect.stringContaining('object is not extensible'),
    ]);
    expect(server.urls).toEqual([]);
  });

  test('with a transaction and no place for what the copy knows is refused', async () => {
    const server = await startServer(list([]));
    const store = { get() {}, put() {}, delete() {}, keys: () => [], transaction() {} };
    expect(await failure(sync(server, store))).toEqual(
      new TypeError('A store with transaction must have getMeta and putMeta.'),
    );
  });
});

describe('An argument of sync', () => {
  test.each(['domain', 'me', 'constructor', ''])('that is no list is refused: %s', async (name) => {
    const server = await startServer(list([]));
    expect(await failure(server.client().sync(name as 'domains', new Map()))).toEqual(
      new TypeError('The first argument of sync must be the name of a list.'),
    );
  });

  test('that is an unknown option is refused', async () => {
    const server = await startServer(list([]));
    expect(await failure(sync(server, new Map(), { account_id: 7 }))).toEqual(
      new TypeError('Unknown option account_id. The options can only be filters, fields, allowLoss, signal.'),
    );
  });

  test.each([
    { limit: 100 },
    { cursor: 'x' },
    { order: 'desc' },
    { count: true },
    { sum: 'x' },
    { fields: ['id'] },
    { status: undefined },
    { status: null },
    { account_id: [] },
  ])('that would copy other rows is refused: %j', async (filters) => {
    const server = await startServer(list([]));
    expect(await failure(sync(server, new Map(), { filters }))).toEqual(
      new TypeError(`${Object.keys(filters)[0]} must be a filter with a value.`),
    );
    expect(server.urls).toEqual([]);
  });

  test.each([
    ['null', null],
    ['a text', 'x'],
    ['an array', [{ account_id: 7 }]],
    ['a Map', new Map([['account_id', 7]])],
  ])('that has no filters by their names is refused: %s', async (_what, filters) => {
    const server = await startServer(list([]));
    expect(await failure(sync(server, new Map(), { filters }))).toEqual(
      new TypeError('filters must be an object.'),
    );
    expect(server.urls).toEqual([]);
  });

  test('that allows a loss is true or false', async () => {
    const server = await startServer(list(domains(12)), list([]));
    const store = await copyOf(server);
    for (const allowLoss of ['no', 1, null])
      expect(await failure(sync(server, store, { allowLoss }))).toEqual(
        new TypeError('allowLoss must be a boolean.'),
      );
    expect(store.size).toBe(12);
  });

  test('that is null in place of the options is refused', async () => {
    const server = await startServer(list([]));
    expect(await failure(sync(server, new Map(), null as never))).toEqual(
      new TypeError('The options can only be filters, fields, allowLoss, signal.'),
    );
  });

  test('never shows the token', async () => {
    const server = await startServer(list(domains(1)));
    const store = await copyOf(server);
    expect(JSON.stringify(store.meta)).not.toContain(TOKEN);
  });
});
