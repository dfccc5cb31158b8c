import { Cancellation, REQUEST_OVER } from '../../../lib/async/Cancellation';
import { ListReader } from '../../../lib/lists/ListReader';
import type { Chunk, Source } from '../../../lib/sources/Source';

const QUERY = {
  filters: new Map(),
  ranges: new Map(),
  search: null,
  accountId: null,
  order: null,
  page: { limit: 10, after: null },
  fields: null,
  figures: null,
};

const chunkOf = (...ids: readonly number[]): Chunk => ({
  items: ids.map((id) => ({ id })),
  keyOf: (index) => [String(ids[index])],
  last: false,
});

describe('The reading of a list', () => {
  const read = (chunks: () => AsyncGenerator<Chunk, void, undefined>, end = new Cancellation()) => {
    const source = { statements: 0, chunks } as Partial<Source> as Source;
    const run = () => Promise.reject(new Error('A function needs no statement.'));
    return new ListReader({ resource: 'jobs', source, query: QUERY, end }).page(run);
  };

  test('ends between two chunks without rows if no request waits any more', async () => {
    const end = new Cancellation();
    const reading = read(async function* () {
      yield chunkOf();
      end.end(REQUEST_OVER);
      yield chunkOf();
      yield chunkOf(1);
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
      yield chunkOf(1);
    });
    expect(items).toEqual([{ id: 1 }]);
    expect(turns).toEqual(expect.arrayContaining([1, 2]));
  });
});
