import type { FunctionQuery } from '../../../../lib/sources/SourceOptions';
import {
  type FunctionPanel,
  type RowsFunction,
  startFunctionPanel,
} from '../../../fixture/streams/functionPanel';
import { DOMAINS } from '../../../fixture/streams/longPanel';
import { idsFrom, rowOf } from '../../../fixture/streams/longTable';
import { until } from '../../../fixture/until';
import { isWhole } from '../../../prove/scale';

/** More than one MiB, so that they are sent as a stream. */
const ROWS = isWhole ? 12_000 : 6000;
const DEADLINE_MS = 3000;

interface Item {
  readonly id: number;
  readonly account_id: number;
}

const rows = idsFrom(1, ROWS).map((id) => ({
  ...rowOf(id),
  id,
  account_id: id % 3,
  updated_at: id % 2 === 0 ? '2026-06-12T00:00:00Z' : new Date('2025-06-12T00:00:00Z'),
}));

async function* oneByOne() {
  for (const row of rows) yield row;
}

const forms: Readonly<Record<string, RowsFunction>> = {
  'an array': () => rows.toReversed(),
  'a promise of an array': async () =>
    rows.toSorted((one, other) => String(one.id).localeCompare(String(other.id))),
  'an iterable': () => new Set(rows),
  'a generator': () => rows.values(),
  'a promise of an async generator': async () => oneByOne(),
};

type Heeded = 'filters' | 'after' | 'limit';

const some = rows.slice(0, isWhole ? 90 : 45);

const heeded: readonly (readonly Heeded[])[] = [
  [],
  ['limit'],
  ['after'],
  ['filters'],
  ['after', 'limit'],
  ['filters', 'limit'],
  ['filters', 'after', 'limit'],
];

/** The rows of a function that applies only a part of the query. */
function rowsFor(heeds: readonly Heeded[], { filters, accountId, ranges, after, limit }: FunctionQuery) {
  const account = filters.account_id ?? (accountId === null ? null : [accountId]);
  return some
    .filter(
      ({ account_id, updated_at }) =>
        !heeds.includes('filters') ||
        ((account === null || account.includes(String(account_id))) &&
          new Date(updated_at) >= (ranges.updated_at?.since ?? new Date(0))),
    )
    .filter(({ id }) => !heeds.includes('after') || after === null || id > Number(after))
    .slice(0, heeds.includes('limit') && limit !== null ? limit : undefined);
}

const shapes: Readonly<
  Record<string, (given: readonly (typeof rows)[number][]) => ReturnType<RowsFunction>>
> = {
  'an array': (given) => [...given],
  'an iterator': (given) => given.values(),
  'an async iterator': async function* (given) {
    yield* given;
  },
};

const idsWhere = (test: (row: (typeof rows)[number]) => boolean) => some.filter(test).map(({ id }) => id);

const tensOf = (ids: readonly number[]) =>
  Array.from({ length: Math.ceil(ids.length / 10) }, (_, index) => ids.slice(10 * index, 10 * index + 10));

/** Parameters, the account of the token, and the ids of the rows that pass. */
const paged: readonly (readonly [string, string | undefined, readonly number[]])[] = [
  ['', undefined, idsWhere(() => true)],
  ['', '2', idsWhere(({ account_id }) => account_id === 2)],
  ['&account_id=0,1', undefined, idsWhere(({ account_id }) => account_id < 2)],
  ['&updated_since=2026-01-01', undefined, idsWhere(({ id }) => id % 2 === 0)],
];

describe('A function of the panel that returns a list', () => {
  let long: FunctionPanel;

  beforeAll(async () => {
    long = await startFunctionPanel(DEADLINE_MS);
  });

  const items = async (query: string, token = long.token): Promise<Item[]> => {
    const { response, rest } = await long.open(DOMAINS + query, {
      headers: { Authorization: `Bearer ${token}` },
    });
    expect(response.statusCode).toBe(200);
    return JSON.parse((await rest()).text).data.items;
  };
  const ids = async (query: string, token?: string) => (await items(query, token)).map(({ id }) => id);

  /** The ids of each page, reached by the cursor of the one before. */
  const pagesOf = async (path: string, token: string) => {
    const pages: (readonly number[])[] = [];
    let cursor = '';
    do {
      const { data } = (await long.panel.get(path + cursor, token)).body;
      pages.push(data.items.map(({ id }: Item) => id));
      cursor = data.next_cursor && `&cursor=${data.next_cursor}`;
    } while (cursor);
    return pages;
  };

  describe.each(Object.keys(forms))('as %s and applies nothing of the query', (form) => {
    beforeAll(() => long.setRows(forms[form]!));

    test('is whole, in the order of the ids', async () => {
      expect(await ids('')).toEqual(idsFrom(1, ROWS));
    });

    test('is read backwards', async () => {
      expect(await ids('?order=desc')).toEqual(idsFrom(1, ROWS).toReversed());
    });

    test('is filtered', async () => {
      expect(await ids('?account_id=0,2&id=1,2,3')).toEqual([2, 3]);
      expect(await ids('?updated_since=2026-01-01')).toEqual(idsFrom(1, ROWS).filter((id) => id % 2 === 0));
    });

    test('is paged without a gap and a repetition', async () => {
      const found: number[] = [];
      let cursor = '';
      do {
        const { rest } = await long.open(`${DOMAINS}?limit=1000&account_id=1${cursor}`);
        const { data } = JSON.parse((await rest()).text);
        found.push(...data.items.map(({ id }: Item) => id));
        cursor = data.next_cursor && `&cursor=${data.next_cursor}`;
      } while (cursor);
      expect(found).toEqual(idsFrom(1, ROWS).filter((id) => id % 3 === 1));
    });

    test('is kept to the account of the token', async () => {
      const token = await long.panel.token({ accountId: '2' });
      const own = await items('', token);
      expect(own).toHaveLength(ROWS / 3);
      expect(own.filter(({ account_id }) => account_id !== 2)).toEqual([]);
      expect(await ids('?account_id=1', token)).toEqual([]);
    });
  });

  describe.each(heeded.map((heeds, index) => ({ heeds, index })))(
    'and applies $heeds alone',
    ({ heeds, index }) => {
      // In a whole proof each in all shapes.
      test.each(Object.keys(shapes).filter((_, at) => isWhole || at === index % 3))(
        'as %s has every row that passes, page by page',
        async (shape) => {
          long.setRows((query) => shapes[shape]!(rowsFor(heeds, query)));
          for (const [query, accountId, expected] of paged) {
            const token = await long.panel.token(accountId === undefined ? {} : { accountId });
            const pages = await pagesOf(`${DOMAINS}?limit=10${query}`, token);
            expect([query, pages.flat()]).toEqual([query, expected]);
            expect(pages.slice(0, -1).filter(({ length }) => length !== 10)).toEqual([]);
            const backwards = await pagesOf(`${DOMAINS}?limit=10&order=desc${query}`, token);
            expect([query, backwards]).toEqual([query, tensOf(expected.toReversed())]);
          }
        },
      );
    },
  );

  test('is called once for a page, and once more for all rows after it if it does not apply the filter', async () => {
    const limits: (number | null)[] = [];
    const counted = (heeds: readonly Heeded[]) =>
      long.setRows((query) => {
        limits.push(query.limit);
        return rowsFor(heeds, query);
      });
    counted(['filters', 'after', 'limit']);
    await items('?limit=10&account_id=1');
    counted(['after', 'limit']);
    await items('?limit=10&account_id=1');
    expect(limits).toEqual([11, 11, null]);
  });

  test.each(isWhole ? ['', '&limit=5'] : [''])(
    'of more than 100,000 rows is not read backwards (%j)',
    async (query) => {
      const most = 100_000;
      let given = most;
      const row = rowOf(1);
      // On a busy machine these rows take longer than the deadline of the other tests.
      const patient = await startFunctionPanel(30_000);
      patient.setRows(function* () {
        for (let id = 1; id <= given; id += 1) yield { ...row, id };
      });
      const path = `${DOMAINS}?order=desc&fields=id${query}`;
      expect((await patient.panel.get(path, patient.token)).body.data.items[0]).toEqual({ id: most });
      given += 1;
      const { status, body } = await patient.panel.get(path, patient.token);
      expect([status, body.error.parameter, body.message]).toEqual([
        400,
        'order',
        'order must be left out: a list of a function is read backwards only if it has at most 100,000 rows.',
      ]);
    },
  );

  describe('gives a token of one account its rows although those of other accounts', () => {
    const [own, other] = [rowOf(1), rowOf(2)];
    const mixed = (...ids: readonly number[]) =>
      ids.map((id) => ({ ...(id < 10 ? own : other), id, account_id: id < 10 ? 1 : 2 }));
    const faulty = { ...other, account_id: 2, id: undefined };
    const throwing = Object.defineProperty({ ...other, account_id: 2 }, 'id', {
      get: () => {
        throw new Error('of another account');
      },
    });

    const given: Readonly<Record<string, readonly object[]>> = {
      'come twice': mixed(1, 12, 12, 3),
      'are in the wrong order': mixed(1, 14, 12, 3),
      'have no ids': [...mixed(1), faulty, faulty, ...mixed(3)],
      'have ids that throw': [...mixed(1), throwing, ...mixed(3)],
    };

    test.each(
      Object.keys(given).flatMap((name) => Object.keys(shapes).map((shape) => [name, shape] as const)),
    )('%s (%s)', async (name, shape) => {
      const token = await long.panel.token({ accountId: '1' });
      long.setRows(() => shapes[shape]!([...given[name]!] as never));
      for (const query of ['', '?limit=5', '?limit=1', '?order=desc', '?count=true']) {
        const { status, body } = await long.panel.get(DOMAINS + query, token);
        expect([query, status]).toEqual([query, 200]);
        const shown = body.data.items.map(({ id }: Item) => id);
        const expected = { '?limit=1': [1], '?order=desc': [3, 1], '?count=true': [] }[query] ?? [1, 3];
        expect([query, shown]).toEqual([query, expected]);
      }
      expect((await pagesOf(`${DOMAINS}?limit=1`, token)).flat()).toEqual([1, 3]);
    });

    test('are many, if it reads backwards or counts', async () => {
      const patient = await startFunctionPanel(30_000);
      const token = await patient.panel.token({ accountId: '1' });
      patient.setRows(function* () {
        yield* mixed(1, 2);
        for (let id = 11; id <= 100_020; id += 1) yield { ...other, id, account_id: 2 };
      });
      const backwards = await patient.panel.get(`${DOMAINS}?order=desc&fields=id`, token);
      expect([backwards.status, backwards.body.data?.items]).toEqual([200, [{ id: 2 }, { id: 1 }]]);
      const counted = await patient.panel.get(`${DOMAINS}?count=status`, token);
      expect([counted.status, counted.body.data?.total]).toEqual([200, 2]);
      expect((await patient.panel.get(`${DOMAINS}?order=desc&fields=id`, patient.token)).status).toBe(400);
    });

    test('are in a part of a list of several parts', async () => {
      const rowsOf = (...ids: readonly number[]) => ({
        fields: ['id', 'type', 'status', 'account_id'] as const,
        ids: 'integer' as const,
        rows: () => mixed(...ids).map(({ id, account_id }) => ({ id, account_id, type: 'x', status: 'x' })),
      });
      const parts = await startFunctionPanel(DEADLINE_MS, {
        jobs: [rowsOf(1, 12, 12, 3), rowsOf(2, 11, 11)] as never,
      });
      const token = await parts.panel.token({ accountId: '1' });
      for (const order of ['', '&order=desc']) {
        const { status, body } = await parts.panel.get(`/api/v1/jobs.php?limit=9${order}`, token);
        const expected = [10, 30, 21];
        expect([status, body.data?.items.map(({ id }: Item) => id)]).toEqual([
          200,
          order ? expected.toReversed() : expected,
        ]);
      }
    });
  });

  test('applies the limit before the account is read to the last row of the account', async () => {
    const token = await long.panel.token({ accountId: '1' });
    long.setRows(({ after, limit }) =>
      [2, 2, 1, 2, 1, 1, 2]
        .map((account_id, index) => ({ ...rowOf(1), id: index + 1, account_id }))
        .filter(({ id }) => after === null || id > Number(after))
        .slice(0, limit ?? undefined),
    );
    expect(await pagesOf(`${DOMAINS}?limit=1`, token)).toEqual([[3], [5], [6]]);
  });

  test.each(['', '?limit=1000'])('of long rows (%s) is read no further than it is sent', async (query) => {
    let given = 0;
    long.setRows(function* () {
      for (const row of rows.slice(0, 900)) {
        given += 1;
        yield { ...row, domain: 'x'.repeat(150_000) };
      }
    });
    const list = await long.open(DOMAINS + query);
    await list.some();
    // The buffers of the connection hold some megabytes.
    expect(given).toBeLessThan(200);
    list.leave();
  });

  test.each([
    [2 ** 53, '9007199254740992'],
    [7.5, '7'],
  ])('has no row of the account %p for a token of the account %p', async (written, accountId) => {
    const token = await long.panel.token({ accountId });
    long.setRows(() => [{ ...rowOf(1), account_id: written }] as never);
    expect(await items('', token)).toEqual([]);
    long.setRows(() => [{ ...rowOf(1), account_id: BigInt(accountId) }] as never);
    expect(await items('', token)).toHaveLength(1);
  });

  test('receives the query, and an aborted signal when no request waits any more', async () => {
    const asked: Parameters<RowsFunction>[0][] = [];
    long.setRows((query) => {
      asked.push(query);
      return rows.slice(0, 50);
    });
    const token = await long.panel.token({ accountId: '2' });
    await items('?limit=7&updated_since=2026-01-01T00:00:00Z&type=primary,alias', token);
    expect(asked).toEqual([
      {
        filters: { account_id: ['2'], type: ['primary', 'alias'] },
        accountId: expect.anything(),
        ranges: { updated_at: { since: new Date('2026-01-01T00:00:00Z') } },
        search: null,
        after: null,
        limit: 8,
        signal: expect.any(AbortSignal),
      },
    ]);
    expect(String(asked[0]?.accountId)).toBe('2');
    await long.panel.requestLines(1);
    await until(() => asked[0]?.signal.aborted === true);
  });
});
