import type { Knex } from 'knex';
import { operations } from '../../../routes';
import { describeEachEngine, describeOneEngine, shareOf } from '../../fixture/databases';
import { type Item, type ListPanel, startListPanel } from '../../fixture/listPanel';
import { AUTHOR } from '../../fixture/panel';
import { createPanelTables } from '../../fixture/panelTables';
import { sourcePanels } from '../../fixture/sources/sourcePanels';

const lists = operations.filter(({ kind }) => kind === 'list').map(({ name }) => name);

const IDS = Array.from({ length: 9 }, (_, index) => index + 1);
const STATUSES = ['active', 'suspended', 'Active', 'active ', 'ACTIVE', null, '', 'active', 'pending'];
const KEYS = IDS.map((id) => `key.${id}`);

async function setUp(knex: Knex): Promise<void> {
  await createPanelTables(knex);
  for (const name of lists) {
    const { fields = {} } = operations.find((operation) => operation.name === name) ?? {};
    if (name === 'services') continue;
    if (name === 'settings') await knex(name).insert(KEYS.map((key) => ({ key, value: 'x' })));
    else
      await knex(name).insert(
        IDS.map((id, index) => ({ id, ...('status' in fields ? { status: STATUSES[index] } : {}) })),
      );
  }
  await knex('accounts').update({ username: 'x', plan: 'Gold', disk_used_bytes: 5 });
  await knex('accounts')
    .where('id', '<', 4)
    .update({ plan: 'basic', disk_used_bytes: '4611686018427387904' });
  await knex('accounts').where({ id: 4 }).update({ plan: null, disk_used_bytes: -1, suspend_reason: 'x' });
  await knex('accounts').where({ id: 5 }).update({ disk_used_bytes: null });
  await knex('domains').update({ account_id: 1 });
  await knex('domains').where('id', '>', 6).update({ account_id: 2 });
  await knex('domains').where({ id: 9 }).update({ updated_at: '2026-06-12 00:00:00' });
  await knex('domains').where({ id: 8 }).update({ updated_at: '2026-06-11 23:59:59' });
  await knex('backups').update({ size_bytes: 3 });
  await knex('backups').where({ id: 1 }).update({ size_bytes: 0 });
}

/** How many of the items have each value that is not null. */
function countsOf(items: readonly Item[], name: string): Readonly<Record<string, number>> {
  const values = items.map((item) => item[name]).filter((value) => value !== null && value !== undefined);
  return Object.fromEntries(
    [...new Set(values.map(String))].map((word) => [
      word,
      values.filter((value) => String(value) === word).length,
    ]),
  );
}

describeEachEngine('Figures', (engine) => {
  let list: ListPanel;

  beforeAll(async () => {
    list = await startListPanel(engine, setUp, {
      settings: { keys: KEYS.slice(1) },
      services: {
        fields: ['id', 'name', 'status', 'memory_bytes'],
        rows: () => [
          { id: 'a', name: 'x', status: 'stopped' },
          { id: 'b', name: 'x', status: 'running', memory_bytes: 2n ** 60n },
          { id: 'c', name: 'x', status: 'running', memory_bytes: 1 },
        ],
      },
      backups: { fields: { size_bytes: { column: 'size_bytes', unit: 'GB', null: [0, '03', 'none'] } } },
      email: [
        {},
        {
          table: 'cron',
          fields: { address: { value: 'x' }, type: { value: 'list' }, status: { value: 'active' } },
        },
      ],
      websites: [
        {},
        {
          fields: ['id', 'domain', 'status'],
          rows: () => ['a', 'b'].map((id) => ({ id, domain: id, status: 'active' })),
        },
      ],
    });
  });

  const figures = async (path: string, token?: string) => {
    const { status, body } = await list.get(path, token);
    expect([path, status, body.error]).toEqual([path, 200, undefined]);
    const { resource: _, items, next_cursor, ...rest } = body.data;
    expect([items, next_cursor]).toEqual([[], undefined]);
    return rest;
  };

  test.each(shareOf(engine, lists))('count the rows of %s', async (name) => {
    const items = await list.items(`${name}.php`);
    expect(await figures(`${name}.php?count=true`)).toEqual({ total: items.length });
  });

  test.each(
    shareOf(
      engine,
      lists.filter((name) => !['databases', 'settings'].includes(name)),
    ),
  )('count the rows of %s by their status, as the items show it', async (name) => {
    const items = await list.items(`${name}.php`);
    if (!('status' in (items[0] ?? {}))) return;
    expect(await figures(`${name}.php?count=status`)).toEqual({
      total: items.length,
      counts: countsOf(items, 'status'),
    });
  });

  test('leave rows without a value out of the counts', async () => {
    expect(await figures('accounts.php?count=plan')).toEqual({ total: 9, counts: { Gold: 5, basic: 3 } });
  });

  test('count only the rows that match exactly', async () => {
    expect(await figures('domains.php?count=true&status=active')).toEqual({ total: 2 });
    expect(await figures('domains.php?count=status&status=Active,active%20,pending')).toEqual({
      total: 3,
      counts: { Active: 1, 'active ': 1, pending: 1 },
    });
    expect(await figures('domains.php?count=true&updated_since=2026-06-12')).toEqual({ total: 1 });
    expect(await figures('domains.php?count=true&id=1,2,77')).toEqual({ total: 2 });
    expect(await figures('domains.php?count=status&status=nothing')).toEqual({
      total: 0,
      counts: {},
      unknown_words: { status: ['nothing'] },
    });
  });

  test('add up sizes in all their digits, without those that are null', async () => {
    const { text } = await list.get('accounts.php?sum=disk_used_bytes');
    expect(text).toContain(`"total":9,"sums":{"disk_used_bytes":${3n * 4611686018427387904n + 20n}}`);
  });

  test('add up what the field shows: in its unit, without the values that mean null', async () => {
    expect(await figures('backups.php?sum=size_bytes')).toEqual({
      total: 9,
      sums: { size_bytes: 24 * 2 ** 30 },
    });
  });

  test('can be asked for together', async () => {
    const { text } = await list.get('services.php?sum=memory_bytes&count=status');
    expect(text).toContain(
      `"items":[],"total":3,"counts":{"running":2,"stopped":1},"sums":{"memory_bytes":${2n ** 60n + 1n}}`,
    );
    const { sums } = await figures('accounts.php?sum=disk_limit_bytes,disk_used_bytes&plan=Gold');
    expect(sums).toEqual({ disk_limit_bytes: 0, disk_used_bytes: 20 });
  });

  test('of a token of one account are those of its own rows', async () => {
    await list.panel.api.settings.change({ suspendedAccounts: 'allow' }, AUTHOR);
    const token = await list.bound(2);
    expect(await figures('domains.php?count=status', token)).toEqual({
      total: 3,
      counts: countsOf(await list.items('domains.php', token), 'status'),
    });
    expect(await figures('domains.php?count=true&account_id=1', token)).toEqual({ total: 0 });
    expect(await figures('accounts.php?sum=disk_used_bytes&id=7,2', token)).toMatchObject({ total: 1 });
  });

  test('have an ETag, which changes with them', async () => {
    const { headers } = await list.get('domains.php?count=status');
    const etag = headers.get('etag') ?? '';
    const again = () =>
      list.panel
        .token()
        .then((token) =>
          list.panel.get('/api/v1/domains.php?count=status', token, { headers: { 'If-None-Match': etag } }),
        );
    expect((await again()).status).toBe(304);
    await list.database.knex('domains').insert({ id: 10, status: 'active' });
    expect((await again()).status).toBe(200);
    await list.database.knex('domains').where({ id: 10 }).del();
  });
});

describeOneEngine('Figures that are wrong', (engine) => {
  let list: ListPanel;

  beforeAll(async () => {
    list = await startListPanel(engine, (knex) => createPanelTables(knex, ['accounts', 'backups', 'cron']));
  });

  const refused = async (path: string) => {
    const { status, body } = await list.get(path);
    return [status, body.error.parameter, body.message, body.error.allowed];
  };

  test.each(['', 'false', 'domain', 'storage', 'username', 'nothing', '__proto__', 'true,storage'])(
    'are not counted by %j',
    async (name) => {
      const [status, parameter, , allowed] = await refused(`backups.php?count=${name}`);
      expect([status, parameter]).toEqual([400, 'count']);
      expect(allowed).toEqual(['true', 'scope', 'trigger', 'method', 'status', 'encrypted', 'verified']);
    },
  );

  test('are counted by one field', async () => {
    expect(await refused('accounts.php?count=role,status')).toMatchObject([
      400,
      'count',
      'count must be true or one field.',
    ]);
    const [status, , message] = await refused('accounts.php?count=role&count=role');
    expect([status, message]).toEqual([400, 'count must be set only once.']);
  });

  test('are sums of sizes only', async () => {
    expect(await refused('backups.php?sum=duration_ms')).toEqual([
      400,
      'sum',
      'sum must be one of size_bytes.',
      ['size_bytes'],
    ]);
    expect(await refused('cron.php?sum=x')).toMatchObject([400, 'sum', 'Unknown parameter sum.']);
  });

  test.each(['limit=5', 'cursor=x', 'order=desc', 'fields=id'])('are refused beside %s', async (other) => {
    const [name] = other.split('=');
    for (const path of ['count=true', 'sum=disk_used_bytes', 'count=status'])
      expect(await refused(`accounts.php?${path}&${other}`)).toMatchObject([
        400,
        name,
        `${name} must be left out, because an answer to count or sum contains no items.`,
      ]);
  });
});

describeOneEngine('Figures of many rows', (engine) => {
  let list: ListPanel;

  beforeAll(async () => {
    list = await startListPanel(engine, async (knex) => {
      await createPanelTables(knex, ['jobs', 'domains']);
      const rows = Array.from({ length: 10_101 }, (_, index) => ({
        id: index + 1,
        type: `t${index % 101}`,
        status: index % 3 === 0 ? 'failed' : 'running',
      }));
      await knex.batchInsert('jobs', rows, 200);
      const domains = rows.map(({ id }) => ({
        id,
        updated_at: new Date(Date.UTC(2026) + id * 1000).toISOString().slice(0, 19).replace('T', ' '),
      }));
      await knex.batchInsert('domains', domains, 100);
    });
  });

  test('have at most 100 values', async () => {
    const { status, body } = await list.get('jobs.php?count=type');
    expect([status, body.message]).toEqual([400, 'count must be a field with at most 100 values.']);
    const counted = await list.get('jobs.php?count=type&type=t1,t2&status=failed');
    expect(counted.body.data).toMatchObject({ total: 66, counts: { t1: 33, t2: 33 } });
    const types = Array.from({ length: 100 }, (_, index) => `t${index}`);
    const most = await list.get(`jobs.php?count=type&type=${types}`);
    expect(Object.keys(most.body.data.counts)).toEqual(types.toSorted());
  });

  test('are exact although the database tells too many groups apart', async () => {
    const { body } = await list.get('domains.php?count=true&updated_since=2026-01-01T00:00:31Z');
    expect(body.data.total).toBe(10_071);
  });
});

describeEachEngine('Figures of a query', (engine) => {
  const panels = sourcePanels(engine);
  const fields = { id: 'j.id', type: 'j.type', status: 'j.status' };
  const rows = ['a', 'b', 'b', 'A', null].map((type) => ({ type, status: 'queued' }));

  beforeEach(() => panels.table('tasks', { type: 'string', status: 'string' }, rows));

  test.each<[string, (db: Knex) => Knex.QueryBuilder]>([
    ['a condition', (db) => db('tasks as j').where('j.id', '<', 4).orWhereNull('j.type')],
    ['GROUP BY', (db) => db('tasks as j').where('j.id', '<', 4).groupBy('j.id', 'j.type', 'j.status')],
    ['a join', (db) => db('tasks as j').join('tasks as k', 'k.id', 'j.id').orderBy('j.type')],
  ])('with %s are those of its rows', async (_what, query) => {
    const { get, items } = await panels.start({
      jobs: { query, fields: { ...fields, type: { column: 'j.type', values: { a: 'x' } } } },
    });
    const shown = await items('jobs');
    for (const [path, of] of [
      ['count=type', shown],
      ['count=type&type=unknown', shown.filter(({ type }) => type === 'unknown')],
    ] as const) {
      const { body } = await get(`jobs.php?${path}`);
      expect([path, body.data.total, body.data.counts]).toEqual([path, of.length, countsOf(of, 'type')]);
    }
  });

  test('apply ranges', async () => {
    await panels.table('sites', { disk_used_bytes: 'bigInteger', domain: 'string', status: 'string' }, [
      { disk_used_bytes: 1, domain: 'a', status: 'active' },
      { disk_used_bytes: 5, domain: 'b', status: 'active' },
      { disk_used_bytes: -5, domain: 'c', status: 'active' },
    ]);
    const { get } = await panels.start({ websites: { table: 'sites' } });
    const { body } = await get('websites.php?count=status&sum=disk_used_bytes&disk_used_bytes_max=4');
    expect(body.data).toMatchObject({ total: 1, counts: { active: 1 }, sums: { disk_used_bytes: 1 } });
  });
});

describeOneEngine('Figures of several parts', (engine) => {
  const panels = sourcePanels(engine);

  test('leave out the rows of a part that has no such field', async () => {
    const columns = { username: 'string', status: 'string' } as const;
    await panels.table('accounts', { ...columns, plan: 'string' }, [
      { username: 'a', status: 'active', plan: 'gold' },
      { username: 'b', status: 'active', plan: 'gold' },
    ]);
    await panels.table('resellers', columns, [{ username: 'c', status: 'active' }]);
    const { get } = await panels.start({ accounts: [{}, { table: 'resellers' }] });
    const { body } = await get('accounts.php?count=plan');
    expect(body.data).toMatchObject({ total: 3, counts: { gold: 2 } });
    expect(Object.keys(body.data.counts)).toEqual(['gold']);
  });
});

describe('Figures of a function', () => {
  const panels = sourcePanels('sqlite');
  const rowsOf = (length: number) => () =>
    Array.from({ length }, (_, index) => ({
      id: index + 1,
      username: 'x',
      status: 'active',
      disk_used_bytes: 1,
    }));

  test.each([
    [100_000, 200],
    [100_001, 400],
  ])('of %i rows are answered with %i', async (length, expected) => {
    const sources = {
      accounts: {
        fields: ['id', 'username', 'status', 'disk_used_bytes'],
        ids: 'integer',
        rows: rowsOf(length),
      },
    } as const;
    const { get } = await panels.start(sources, { deadlineMs: 60_000 });
    const reason =
      'must be left out or combined with filters: these rows must be read one by one, which is done for at most 100,000 rows.';
    const figures = { total: length, counts: { active: length }, sums: { disk_used_bytes: length } };
    const both = 'count=status&sum=disk_used_bytes';
    for (const [parameter, query] of expected === 200
      ? [['both', both]]
      : [
          ['count', 'count=status'],
          ['sum', both],
        ]) {
      const { status, body } = await get(`accounts.php?${query}`);
      expect(status).toBe(expected);
      if (status === 200) expect(body.data).toMatchObject(figures);
      else expect([body.error.parameter, body.message]).toEqual([parameter, `${parameter} ${reason}`]);
    }
  });
});
