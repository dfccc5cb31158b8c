import type { FunctionQuery, PanelApiOptions } from '../../../index';
import { describeEachEngine, describeOneEngine } from '../../fixture/databases';
import { type ListPanel, startListPanel } from '../../fixture/listPanel';
import { createPanelTables } from '../../fixture/panelTables';

const JOBS = [
  { id: 1, type: 'backup', status: 'failed', account_id: 1, queued_at: '2026-06-12 00:00:00' },
  { id: 2, type: 'restore', status: 'on hold', account_id: 1, queued_at: '2026-06-12 00:00:00' },
  { id: 3, type: 'migrate', status: 'queued', account_id: 2, queued_at: '2026-06-12 00:00:00' },
];

const start = (engine: Parameters<typeof startListPanel>[0], sources?: PanelApiOptions['sources']) =>
  startListPanel(
    engine,
    async (knex) => {
      await createPanelTables(knex);
      await knex('jobs').insert(JOBS);
      const accounts = [1, 2].map((id) => ({ id, username: `user${id}`, status: 'active' }));
      await knex('accounts').insert(accounts);
    },
    sources,
  );

describeEachEngine('data.unknown_words', (engine) => {
  let list: ListPanel;

  beforeAll(async () => {
    list = await start(engine);
  });

  const unknownOf = async (path: string, token?: string) => {
    const { status, body } = await list.get(path, token);
    expect([path, status]).toEqual([path, 200]);
    return body.data.unknown_words;
  };

  /** The answer's unknown words, and how many statements read the list. */
  const reads = async (path: string, token?: string) => {
    const statements: string[] = [];
    const note = ({ sql }: { sql: string }) => statements.push(sql);
    list.database.knex.on('query', note);
    const unknown = await unknownOf(path, token);
    list.database.knex.off('query', note);
    return [unknown, statements.filter((sql) => /\bjobs\b/.test(sql)).length];
  };

  test.each([
    'jobs.php?status=faild',
    'jobs.php?status=faild&limit=10',
    'jobs.php?status=faild&fields=id',
    'jobs.php?status=faild&order=desc',
    'jobs.php?status=faild&count=true',
    'jobs.php?status=faild&count=type',
    'jobs.php?status=faild&account_id=1',
    'jobs.php?status=faild,running',
    'jobs.php?status=faild,on%20hold&account_id=2',
  ])('names a word that neither the declaration nor a row has: %s', async (path) => {
    expect(await unknownOf(path)).toEqual({ status: ['faild'] });
  });

  test.each([
    ['jobs.php?status=running', undefined],
    ['jobs.php?status=unknown', undefined],
    ['jobs.php?status=on%20hold&account_id=2', undefined],
    ['jobs.php?status=faild&type=bakup', { status: ['faild'], type: ['bakup'] }],
    ['jobs.php?status=failed&type=migrate', undefined],
    ['jobs.php?status=Failed', { status: ['Failed'] }],
    ['jobs.php?account_id=77', undefined],
    ['jobs.php?id=77&limit=1', undefined],
  ])('tells a misspelt word from one that no row has now: %s', async (path, unknown) => {
    expect(await unknownOf(path)).toEqual(unknown);
  });

  test.each([
    ['jobs.php?status=failed,faild', undefined, 1],
    ['jobs.php?status=running&account_id=1', undefined, 1],
    ['jobs.php?status=faild', { status: ['faild'] }, 1],
    ['jobs.php?status=faild&limit=5', { status: ['faild'] }, 1],
    ['jobs.php?status=faild&count=true', { status: ['faild'] }, 1],
    ['jobs.php?status=faild&account_id=1', { status: ['faild'] }, 2],
    ['jobs.php?status=faild&count=true&account_id=1', { status: ['faild'] }, 2],
    ['jobs.php?status=on%20hold&account_id=2', undefined, 2],
  ])('takes a read of one row only if the answer has none and other conditions: %s', async (...expected) => {
    expect([expected[0], ...(await reads(expected[0]))]).toEqual(expected);
  });

  test('tells a token of one account nothing about the words of others', async () => {
    const token = await list.bound(1);
    expect(await unknownOf('jobs.php?type=migrate', token)).toEqual({ type: ['migrate'] });
    expect(await unknownOf('jobs.php?type=migrate&account_id=2', token)).toEqual({ type: ['migrate'] });
    expect(
      await unknownOf('jobs.php?type=migrate&count=true&enabled_x=', token).catch(() => null),
    ).toBeNull();
    expect(await unknownOf('jobs.php?type=backup&account_id=2', token)).toBeUndefined();
    expect(await unknownOf('jobs.php?type=migrate&account_id=1')).toBeUndefined();
  });

  test('is absent on later pages', async () => {
    const { body } = await list.get('jobs.php?status=failed,on%20hold&limit=1');
    const after = `jobs.php?status=failed,on%20hold&limit=1&cursor=${body.data.next_cursor}`;
    await list.database.knex('jobs').where({ id: 2 }).update({ status: 'queued' });
    expect((await list.get(after)).body.data).toEqual({ resource: 'jobs', items: [], next_cursor: null });
    await list.database.knex('jobs').where({ id: 2 }).update({ status: 'on hold' });
  });

  test('repeats no token', async () => {
    const token = await list.panel.token();
    const { body } = await list.get(`jobs.php?type=${token}`);
    expect(body.data.unknown_words.type).toHaveLength(1);
    expect(JSON.stringify(body)).not.toContain(token);
  });
});

describeOneEngine('data.unknown_words of other sources', (engine) => {
  test('asks a function once more, for the rows with the word', async () => {
    const asked: unknown[] = [];
    const rows = ({ filters, limit }: FunctionQuery) => {
      asked.push([filters, limit]);
      const { type, account_id: accounts } = filters;
      return JOBS.filter(
        (job) => type?.includes(job.type) && (accounts?.includes(String(job.account_id)) ?? true),
      );
    };
    const list = await start(engine, { jobs: { fields: ['id', 'type', 'status', 'account_id'], rows } });
    const unknownOf = async (path: string) => (await list.get(path)).body.data.unknown_words;
    expect(await unknownOf('jobs.php?type=bakup&account_id=1')).toEqual({ type: ['bakup'] });
    expect(asked).toEqual([
      [{ type: ['bakup'], account_id: ['1'] }, null],
      [{ type: ['bakup'] }, null],
    ]);
    expect(await unknownOf('jobs.php?type=migrate&account_id=1')).toBeUndefined();
    expect(await unknownOf('jobs.php?type=bakup')).toEqual({ type: ['bakup'] });
    expect(asked).toHaveLength(5);
  });

  test('reads once for all words of a field that rows have', async () => {
    let asked = 0;
    const words = Array.from({ length: 40 }, (_, index) => `word${index}`);
    const jobs = words.map((type, id) => ({ id, type, status: 'done', account_id: 1 }));
    const rows = ({ filters: { type, account_id: accounts } }: FunctionQuery) => {
      asked += 1;
      return jobs.filter((job) => type?.includes(job.type) && (accounts?.includes('1') ?? true));
    };
    const list = await start(engine, { jobs: { fields: ['id', 'type', 'status', 'account_id'], rows } });
    const { body } = await list.get(`jobs.php?type=${words},bakup&account_id=2`);
    expect([body.data.unknown_words, asked]).toEqual([{ type: ['bakup'] }, 2]);
  });

  test('knows the words of the mapping of each part', async () => {
    const mapped = { fields: { type: { values: { x: 'never seen' } } } } as const;
    const list = await start(engine, { jobs: [{ table: 'jobs' }, { table: 'jobs', ...mapped }] });
    const unknownOf = async (path: string) => (await list.get(path)).body.data.unknown_words;
    expect(await unknownOf('jobs.php?type=never%20seen')).toBeUndefined();
    expect(await unknownOf('jobs.php?type=never')).toEqual({ type: ['never'] });
    expect(await unknownOf('jobs.php?type=never&account_id=1&limit=2')).toEqual({ type: ['never'] });
    expect(await unknownOf('jobs.php?type=backup&account_id=2')).toBeUndefined();
  });
});
