import type { Accounts, TokenAccounts } from '../../../lib/accounts/TokenAccounts';
import { Cancellation, REQUEST_OVER } from '../../../lib/async/Cancellation';
import { Deadline } from '../../../lib/async/withTimeout';
import type { Database } from '../../../lib/database/Database';
import { ListAnswers, type ListRequest } from '../../../lib/lists/ListAnswers';
import type { Source } from '../../../lib/sources/Source';

const QUERY = {
  filters: new Map(),
  ranges: new Map(),
  search: null,
  order: null,
  page: { limit: 10, after: null },
  fields: null,
  figures: null,
  unlisted: new Map(),
};

const database = { run: () => Promise.reject(new Error('A function needs no statement.')) };
const answers = () =>
  new ListAnswers({
    inSlotsOf: () => database as Partial<Database> as Database,
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
    const over = new Cancellation();
    over.end(REQUEST_OVER);
    // The two wait for the end of a read, so that they share the next one.
    const [before, ...bodies] = [over, ...ends].map((end) =>
      lists.buffered({
        resource: 'jobs',
        source,
        query: QUERY,
        rowsOfToken: null,
        tokenId: 1,
        end,
      } satisfies ListRequest),
    );
    before?.catch(() => undefined);
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

test('A read that one request waits for ends for the reason of this request', async () => {
  const end = new Cancellation();
  const reason = new Deadline();
  const chunks = async function* () {
    end.end(reason);
    yield { items: [{ id: 1 }], keyOf: () => ['1'], last: false };
    yield { items: [{ id: 2 }], keyOf: () => ['2'], last: true };
  };
  const source = { statements: 0, chunks } as Partial<Source> as Source;
  const asked = { resource: 'jobs', source, query: QUERY, rowsOfToken: null, tokenId: 1, end };
  await expect(answers().buffered(asked)).rejects.toBe(reason);
});

test('A stream of a list that is short after all is a whole answer', async () => {
  const chunks = async function* () {
    yield { items: [{ id: 1 }], keyOf: () => ['1'], last: true };
  };
  const source = { statements: 0, chunks } as Partial<Source> as Source;
  const query = { ...QUERY, page: null };
  const end = new Cancellation();
  const body = await answers().streamed({
    resource: 'jobs',
    source,
    query,
    rowsOfToken: null,
    tokenId: 1,
    end,
  });
  expect('stream' in body ? null : body.between('', '').text.toString()).toBe(
    '{"resource":"jobs","items":[{"id":1}]}',
  );
});

test('Tokens that ask for the same list read it in slots of their own, and none waits for the slot of another', async () => {
  const waiting: number[] = [];
  let reads = 0;
  const slots = {
    inSlotsOf: (tokenId: number) => ({
      withSlot: async (_name: string, task: (inSlot: object) => Promise<void>) => {
        waiting.push(tokenId);
        // The slot of the first token is never free.
        if (tokenId === 1) return new Promise(() => undefined);
        return task(database);
      },
    }),
  };
  const chunks = async function* () {
    reads += 1;
    yield { items: [{ id: 1 }], keyOf: () => ['1'], last: true };
  };
  const source = { statements: 1, chunks } as Partial<Source> as Source;
  const lists = new ListAnswers(slots as object as Database);
  const end = new Cancellation();
  // The third would share the read of the second, if that were possible.
  const bodies = [1, 2, 3].map((tokenId) =>
    lists.buffered({ resource: 'jobs', source, query: QUERY, rowsOfToken: null, tokenId, end }),
  );
  expect(await Promise.all(bodies.slice(1))).not.toContain(null);
  expect([waiting, reads]).toEqual([[1, 2, 3], 2]);
});

test('The accounts of a token are looked up in its share of the database, for rows of no list in particular', async () => {
  const shares: number[] = [];
  const inSlotsOf = (tokenId: number) => {
    shares.push(tokenId);
    return database as Partial<Database> as Database;
  };
  const found: Accounts = { identity: '1', ids: new Set(['1']), owned: null };
  const look = jest.fn(async () => found);
  const lists = new ListAnswers({ inSlotsOf } as Partial<Database> as Database);
  const end = new Cancellation();
  await expect(
    lists.find({ find: look } as Partial<TokenAccounts> as TokenAccounts, { tokenId: 7, end }),
  ).resolves.toBe(found);
  expect(shares).toEqual([7]);
  expect(look).toHaveBeenCalledWith(database.run, end, null);
});

test('The figures of a list are a page without items', async () => {
  const groups = async () => [{ item: { status: 'failed' }, rows: 3, sums: {} }];
  const source = { statements: 0, groups } as Partial<Source> as Source;
  const query = { ...QUERY, page: null, figures: { countBy: 'status', sums: [] } };
  const end = new Cancellation();
  const page = await answers().page({ resource: 'jobs', source, query, rowsOfToken: null, tokenId: 1, end });
  expect(page).toEqual({ items: [], nextCursor: null, total: 3, counts: { failed: 3 } });
});
