import fs, {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import type { RequestListener } from 'node:http';
import { uptime } from 'node:os';
import { join } from 'node:path';
import type { Item } from '../../client';
import { FileStore } from '../../client/FileStore';
import { answer, failure, startServer } from '../fixture/clientServer';
import { closeAtEnd } from '../fixture/closeAtEnd';
import { ScratchDirectory } from '../ScratchDirectory';

type Domain = Item<'domains'>;

const domains = (from: number, to: number, name = 'd') =>
  Array.from({ length: to - from + 1 }, (_, index) => ({
    id: from + index,
    domain: `${name}${from + index}-é-🐘.example`,
    status: 'active',
  }));

const bodyOf = (items: readonly unknown[]) =>
  `{"success":true,"message":"","data":{"resource":"domains","items":${JSON.stringify(items)}},"timestamp":""}`;
const list = (items: readonly unknown[], headers = {}) => answer(200, bodyOf(items), headers);

/** A path in an empty folder. */
function newPath(): string {
  const directory = new ScratchDirectory('copies');
  closeAtEnd(() => directory.remove());
  return join(directory.path, 'domains.copy');
}

const itemsOf = (path: string) => {
  const store = new FileStore<Domain>(path);
  const items = [...store.keys()].map((key) => store.get(key));
  store.close();
  return items.toSorted((one, other) => Number(one?.id) - Number(other?.id));
};

const sync = async (path: string, ...answers: readonly RequestListener[]) => {
  const server = await startServer(...answers);
  const store = new FileStore<Domain>(path);
  return { server, store, run: () => server.client().sync('domains', store) };
};

const THIS_BEGAN = Math.round(performance.timeOrigin);
const NOW = Date.now();

describe('A copy in a file', () => {
  test('is there for the next process, and for its owner alone', async () => {
    const path = newPath();
    const { run, store, server } = await sync(path, list(domains(1, 3), { ETag: '"1"' }));
    expect([store.get(1), [...store.keys()], store.getMeta()]).toEqual([null, [], null]);
    expect(await run()).toMatchObject({ created: 3, complete: true });
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(itemsOf(path)).toEqual(domains(1, 3));
    expect(new FileStore(path).getMeta()).toEqual({
      source: `${server.url}/api/v1/domains.php`,
      etag: '"1"',
      at: expect.any(String),
      rows: 3,
    });
    expect([store.get(2), store.get(4), store.get('2')]).toEqual([domains(2, 2)[0], null, null]);
  });

  test('follows creations, changes and deletions', async () => {
    const path = newPath();
    const next = [...domains(1, 4), ...domains(5, 6, 'changed'), ...domains(9, 20)];
    const { run } = await sync(path, list(domains(1, 8)), list(next), list(next));
    await run();
    expect(await run()).toMatchObject({ created: 12, changed: 2, deleted: 2, unchanged: 4 });
    expect(itemsOf(path)).toEqual(next);
    expect(await run()).toMatchObject({ created: 0, changed: 0, deleted: 0, unchanged: 18 });
    expect(itemsOf(path)).toEqual(next);
  });

  test('asks with the tag of the process before', async () => {
    const path = newPath();
    const tags: unknown[] = [];
    const unchanged: RequestListener = (request, response) => {
      tags.push(request.headers['if-none-match']);
      response.writeHead(304).end();
    };
    const { run, server } = await sync(path, list(domains(1, 3), { ETag: '"1"' }), unchanged);
    await run();
    const other = new FileStore<Domain>(path);
    expect(await server.client().sync('domains', other)).toMatchObject({ unchanged: 3 });
    expect([tags, itemsOf(path)]).toEqual([['"1"'], domains(1, 3)]);
  });

  test('has long texts, tabs and line breaks, and all digits of whole numbers', async () => {
    const path = newPath();
    const items = [
      { id: '\t"\n', note: 'a\tb\r\n\u2028' },
      { id: '1', note: '' },
      { id: 1, note: 'é🐘'.repeat(20_000) },
      { id: '', note: null, deep: [[], {}, { a: [true, 1.5] }] },
    ];
    const long = '{"id":9007199254740993,"size":-9007199254740995}';
    const body = bodyOf(items).replace(']},"timestamp"', `,${long}]},"timestamp"`);
    const { run, store } = await sync(path, answer(200, body));
    expect(await run()).toMatchObject({ created: 5 });
    for (const item of items) expect(store.get(item.id)).toEqual(item);
    expect(store.get(9007199254740993n)).toEqual({ id: 9007199254740993n, size: -9007199254740995n });
    expect(await run()).toMatchObject({ unchanged: 5 });
  });

  test('is not changed by a run that fails, which leaves no other file', async () => {
    const path = newPath();
    const cut = bodyOf(domains(2, 3000, 'changed'));
    const { run, store } = await sync(
      path,
      list(domains(1, 20)),
      answer(200, cut.slice(0, -30)),
      list(domains(20, 29)),
    );
    await run();
    const before = readFileSync(path);
    await failure(run());
    expect(await failure(run())).toMatchObject({ rows: 20, lost: 19 });
    expect(readFileSync(path).equals(before)).toBe(true);
    expect(existsSync(`${path}.new`)).toBe(false);
    expect(store.get(2)).toEqual(domains(2, 2)[0]);
  });

  test('is read as it was while a run goes on', async () => {
    const path = newPath();
    const { run, store } = await sync(path, list(domains(1, 2)), (_request, response) => {
      const body = bodyOf(domains(1, 3, 'changed'));
      response.write(body.slice(0, -60));
      setTimeout(() => {
        seen.push(store.get(1), store.get(3));
        response.end(body.slice(-60));
      }, 100);
    });
    const seen: unknown[] = [];
    await run();
    await run();
    expect(seen).toEqual([domains(1, 1)[0], null]);
    expect(store.get(3)).toEqual(domains(3, 3, 'changed')[0]);
  });

  test('is not changed by close while a run goes on', async () => {
    const path = newPath();
    const next = domains(2, 400, 'changed');
    const { run, store } = await sync(path, list(domains(1, 400)), async (_request, response) => {
      const body = bodyOf(next);
      response.write(body.slice(0, body.length / 2));
      // The first half is in the file of the run.
      while (statSync(`${path}.new`).size < 5000) await new Promise((resolve) => setTimeout(resolve, 10));
      store.close();
      response.end(body.slice(body.length / 2));
    });
    await run();
    expect(await run()).toMatchObject({ changed: 399, deleted: 1 });
    expect(itemsOf(path)).toEqual(next);
    expect(readFileSync(path, 'utf8').match(/^\d+\t/gm)).toHaveLength(399);
  });

  test('shows what another process has stored after close', async () => {
    const path = newPath();
    const { run } = await sync(path, list(domains(1, 2)), list(domains(1, 3)));
    await run();
    const reader = new FileStore<Domain>(path);
    expect([...reader.keys()]).toEqual([1, 2]);
    await run();
    expect([...reader.keys()]).toEqual([1, 2]);
    reader.close();
    expect([...reader.keys()].toSorted()).toEqual([1, 2, 3]);
  });

  test('is changed by sync alone', () => {
    expect(() => new FileStore(newPath()).put({ id: 1 }, 1)).toThrow(TypeError);
  });

  test('is read in small pieces, also behind a long item', async () => {
    const path = newPath();
    const { run, store } = await sync(path, list([{ id: 1, note: 'x'.repeat(200_000) }, ...domains(2, 3)]));
    await run();
    expect(store.get(1)).toMatchObject({ id: 1 });
    const read = jest.spyOn(fs, 'readSync');
    closeAtEnd(() => read.mockRestore());
    expect(store.get(3)).toEqual(domains(3, 3)[0]);
    expect(read.mock.calls.map((given: readonly unknown[]) => given[3])).toEqual([4096]);
  });

  test('is closed before another one replaces it', async () => {
    const path = newPath();
    const { run, store } = await sync(path, list(domains(1, 3)), list(domains(1, 4)));
    await run();
    const [open, close, rename] = [
      jest.spyOn(fs, 'openSync'),
      jest.spyOn(fs, 'closeSync'),
      jest.spyOn(fs, 'renameSync'),
    ];
    closeAtEnd(() => jest.restoreAllMocks());
    await run();
    const file = open.mock.results[open.mock.calls.findIndex(([opened]) => opened === path)]?.value;
    const closed = close.mock.invocationCallOrder[close.mock.calls.findIndex(([given]) => given === file)];
    expect(closed).toBeLessThan(Number(rename.mock.invocationCallOrder[0]));
    expect(store.get(4)).toEqual(domains(4, 4)[0]);
  });

  test('needs its folder', async () => {
    const { run } = await sync(join(newPath(), 'none', 'x'), list([]));
    expect(await failure(run())).toMatchObject({ code: 'ENOENT' });
  });
});

describe('A file that was damaged', () => {
  test('is noticed, wherever it ends, and no run changes it', async () => {
    const path = newPath();
    const { run, store } = await sync(path, list(domains(1, 3)));
    await run();
    const whole = readFileSync(path);
    for (let length = 0; length < whole.length; length += 1) {
      writeFileSync(path, whole.subarray(0, length));
      store.close();
      expect(() => store.get(1)).toThrow('The copy is damaged');
    }
    expect(await failure(run())).toMatchObject({ code: 'COPY_DAMAGED' });
    expect(readFileSync(path)).toHaveLength(whole.length - 1);
    expect(existsSync(`${path}.new`)).toBe(false);
    rmSync(path);
    expect(await run()).toMatchObject({ created: 3 });
  });

  test('is noticed, whichever byte of it is another one', async () => {
    const path = newPath();
    const { run, store } = await sync(path, list(domains(1, 3)));
    await run();
    const whole = readFileSync(path);
    for (let index = 0; index < whole.length; index += 1) {
      const other = Buffer.from(whole);
      other[index] = (other[index] ?? 0) ^ 1;
      writeFileSync(path, other);
      store.close();
      expect(() => store.keys()).toThrow('The copy is damaged');
    }
    for (const more of ['\n', '\t{}\n', whole]) {
      writeFileSync(path, whole);
      appendFileSync(path, more);
      store.close();
      expect(() => store.keys()).toThrow('The copy is damaged');
    }
    writeFileSync(path, whole);
    store.close();
    expect([...store.keys()]).toEqual([1, 2, 3]);
  });

  test('is not one that cannot be read: the error says why', async () => {
    const path = newPath();
    mkdirSync(path);
    const { run } = await sync(path, list([]));
    expect(await failure(run())).toMatchObject({ code: 'EISDIR' });
    rmSync(path, { recursive: true });
    expect(await run()).toMatchObject({ complete: true });
  });
});

describe('The file of a run', () => {
  const DEAD = 4_194_304;

  test.each([
    ['of this process', `${process.pid} ${THIS_BEGAN}\n`],
    ['of another process that lives', `${process.ppid} ${NOW}\n`],
  ])('%s keeps others away', async (_whose, writer) => {
    const path = newPath();
    const { run, server } = await sync(path, list(domains(1, 3)));
    writeFileSync(`${path}.new`, writer);
    expect(await failure(run())).toMatchObject({ code: 'COPY_BUSY' });
    expect(readFileSync(`${path}.new`, 'utf8')).toBe(writer);
    expect(server.urls).toEqual([]);
  });

  test.each([
    ['of a process that has ended', `${DEAD} ${NOW}\n1\t{}`],
    ['of another process of the same number', `${process.pid} ${THIS_BEGAN - 1000}\n`],
    ['from before the start of the machine', `${process.ppid} ${NOW - uptime() * 1000 - 60_000}\n`],
    ['that has not begun', ''],
  ])('%s does not', async (_whose, writer) => {
    const path = newPath();
    const { run } = await sync(path, list(domains(1, 3)));
    writeFileSync(`${path}.new`, writer);
    expect(await run()).toMatchObject({ created: 3 });
    expect(itemsOf(path)).toEqual(domains(1, 3));
    expect(existsSync(`${path}.new`)).toBe(false);
  });

  test('is deleted and closed if not even its first line can be written', async () => {
    const path = newPath();
    const { run } = await sync(path, list(domains(1, 3)));
    const [open, close, write] = [
      jest.spyOn(fs, 'openSync'),
      jest.spyOn(fs, 'closeSync'),
      jest.spyOn(fs, 'writeFileSync'),
    ];
    closeAtEnd(() => jest.restoreAllMocks());
    write.mockImplementationOnce(() => {
      throw new Error('The disk is full.');
    });
    expect((await failure(run())).message).toBe('The disk is full.');
    expect(existsSync(`${path}.new`)).toBe(false);
    expect(close.mock.calls.map(([file]) => file)).toEqual(open.mock.results.map(({ value }) => value));
    expect(await run()).toMatchObject({ created: 3 });
  });

  test('keeps another store on the same path away, until the run has ended', async () => {
    const path = newPath();
    const waiting: (() => void)[] = [];
    const { run, server } = await sync(path, (request, response) => {
      waiting.push(() => list(domains(1, 3))(request, response));
    });
    const first = run();
    while (waiting.length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
    const other = new FileStore<Domain>(path);
    expect(await failure(server.client().sync('domains', other))).toMatchObject({ code: 'COPY_BUSY' });
    waiting.pop()?.();
    expect(await first).toMatchObject({ created: 3 });
    expect([...other.keys()]).toEqual([1, 2, 3]);
  });

  test('that another process has taken over does not replace the copy', async () => {
    const path = newPath();
    const other = `${process.ppid} ${NOW}\n`;
    const { run } = await sync(path, list(domains(1, 3)), (request, response) => {
      rmSync(`${path}.new`);
      writeFileSync(`${path}.new`, other);
      list(domains(1, 5))(request, response);
    });
    await run();
    expect(await failure(run())).toMatchObject({ code: 'COPY_BUSY' });
    expect(itemsOf(path)).toEqual(domains(1, 3));
    expect(readFileSync(`${path}.new`, 'utf8')).toBe(other);
  });

  test('that lies beside it is no part of the copy', async () => {
    const path = newPath();
    const { run } = await sync(path, list(domains(1, 3)));
    await run();
    appendFileSync(`${path}.new`, 'x');
    expect(itemsOf(path)).toEqual(domains(1, 3));
  });
});
