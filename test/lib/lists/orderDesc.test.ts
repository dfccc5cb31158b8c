import type { Knex } from 'knex';
import { operations } from '../../../routes';
import { describeEachEngine, describeOneEngine, shareOf } from '../../fixture/databases';
import { type ListPanel, startListPanel } from '../../fixture/listPanel';
import { createPanelTables } from '../../fixture/panelTables';

const lists = operations.filter(({ kind }) => kind === 'list').map(({ name }) => name);

const IDS = Array.from({ length: 7 }, (_, index) => index + 1);
const KEYS = IDS.map((id) => `key.${id}`);

async function setUp(knex: Knex): Promise<void> {
  await createPanelTables(knex);
  for (const name of lists) {
    if (name === 'services') continue;
    if (name === 'settings') await knex(name).insert(KEYS.map((key) => ({ key, value: 'x' })));
    else await knex(name).insert(IDS.map((id) => ({ id })));
  }
}

describeEachEngine('order=desc', (engine) => {
  let list: ListPanel;

  beforeAll(async () => {
    list = await startListPanel(engine, setUp, {
      settings: { keys: KEYS },
      services: {
        // Without a time of its own, two requests in two seconds differ.
        fields: ['id', 'name', 'status', 'checked_at'],
        rows: () =>
          IDS.map((id) => ({
            id: `unit-${id}`,
            name: 'x',
            status: 'running',
            checked_at: '2026-01-01T00:00:00+00:00',
          })),
      },
      email: [
        {},
        {
          table: 'cron',
          fields: { address: { value: 'x' }, type: { value: 'list' }, status: { value: 'active' } },
        },
        {
          fields: ['id', 'address', 'type', 'status'],
          rows: () => ['a', 'b', 'c'].map((id) => ({ id, address: id, type: 'list', status: 'active' })),
        },
      ],
    });
  });

  test.each(shareOf(engine, lists))('returns all rows of %s backwards', async (name) => {
    const whole = await list.items(`${name}.php`);
    expect(whole.length).toBeGreaterThanOrEqual(IDS.length);
    expect(await list.items(`${name}.php?order=desc`)).toEqual(whole.toReversed());
  });

  test.each(shareOf(engine, lists))('returns %s backwards page by page', async (name) => {
    const keys = (await list.keys(`${name}.php`)).toReversed();
    for (const limit of [1, 2, 3, keys.length]) {
      const pages = await list.pages(
        `${name}.php?order=desc&fields=${name === 'settings' ? 'key' : 'id'}&limit=${limit}`,
      );
      expect(pages.flat().map((item) => Object.values(item)[0])).toEqual(keys);
      expect(pages).toHaveLength(Math.ceil(keys.length / limit));
    }
  });

  test('has the rest of its list in a Link', async () => {
    const { headers } = await list.get('jobs.php?order=desc&limit=4');
    const [, next = ''] = /<\/api\/v1\/(.*)>; rel="next"/.exec(headers.get('link') ?? '') ?? [];
    expect(await list.keys(next)).toEqual([3, 2, 1]);
  });

  test('keeps a token to the rows of its account', async () => {
    await list.database.knex('databases').whereIn('id', [2, 5]).update({ account_id: 3 });
    await list.database.knex('accounts').where({ id: 3 }).update({ username: 'anna' });
    const token = await list.bound(3);
    expect(await list.keys('databases.php?order=desc', token)).toEqual([5, 2]);
    expect((await list.pages('databases.php?order=desc&limit=1', token)).flat()).toHaveLength(2);
  });

  test('returns rows that are added during a walk on the first page only', async () => {
    const { next_cursor } = (await list.get('backups.php?order=desc&limit=3')).body.data;
    await list.database.knex('backups').insert({ id: 8 });
    expect(await list.keys(`backups.php?order=desc&cursor=${next_cursor}`)).toEqual([4, 3, 2, 1]);
    expect(await list.keys('backups.php?order=desc&limit=2')).toEqual([8, 7]);
  });

  test('continues after a row that was deleted', async () => {
    const { next_cursor } = (await list.get('websites.php?order=desc&limit=3')).body.data;
    await list.database.knex('websites').whereIn('id', [4, 5]).del();
    expect(await list.keys(`websites.php?order=desc&cursor=${next_cursor}`)).toEqual([3, 2, 1]);
  });
});

describeOneEngine('The parameter order', (engine) => {
  let list: ListPanel;

  beforeAll(async () => {
    const parts = [
      {},
      {
        table: 'cron',
        fields: { address: { value: 'x' }, type: { value: 'list' }, status: { value: 'active' } },
      },
    ];
    list = await startListPanel(engine, setUp, { email: parts as never });
  });

  test.each([
    ['jobs.php?limit=2', 'jobs.php?order=desc&'],
    ['jobs.php?limit=2&order=desc', 'jobs.php?'],
    ['email.php?limit=2&order=desc', 'email.php?'],
  ])('refuses to continue %s as %s', async (from, to) => {
    const { next_cursor } = (await list.get(from)).body.data;
    const { status, body } = await list.get(`${to}cursor=${next_cursor}`);
    expect([status, body.error.parameter]).toEqual([400, 'cursor']);
  });

  test.each(['', 'asc', 'DESC', '-id', 'id', '-queued_at', 'desc,desc', '__proto__', 'null'])(
    'is the only order that there is: %j is refused',
    async (order) => {
      const { status, body } = await list.get(`jobs.php?order=${order}`);
      expect([status, body.error]).toEqual([
        400,
        { code: 'query_invalid', parameter: 'order', allowed: ['desc'] },
      ]);
      expect(body.message).toBe('order must be one of desc.');
    },
  );

  test('is refused twice', async () => {
    const { status, body } = await list.get('jobs.php?order=desc&order=desc');
    expect([status, body.message]).toEqual([400, 'order must be set only once.']);
  });
});

describeOneEngine('order=desc of a long list', (engine) => {
  let list: ListPanel;

  beforeAll(async () => {
    const rows = Array.from({ length: 3000 }, (_, id) => ({ id: id + 1, error: 'x'.repeat(id % 700) }));
    list = await startListPanel(engine, async (knex) => {
      await createPanelTables(knex, ['jobs']);
      await knex.batchInsert('jobs', rows, 100);
    });
  });

  test('is sent in pieces, and is the list backwards', async () => {
    const answer = await list.get('jobs.php?order=desc');
    expect(answer.headers.get('etag')).toBeNull();
    expect(answer.body.data.items).toEqual((await list.items('jobs.php')).toReversed());
  });
});
