import { describeOneEngine } from '../../fixture/databases';
import { type ListPanel, startListPanel } from '../../fixture/listPanel';
import { createPanelTables } from '../../fixture/panelTables';

const ROWS = Array.from({ length: 1001 }, (_, index) => ({
  domain: `d${index}.example`,
  status: index % 3 === 0 ? 'suspended' : 'active',
}));

describeOneEngine('A page', (engine) => {
  let list: ListPanel;

  beforeAll(async () => {
    list = await startListPanel(engine, async (knex) => {
      await createPanelTables(knex, ['domains', 'jobs', 'accounts']);
      await knex.batchInsert('domains', ROWS, 100);
      await knex('accounts').insert([{ username: 'anna' }, { username: 'bert' }, { username: 'cleo' }]);
    });
  });

  test.each([1000, 999, 501, 334])('of %i rows and those after it make the whole list', async (limit) => {
    const whole = await list.items('domains.php');
    const pages = await list.pages(`domains.php?limit=${limit}`);
    expect(pages.flat()).toEqual(whole);
    expect(whole).toHaveLength(ROWS.length);
    expect(pages.slice(0, -1).every(({ length }) => length === limit)).toBe(true);
  });

  test.each([
    [1, [1, 1, 1]],
    [2, [2, 1]],
    [3, [3]],
    [4, [3]],
  ])('of %i rows of three is not followed by an empty one', async (limit, lengths) => {
    const pages = await list.pages(`accounts.php?limit=${limit}`);
    expect(pages.map(({ length }) => length)).toEqual(lengths);
  });

  test('has no Link of more than 4096 characters, but the cursor of the next one', async () => {
    const longest = 4096;
    const values = `active,${`${'x'.repeat(1000)},`.repeat(3)}`;
    const page = (padding: number) => list.get(`domains.php?limit=1&status=${values}${'y'.repeat(padding)}`);
    const { length } = (await page(1)).headers.get('link') ?? '';
    const full = longest - length + 1;
    expect((await page(full)).headers.get('link')).toHaveLength(longest);
    const { body, headers } = await page(full + 1);
    expect([headers.get('link'), typeof body.data.next_cursor]).toEqual([null, 'string']);
  });

  test('of an empty list is the last', async () => {
    const { body, headers } = await list.get('jobs.php?limit=5');
    expect(body.data).toEqual({ resource: 'jobs', items: [], next_cursor: null });
    expect(headers.get('link')).toBeNull();
  });

  test('holds a hundred rows if a cursor alone is given', async () => {
    const { next_cursor } = (await list.get('domains.php?limit=2')).body.data;
    const { items } = (await list.get(`domains.php?cursor=${next_cursor}`)).body.data;
    expect(items.map(({ id }: { id: number }) => id)).toEqual(Array.from({ length: 100 }, (_, i) => i + 3));
  });

  test('holds only rows that match the filters, and is full nevertheless', async () => {
    const pages = await list.pages('domains.php?status=suspended&limit=100');
    expect(pages.map(({ length }) => length)).toEqual([100, 100, 100, 34]);
    expect(pages.flat()).toEqual(await list.items('domains.php?status=suspended'));
  });

  test('has the rest of its list in a Link that keeps the other parameters', async () => {
    const path = 'domains.php?limit=300&status=active,%20,%3E%22%C3%BC&fields=domain';
    const found: unknown[] = [];
    let url = new URL(`/api/v1/${path}`, list.panel.url);
    for (;;) {
      const { body, headers } = await list.get(`domains.php${url.search}`);
      found.push(...body.data.items);
      const [, target] =
        /^<(\/api\/v1\/domains\.php\?[!-~]+)>; rel="next"$/.exec(headers.get('link') ?? '') ?? [];
      expect(target === undefined).toBe(body.data.next_cursor === null);
      if (target === undefined) break;
      url = new URL(target, url);
      expect(url.pathname).toBe('/api/v1/domains.php');
      expect(Object.fromEntries(url.searchParams)).toEqual({
        limit: '300',
        status: 'active, ,>"ü',
        fields: 'domain',
        cursor: body.data.next_cursor,
      });
    }
    expect(found).toEqual(await list.items('domains.php?status=active&fields=domain'));
    expect(found).toHaveLength(667);
  });

  test('may be longer or shorter than the one before', async () => {
    const { next_cursor } = (await list.get('domains.php?limit=2')).body.data;
    expect(await list.keys(`domains.php?limit=3&fields=id&cursor=${next_cursor}`)).toEqual([3, 4, 5]);
  });
});

describeOneEngine('Rows that change between two pages', (engine) => {
  let list: ListPanel;

  beforeAll(async () => {
    list = await startListPanel(engine, (knex) => createPanelTables(knex, ['jobs']));
  });

  beforeEach(async () => {
    await list.database.knex('jobs').del();
    await list.database
      .knex('jobs')
      .insert([10, 20, 30, 40].map((id) => ({ id, type: 'backup', status: 'queued' })));
  });

  const cursorBehind = async (limit: number) =>
    (await list.get(`jobs.php?limit=${limit}`)).body.data.next_cursor;

  test('skip no other row when one before the cursor is deleted', async () => {
    const cursor = await cursorBehind(2);
    await list.database.knex('jobs').where({ id: 10 }).del();
    expect(await list.keys(`jobs.php?limit=2&cursor=${cursor}`)).toEqual([30, 40]);
  });

  test('repeat no row when one before the cursor is added', async () => {
    const cursor = await cursorBehind(2);
    await list.database.knex('jobs').insert({ id: 5, type: 'backup', status: 'queued' });
    expect(await list.keys(`jobs.php?limit=2&cursor=${cursor}`)).toEqual([30, 40]);
  });

  test('are in the next page when they are added after the cursor', async () => {
    const cursor = await cursorBehind(2);
    await list.database.knex('jobs').insert({ id: 25, type: 'backup', status: 'queued' });
    expect(await list.keys(`jobs.php?limit=2&cursor=${cursor}`)).toEqual([25, 30]);
  });

  test('leave the cursor of a row valid when that very row is deleted', async () => {
    const cursor = await cursorBehind(2);
    await list.database.knex('jobs').where({ id: 20 }).del();
    expect(await list.keys(`jobs.php?limit=2&cursor=${cursor}`)).toEqual([30, 40]);
  });

  test('leave an empty last page when all after the cursor are deleted', async () => {
    const cursor = await cursorBehind(2);
    await list.database.knex('jobs').where('id', '>', 20).del();
    expect((await list.get(`jobs.php?cursor=${cursor}`)).body.data).toEqual({
      resource: 'jobs',
      items: [],
      next_cursor: null,
    });
  });
});
