import type { TokenAccounts } from '../../../lib/accounts/TokenAccounts';
import { Cancellation, REQUEST_OVER } from '../../../lib/async/Cancellation';
import type { Database } from '../../../lib/database/Database';
import { DatabaseFailure } from '../../../lib/database/DatabaseFailure';
import type { ReadParts } from '../../../lib/lists/RowsReader';
import { readList, streamList } from '../../../lib/lists/readList';
import {
  type Chunk,
  ColumnsChanged,
  EVERY_ROW,
  type RowsQuery,
  type Source,
} from '../../../lib/sources/Source';

const QUERY = { ...EVERY_ROW, page: null, fields: null, figures: null, unlisted: new Map() };

const FAILURE = new DatabaseFailure('jobs', 'ECONNRESET');
const FAULT = new TypeError('A row of the panel is wrong.');
const CHANGING = {
  code: 'unavailable',
  cause: new Error('The accounts of the token change while a list is read.'),
};

const run = () => Promise.reject(new Error('A function needs no statement.'));

/** A row of an account. */
const rowOf = (accountId: string, id: number): Chunk => ({
  items: [{ id, account_id: accountId }],
  keyOf: () => [String(id)],
  last: false,
});

/**
 * A list of a token of accounts. `found` are the ids that its account has one after another: the first before rows are
 * read, each other one at a look. The last one remains. `calls` has all that happens, in order.
 */
function limitedList(
  found: readonly string[],
  chunks: (accountId: string) => Iterable<Chunk | Error>,
  source: object = { statements: 1 },
) {
  const calls: string[] = [];
  const end = new Cancellation();
  const ids = [...found];
  const next = (call: string) => {
    const id = (ids.length > 1 ? ids.shift() : ids[0]) ?? '';
    calls.push(`${call} ${id}`);
    return { identity: id, ids: new Set([id]), owned: null };
  };
  const tokenAccounts: Partial<TokenAccounts> = {
    findBeforeRead: async () => next('assume'),
    find: async () => next('look'),
  };
  const read = async function* ({ accountIds }: RowsQuery) {
    const [id = ''] = accountIds ?? [];
    for (const chunk of chunks(id)) {
      if (chunk instanceof Error) throw chunk;
      calls.push(`row of ${id}`);
      yield chunk;
    }
  };
  const parts: ReadParts = {
    resource: 'jobs',
    source: { chunks: read, ...source } as Partial<Source> as Source,
    query: QUERY,
    rowsOfToken: { field: 'account_id', tokenAccounts: tokenAccounts as TokenAccounts },
    end,
  };
  return { parts, calls, end };
}

describe('The reading of a list for a token of accounts', () => {
  const reading = (found: readonly string[], failures: readonly unknown[] = []) => {
    const { parts, calls, end } = limitedList(found, () => []);
    const left = [...failures];
    const result = readList(parts, run, async () => {
      calls.push('read');
      const failure = left.shift();
      if (failure === REQUEST_OVER) end.end(REQUEST_OVER);
      if (failure) throw failure;
      return calls.length;
    });
    return { result, calls };
  };

  test('looks at the accounts after the rows', async () => {
    const { result, calls } = reading(['1']);
    await expect(result).resolves.toBe(2);
    expect(calls).toEqual(['assume 1', 'read', 'look 1']);
  });

  test('begins again with the accounts that were found, if they are others', async () => {
    const { result, calls } = reading(['1', '2']);
    await expect(result).resolves.toBe(4);
    expect(calls).toEqual(['assume 1', 'read', 'look 2', 'read', 'look 2']);
  });

  test('ends after three times if the accounts are others each time', async () => {
    const { result, calls } = reading(['1', '2', '3', '4', '5']);
    await expect(result).rejects.toMatchObject(CHANGING);
    expect(calls.filter((call) => call === 'read')).toHaveLength(3);
  });

  test('tells of a fault only if the accounts are the same after it', async () => {
    await expect(reading(['1'], [FAULT]).result).rejects.toBe(FAULT);
    await expect(reading(['1', '2'], [FAULT]).result).resolves.toBe(4);
  });

  test.each([
    ['the database fails', FAILURE],
    ['no request waits any more', REQUEST_OVER],
  ])('does not look at the accounts if %s', async (_why, failure) => {
    const { result, calls } = reading(['1'], [failure]);
    await expect(result).rejects.toBe(failure);
    expect(calls).toEqual(['assume 1', 'read']);
  });
});

describe('The stream of a list for a token of accounts', () => {
  const two = (accountId: string) => [rowOf(accountId, 1), rowOf(accountId, 2)];

  /** Reads the stream, on a database that gives a snapshot or not. */
  const stream = async (
    { parts, calls }: ReturnType<typeof limitedList>,
    { isSnapshot } = { isSnapshot: true },
  ) => {
    const openSnapshot = async () => {
      calls.push('begin');
      return { run, isSnapshot, close: async () => void calls.push('close') };
    };
    for await (const { text } of streamList(parts, { run, openSnapshot } as Partial<Database> as Database))
      calls.push(text);
  };

  const item = (accountId: string, id: number) => `{"id":${id},"account_id":"${accountId}"}`;

  test('looks at the accounts once within a snapshot, after its first row', async () => {
    const list = limitedList(['1'], two);
    await stream(list);
    expect(list.calls).toEqual([
      'begin',
      'assume 1',
      'row of 1',
      'look 1',
      item('1', 1),
      'row of 1',
      `,${item('1', 2)}`,
      'close',
    ]);
  });

  test('looks at the accounts after each row without a snapshot', async () => {
    const list = limitedList(['1'], two);
    await stream(list, { isSnapshot: false });
    expect(list.calls.slice(2)).toEqual([
      'row of 1',
      'look 1',
      item('1', 1),
      'row of 1',
      'look 1',
      `,${item('1', 2)}`,
      'close',
    ]);
  });

  test('does not look again for rows that are not sent, if it has looked before', async () => {
    const list = limitedList(['1'], (accountId) => [rowOf(accountId, 1), rowOf('8', 2)]);
    await stream(list, { isSnapshot: false });
    expect(list.calls.filter((call) => call.startsWith('look'))).toHaveLength(1);
  });

  test('looks at the accounts of a list without a row', async () => {
    const list = limitedList(['1'], () => []);
    await stream(list);
    expect(list.calls).toEqual(['begin', 'assume 1', 'look 1', 'close']);
  });

  test('takes no connection if a part of the rows comes from a function', async () => {
    const list = limitedList(['1'], two, { statements: 1, parts: [{ statements: 1 }, { statements: 0 }] });
    await stream(list);
    expect(list.calls.filter((call) => ['begin', 'close'].includes(call))).toEqual([]);
    expect(list.calls.filter((call) => call.startsWith('look'))).toHaveLength(2);
  });

  test('begins again with the accounts that were found, if they are others than before the first row', async () => {
    const list = limitedList(['1', '2'], two);
    await stream(list);
    expect(list.calls).toEqual([
      'begin',
      'assume 1',
      'row of 1',
      'look 2',
      'close',
      'begin',
      'row of 2',
      'look 2',
      item('2', 1),
      'row of 2',
      `,${item('2', 2)}`,
      'close',
    ]);
  });

  test('ends after three times if the accounts are others each time', async () => {
    const list = limitedList(['1', '2', '3', '4', '5'], two);
    await expect(stream(list)).rejects.toMatchObject(CHANGING);
    expect(list.calls.filter((call) => call === 'close')).toHaveLength(3);
  });

  test('ends if the accounts are others after a row was sent', async () => {
    const report = async () => ({ state: 'served' });
    const list = limitedList(['1', '1', '2'], two, { statements: 1, report });
    await expect(stream(list, { isSnapshot: false })).rejects.toMatchObject(CHANGING);
    expect(list.calls.slice(-4)).toEqual([item('1', 1), 'row of 1', 'look 2', 'close']);
  });

  test('ends after three times if the columns change each time', async () => {
    const changed = new ColumnsChanged(new DatabaseFailure('jobs', 'ER_BAD_FIELD_ERROR'));
    const list = limitedList(['1'], () => [changed]);
    await expect(stream(list)).rejects.toBe(changed);
    expect(list.calls.filter((call) => call === 'close')).toHaveLength(3);
  });

  test('tells of a fault before the first row only if the accounts are the same after it', async () => {
    const same = limitedList(['1'], () => [FAULT]);
    await expect(stream(same)).rejects.toBe(FAULT);
    expect(same.calls).toEqual(['begin', 'assume 1', 'look 1', 'close']);
    const other = limitedList(['1', '2'], (accountId) => (accountId === '1' ? [FAULT] : two(accountId)));
    await stream(other);
    expect(other.calls).toContain(item('2', 1));
  });

  test('tells of a fault behind rows that are not sent only if the accounts are the same after it', async () => {
    const list = limitedList(['1', '1', '2'], (accountId) =>
      accountId === '1' ? [rowOf('8', 1), FAULT] : two(accountId),
    );
    await stream(list, { isSnapshot: false });
    expect(list.calls).toContain(item('2', 1));
  });

  test('does not look at the accounts if no request waits any more', async () => {
    const list = limitedList(['1'], () => {
      list.end.end(REQUEST_OVER);
      return [FAULT];
    });
    await expect(stream(list)).rejects.toBe(FAULT);
    expect(list.calls).toEqual(['begin', 'assume 1', 'close']);
  });

  test('does not look at the accounts after a failure of the database', async () => {
    const list = limitedList(['1'], () => [FAILURE]);
    await expect(stream(list)).rejects.toBe(FAILURE);
    expect(list.calls).toEqual(['begin', 'assume 1', 'close']);
  });

  test('does not look again after a fault behind a row in a snapshot', async () => {
    const list = limitedList(['1'], (accountId) => [rowOf(accountId, 1), FAULT]);
    await expect(stream(list)).rejects.toBe(FAULT);
    expect(list.calls.filter((call) => call.startsWith('look'))).toHaveLength(1);
  });

  test('does not tell of a fault behind a row without a snapshot if the accounts are others', async () => {
    const report = async () => ({ state: 'served' });
    const rows = (accountId: string) => [rowOf(accountId, 1), FAULT];
    const list = limitedList(['1', '1', '2'], rows, { statements: 1, report });
    await expect(stream(list, { isSnapshot: false })).rejects.toMatchObject(CHANGING);
  });

  test('looks at the accounts before a list without rows of their own is read to its end', async () => {
    const list = limitedList(['1'], () => [rowOf('8', 1), rowOf('8', 2)]);
    await stream(list, { isSnapshot: false });
    expect(list.calls).toEqual(['begin', 'assume 1', 'row of 1', 'look 1', '', 'row of 1', '', 'close']);
  });
});
