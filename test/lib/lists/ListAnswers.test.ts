import { Cancellation, REQUEST_OVER } from '../../../lib/async/Cancellation';
import type { Database } from '../../../lib/database/Database';
import { type ListRequest, listAnswers } from '../../../lib/lists/ListAnswers';
import type { Source } from '../../../lib/sources/Source';

const QUERY = {
  filters: new Map(),
  ranges: new Map(),
  search: null,
  order: null,
  page: { limit: 10, after: null },
  fields: null,
  figures: null,
};

const database = { run: () => Promise.reject(new Error('A function needs no statement.')) };
const answers = () =>
  listAnswers({
    reading: () => database as Partial<Database> as Database,
  } as Partial<Database> as Database);

describe('A read that two requests share', () => {
  /** Two requests for the same page of two chunks. `between` runs after the first of them. */
  const share = (between: (ends: readonly Cancellation[]) => void) => {
    const ends = [new Cancellation(), new Cancellation()];
    const state = { reads: 0 };
    const chunks = async function* () {
      state.reads += 1;
      yield { items: [{ id: 1 }], keyOf: () => ['1'], last: false };
      between(ends);
      yield { items: [{ id: 2 }], keyOf: () => ['2'], last: true };
    };
    const source = { statements: 0, chunks } as Partial<Source> as Source;
    const lists = answers();
    const bodies = ends.map((end) =>
      lists.buffered({
        resource: 'jobs',
        source,
        query: QUERY,
        own: null,
        tokenId: 1,
        end,
      } satisfies ListRequest),
    );
    return { state, settled: Promise.allSettled(bodies) };
  };

  test('goes on while one of them waits', async () => {
    const { state, settled } = share(([first]) => first?.end(REQUEST_OVER));
    const [, second] = await settled;
    expect([state.reads, second?.status]).toEqual([1, 'fulfilled']);
  });

  test('ends when neither waits', async () => {
    const { settled } = share((ends) => {
      for (const end of ends) end.end(REQUEST_OVER);
    });
    expect(await settled).toEqual(Array(2).fill({ status: 'rejected', reason: REQUEST_OVER }));
  });
});
