import type { Sources } from '../../../../index';
import { describeEachEngine } from '../../../fixture/databases';
import { type ColumnType, sourcePanels } from '../../../fixture/sources/sourcePanels';

const SERVERS = ['b', 'a', 'c'];

/** Columns of which each is a key together with `server`, and their values. */
const SECOND: Readonly<Record<string, readonly [ColumnType, readonly unknown[]]>> = {
  'a whole number': ['integer', [10, 9, -1]],
  'a big number': ['bigInteger', ['9007199254740993', '9007199254740992', '5']],
  'a decimal': ['decimal', ['10.50', '9.00', '9.10']],
  'a day': ['date', ['2026-06-12', '2026-01-31', '9999-12-31']],
  'a date and time': ['datetime', ['2026-06-12 10:00:00', '2026-06-12 09:59:59', '1969-01-01 00:00:00']],
  'a text': ['string', ['10', '9', 'z']],
};

describeEachEngine('A key of several columns', (engine) => {
  const panels = sourcePanels(engine);

  const jobs: Sources['jobs'] = {
    table: 'runs',
    fields: {
      id: { columns: { server: 'server', part: 'part' }, compute: ({ server, part }) => `${server}/${part}` },
      type: { value: 'deploy' },
      status: { value: 'queued' },
    },
  };
  const run = (server: unknown, part: unknown) => ({ id: 1, server, part });
  const pages = async (
    get: (path: string) => Promise<{ body: { data: { items: unknown[]; next_cursor: string | null } } }>,
    limit: number,
    order = '',
  ) => {
    const found: unknown[] = [];
    let cursor = '';
    do {
      const { body } = await get(`jobs.php?limit=${limit}${order}${cursor && `&cursor=${cursor}`}`);
      found.push(...body.data.items);
      cursor = body.data.next_cursor ?? '';
    } while (cursor !== '' && found.length < 1000);
    return found;
  };

  test.each(Object.entries(SECOND))(
    'with %s has the same rows in pages as in the whole',
    async (_, [type, held]) => {
      const rows = SERVERS.flatMap((server) => held.map((part) => run(server, part)));
      await panels.table('runs', { id: 'integer', server: 'native varchar(9)', part: type }, rows);
      const { items, get } = await panels.start({ jobs });
      const whole = await items('jobs');
      expect(whole).toHaveLength(9);
      expect(whole.map(({ id }) => id[0])).toEqual([...'aaabbbccc']);
      for (const limit of [1, 2, 5]) {
        expect(await pages(get, limit)).toEqual(whole);
        expect(await pages(get, limit, '&order=desc')).toEqual(whole.toReversed());
      }
    },
  );

  test('is sorted by its columns, not by the text that is composed of them', async () => {
    const rows = [10, 9, 100].map((part) => run('a', part));
    await panels.table('runs', { id: 'integer', server: 'string', part: 'integer' }, rows);
    const { items } = await panels.start({ jobs });
    expect((await items('jobs')).map(({ id }) => id)).toEqual(['a/9', 'a/10', 'a/100']);
  });

  test('of a long list loses no row', async () => {
    await panels.table('runs', { id: 'integer', server: 'string', part: 'integer' });
    const rows = Array.from({ length: 2001 }, (_, index) => run(`s${index % 3}`, index));
    await panels.knex.batchInsert('runs', rows, 200);
    const { items } = await panels.start({ jobs });
    expect(new Set((await items('jobs')).map(({ id }) => id)).size).toBe(2001);
  });

  test('cannot be filtered', async () => {
    await panels.table('runs', { id: 'integer', server: 'string', part: 'integer' });
    const { get } = await panels.start({ jobs });
    expect((await get('jobs.php?id=a/1')).body.error).toMatchObject({
      code: 'query_invalid',
      parameter: 'id',
    });
  });

  test.each([
    ['the same', '', [run('a', 1), run('a', 1)]],
    ['the same', '&order=desc', [run('a', 1), run('a', 1)]],
    ['the same but for its case', '', [run('a', 1), run('A', 1)]],
    ['the same but for its case', '&order=desc', [run('a', 1), run('A', 1)]],
  ])('that is %s in two rows loses none of them in pages (%j)', async (_, order, rows) => {
    await panels.table('runs', { id: 'integer', server: 'string', part: 'integer' }, rows);
    const { get, panel } = await panels.start({ jobs });
    const first = await get(`jobs.php?limit=1${order}`);
    const cursor = first.body.data?.next_cursor;
    const last = cursor ? await get(`jobs.php?limit=1${order}&cursor=${cursor}`) : first;
    if (last.status === 200) {
      expect(last.body.data).toMatchObject({ items: [expect.anything()], next_cursor: null });
      return;
    }
    expect(last.status).toBe(500);
    expect((await panel.requestLines(1)).at(-1)?.fields.cause).toBe('KeyNotUnique');
  });

  test('that is null in a row is an error, and no row is lost', async () => {
    await panels.table('runs', { id: 'integer', server: 'string', part: 'integer' }, [
      run('a', null),
      run('a', 1),
    ]);
    const { get, panel } = await panels.start({ jobs });
    expect((await get('jobs.php')).status).toBe(500);
    expect((await panel.requestLines(1))[0]?.fields).toMatchObject({
      cause: 'UnreadableRow',
      cause_field: 'id',
    });
  });
});
