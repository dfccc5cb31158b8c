import { describeOneEngine } from '../../fixture/databases';
import { type ListPanel, startListPanel } from '../../fixture/listPanel';
import { createPanelTables } from '../../fixture/panelTables';

const PATHS = [
  'jobs.php',
  'jobs.php?limit=2',
  'jobs.php?limit=1000',
  'jobs.php?order=desc',
  'jobs.php?status=queued',
  'jobs.php?status=nothing',
  'jobs.php?fields=type',
  'jobs.php?type=a,b&limit=1&fields=status',
];

describeOneEngine('The validator of a list', (engine) => {
  let list: ListPanel;
  let token: string;

  beforeAll(async () => {
    list = await startListPanel(engine, async (knex) => {
      await createPanelTables(knex, ['jobs']);
      await knex('jobs').insert(['a', 'b', 'c'].map((type) => ({ type, status: 'queued' })));
    });
    token = await list.panel.token();
  });

  const send = (path: string, init: RequestInit = {}) => list.panel.get(`/api/v1/${path}`, token, init);
  const etagOf = async (path: string) => (await send(path)).headers.get('etag') ?? '';

  test.each(PATHS)('of %s leads to 304 as long as the data is the same', async (path) => {
    const first = await send(path);
    const etag = first.headers.get('etag') ?? '';
    expect(etag).toMatch(/^W\/"[\w-]+"$/);
    const again = await send(path, { headers: { 'If-None-Match': etag } });
    expect([again.status, again.text, again.headers.get('etag')]).toEqual([304, '', etag]);
    for (const named of ['W/"other"', etag.slice(2).replace(/"$/, 'W/"')]) {
      const other = await send(path, { headers: { 'If-None-Match': named } });
      expect([other.status, other.body.data]).toEqual([200, first.body.data]);
    }
  });

  test.each(PATHS)('of %s is sent to HEAD with the other headers', async (path) => {
    const [whole, head] = [await send(path), await send(path, { method: 'HEAD' })];
    expect([head.status, head.text]).toEqual([200, '']);
    for (const name of ['etag', 'link', 'content-length', 'content-type']) {
      expect([name, head.headers.get(name)]).toEqual([name, whole.headers.get(name)]);
    }
    const etag = whole.headers.get('etag') ?? '';
    expect((await send(path, { method: 'HEAD', headers: { 'If-None-Match': etag } })).status).toBe(304);
  });

  test('differs for different data', async () => {
    const paths = PATHS.filter((path) => path !== 'jobs.php?status=queued');
    expect(new Set(await Promise.all(paths.map(etagOf))).size).toBe(paths.length);
    expect(await etagOf('jobs.php?status=queued')).toBe(await etagOf('jobs.php'));
  });

  test('of a page changes when a next page is added', async () => {
    const path = 'jobs.php?limit=3';
    const etag = await etagOf(path);
    await list.database.knex('jobs').insert({ id: 100, type: 'd', status: 'queued' });
    const { status, headers } = await send(path, { headers: { 'If-None-Match': etag } });
    expect([status, headers.get('link')]).toEqual([200, expect.stringContaining('rel="next"')]);
    await list.database.knex('jobs').where({ id: 100 }).del();
    expect((await send(path, { headers: { 'If-None-Match': etag } })).status).toBe(304);
  });

  test('of a filtered list does not change when other rows change', async () => {
    const etag = await etagOf('jobs.php?type=a');
    await list.database.knex('jobs').where({ type: 'b' }).update({ status: 'running' });
    expect((await send('jobs.php?type=a', { headers: { 'If-None-Match': etag } })).status).toBe(304);
    await list.database.knex('jobs').where({ type: 'a' }).update({ status: 'running' });
    expect((await send('jobs.php?type=a', { headers: { 'If-None-Match': etag } })).status).toBe(200);
    await list.database.knex('jobs').update({ status: 'queued' });
  });

  test('differs between accounts', async () => {
    const free = await etagOf('jobs.php');
    const bound = await list.bound(1);
    const answer = await list.panel.get('/api/v1/jobs.php', bound, { headers: { 'If-None-Match': free } });
    expect([answer.status, answer.body.data.items]).toEqual([200, []]);
  });

  test('is absent if a parameter is refused', async () => {
    const { status, headers } = await send('jobs.php?limit=0', { headers: { 'If-None-Match': '*' } });
    expect([status, headers.get('etag'), headers.get('link')]).toEqual([400, null, null]);
  });
});
