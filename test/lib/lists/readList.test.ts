import { Cancellation, REQUEST_OVER } from '../../../lib/async/Cancellation';
import type { Database } from '../../../lib/database/Database';
import { DatabaseFailure } from '../../../lib/database/DatabaseFailure';
import type { ListQuery } from '../../../lib/lists/parseListQuery';
import type { ReadParts } from '../../../lib/lists/RowsReader';
import { readAtOnce, readInSlot, readList, streamList } from '../../../lib/lists/readList';
import { type Chunk, ColumnsChanged, EVERY_ROW, type Row, type Source } from '../../../lib/sources/Source';

const PAGE = { limit: 10, after: null };
const QUERY: ListQuery = { ...EVERY_ROW, page: null, fields: null, figures: null, unlisted: new Map() };

const run = () => Promise.reject(new Error('A function needs no statement.'));

const chunkOf = (...items: readonly Row[]): Chunk => ({
  items,
  keyOf: (index) => [String(items[index]?.id)],
  last: false,
});

type Chunks = () => AsyncGenerator<Chunk, void, undefined>;

const listOf = (source: object, query: object = {}, end = new Cancellation()): ReadParts => ({
  resource: 'jobs',
  source: source as Source,
  query: { ...QUERY, ...query },
  rowsOfToken: null,
  end,
});

describe('The reading of a page', () => {
  const read = (chunks: Chunks, end?: Cancellation) =>
    readList(listOf({ chunks }, { page: PAGE }, end), run, (rows) => rows.page());

  test('ends between two chunks without rows if no request waits any more', async () => {
    const end = new Cancellation();
    const reading = read(async function* () {
      yield chunkOf();
      end.end(REQUEST_OVER);
      yield chunkOf();
      yield chunkOf({ id: 1 });
    }, end);
    await expect(reading).rejects.toBe(REQUEST_OVER);
  });

  test('gives other work of the process its turn between two chunks without rows', async () => {
    const turns: number[] = [];
    let over = 0;
    const turn = () => {
      turns.push(over);
      if (over < 3) setImmediate(turn);
    };
    setImmediate(turn);
    const { items } = await read(async function* () {
      for (; over < 3; over += 1) yield chunkOf();
      yield chunkOf({ id: 1 });
    });
    expect(items).toEqual([{ id: 1 }]);
    expect(turns).toEqual(expect.arrayContaining([1, 2]));
  });

  test('takes a value that is missing for no text of a filter', async () => {
    const chunks = async function* () {
      yield chunkOf({ id: 1, type: null }, { id: 2 }, { id: 3, type: 'undefined' });
    };
    const filters = new Map([['type', new Set(['null', 'undefined'])]]);
    const { items } = await readList(listOf({ chunks }, { filters, page: PAGE }), run, (rows) => rows.page());
    expect(items).toEqual([{ id: 3, type: 'undefined' }]);
  });

  test('is done at once if the text of all rows is likely to be short enough', async () => {
    const chunks = async function* () {
      yield chunkOf({ id: 1 }, { id: 2 });
    };
    const read = await readAtOnce(listOf({ chunks }, { page: PAGE }), 1000, run);
    expect(read).toEqual({ text: '{"id":1},{"id":2}', next: null });
  });
});

describe('A list that is read at once', () => {
  const ITEM = '{"id":1}';
  const TWO = `${ITEM},${ITEM}`;

  /** Returns the text of a list of one chunk or two, null if it is not read at once, and how many chunks were read. */
  const readAll = async (query: object, longest: number, chunks = 1) => {
    let read = 0;
    const one = async function* () {
      while (read < chunks) {
        read += 1;
        const items = chunks === 1 ? [{ id: 1 }, { id: 1 }] : [{ id: 1 }];
        yield { ...chunkOf(...items), last: read === chunks };
      }
    };
    const all = await readAtOnce(listOf({ statements: 1, chunks: one }, query), longest, run);
    return [all?.text ?? null, read];
  };

  test.each([
    ['a page', { page: PAGE }],
    ['a whole list', {}],
    ['a whole list in the order of a time', { order: 'created_at' }],
  ])('is %s, unless its text is too long', async (_list, query) => {
    expect(await readAll(query, TWO.length)).toEqual([TWO, 1]);
    expect(await readAll(query, TWO.length - 1)).toEqual([null, 1]);
  });

  test('is a page of several statements, but no whole list', async () => {
    expect(await readAll({ page: PAGE }, 1000, 2)).toEqual([TWO, 2]);
    expect(await readAll({}, 1000, 2)).toEqual([null, 1]);
  });

  test('is no whole list from the latest time, which takes two statements', async () => {
    expect(await readAll({ order: '-created_at' }, 1000)).toEqual([null, 0]);
  });

  test('is no page whose first rows show that it is likely to be too long, unless they are all', async () => {
    const page = { limit: 10_000, after: null };
    expect(await readAll({ page }, 100, 2)).toEqual([null, 1]);
    expect(await readAll({ page }, 100)).toEqual([TWO, 1]);
  });
});

describe('The figures of a list', () => {
  test('are those of the groups if the source counts, and no row is read', async () => {
    const source = {
      groups: async () => [{ item: { status: 'failed' }, rows: 3 }],
      chunks: () => {
        throw new Error('A row was read.');
      },
    };
    const figures = await readList(listOf(source), run, (rows) =>
      rows.figures({ countBy: 'status', sums: [] }),
    );
    expect(figures).toMatchObject({ total: 3, counts: { failed: 3 } });
  });
});

describe('The stream of a list', () => {
  const changed = () => new ColumnsChanged(new DatabaseFailure('jobs', 'ER_BAD_FIELD_ERROR'));

  /** What the stream takes of the database. */
  const recorded = () => {
    const calls: string[] = [];
    const openSnapshot = async (name: string) => {
      calls.push(name);
      return { run, isSnapshot: true, close: async () => void calls.push('closed') };
    };
    return { calls, database: { run, openSnapshot } as Partial<Database> as Database };
  };

  const textOf = async (list: ReadParts, { database } = recorded()) => {
    let text = '';
    for await (const part of streamList(list, database)) text += part.text;
    return text;
  };

  const one = async function* () {
    yield chunkOf({ id: 1 });
  };

  test.each<[taken: string, statements: number, page: object | null, calls: readonly string[]]>([
    ['one connection if it is a whole list', 1, null, ['jobs.begin', 'closed']],
    ['none between the statements if it is a page', 2, PAGE, []],
    ['none if the rows come from a function', 0, null, []],
  ])('takes %s', async (_taken, statements, page, calls) => {
    const used = recorded();
    const text = await textOf(listOf({ statements, chunks: one }, { page }), used);
    expect([text, used.calls]).toEqual(['{"id":1}', calls]);
  });

  test('begins again if the columns have changed before the first row', async () => {
    let reads = 0;
    const chunks = async function* () {
      reads += 1;
      if (reads === 1) throw changed();
      yield chunkOf({ id: reads });
    };
    await expect(textOf(listOf({ statements: 1, chunks }))).resolves.toBe('{"id":2}');
  });

  test('does not begin again after any other failure', async () => {
    const failure = new DatabaseFailure('jobs', 'ECONNRESET');
    let reads = 0;
    const chunks = async function* () {
      reads += 1;
      if (reads === 1) throw failure;
      yield chunkOf({ id: reads });
    };
    await expect(textOf(listOf({ statements: 1, chunks }))).rejects.toBe(failure);
  });

  test.each([
    ['the failure', 'served', { name: 'DatabaseFailure', code: 'ER_BAD_FIELD_ERROR' }],
    ['that the list is gone', 'missing', { code: 'resource_unavailable' }],
  ])('ends with %s if the columns change after a row', async (_end, state, error) => {
    const chunks = async function* () {
      yield chunkOf({ id: 1 });
      throw changed();
    };
    const source = { statements: 1, chunks, report: async () => ({ state }) };
    await expect(textOf(listOf(source))).rejects.toMatchObject(error);
  });

  test('ends between two chunks if no request waits any more', async () => {
    const end = new Cancellation();
    const chunks = async function* () {
      yield chunkOf({ id: 1 });
      end.end(REQUEST_OVER);
      yield chunkOf({ id: 2 });
    };
    await expect(textOf(listOf({ statements: 1, chunks }, {}, end))).rejects.toBe(REQUEST_OVER);
  });
});

describe('A list that is read in place', () => {
  const slots: string[] = [];
  const withSlot = async (name: string, task: (database: Database) => unknown) => {
    slots.push(name);
    return task({ run } as Partial<Database> as Database);
  };
  const database = { run, withSlot } as unknown as Database;

  test.each([
    [0, []],
    [1, ['jobs.slot']],
  ])('that takes %i statements takes the slots %j', async (statements, taken) => {
    slots.length = 0;
    const source = { statements } as Source;
    await expect(readInSlot(database, { resource: 'jobs', source }, async () => 'read')).resolves.toBe(
      'read',
    );
    expect(slots).toEqual(taken);
  });
});
