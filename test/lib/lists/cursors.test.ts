import { createHash } from 'node:crypto';
import type { Knex } from 'knex';
import { describeEachEngine, describeOneEngine } from '../../fixture/databases';
import { type ListPanel, pathOf, startListPanel } from '../../fixture/listPanel';
import { createPanelTables } from '../../fixture/panelTables';

describeOneEngine('A cursor', (engine) => {
  let list: ListPanel;

  beforeAll(async () => {
    list = await startListPanel(engine, async (knex) => {
      await createPanelTables(knex, ['jobs', 'cron', 'databases']);
      const rows = [1, 2, 3, 4, 5, 6].map((id) => ({ id, type: 'backup', account_id: 1 + (id % 2) }));
      await knex('jobs').insert(rows.map((row) => ({ ...row, status: 'queued' })));
      await knex('cron').insert(rows.map((row) => ({ ...row, updated_at: '2026-06-12 00:00:00' })));
      await knex('databases').insert(rows.map(({ id }) => ({ id: `${id}`, name: `db${id}` })));
    });
  });

  const cursorOf = async (path: string, token?: string): Promise<string> =>
    (await list.get(path, token)).body.data.next_cursor;
  const refusal = async (path: string, token?: string) => {
    const { status, body } = await list.get(path, token);
    return [status, body.error];
  };
  const REFUSED = [400, expect.objectContaining({ code: 'query_invalid', parameter: 'cursor' })];

  test.each([
    ['of another list', 'jobs.php?limit=2', 'cron.php?'],
    ['of other filters', 'jobs.php?limit=2&type=backup', 'jobs.php?type=backup,restore&'],
    ['of a filter that is gone', 'jobs.php?limit=2&type=backup', 'jobs.php?'],
    ['of no filter', 'jobs.php?limit=2', 'jobs.php?type=backup&'],
    ['of another field with the same word', 'jobs.php?limit=2&account_id=1', 'jobs.php?target_id=1&'],
    ['of another time', 'cron.php?limit=2&updated_since=2026-06-12', 'cron.php?updated_since=2026-06-11&'],
    ['of no time', 'cron.php?limit=2', 'cron.php?updated_since=2026-06-11&'],
  ])('%s is refused', async (_, from, to) => {
    expect(await refusal(`${to}cursor=${await cursorOf(from)}`)).toEqual(REFUSED);
  });

  test('is valid with the same filters in any order', async () => {
    const cursor = await cursorOf('jobs.php?limit=2&type=backup,restore&account_id=2,1');
    expect(await list.keys(`jobs.php?account_id=1,2&cursor=${cursor}&type=restore,backup`)).toEqual([
      3, 4, 5, 6,
    ]);
  });

  test('of a token of one account is refused to one of another, or of none', async () => {
    const [one, other] = [await list.bound(1), await list.bound(2)];
    const cursor = await cursorOf('jobs.php?limit=2', one);
    expect(await list.keys(`jobs.php?cursor=${cursor}`, one)).toEqual([6]);
    expect(await refusal(`jobs.php?cursor=${cursor}`, other)).toEqual(REFUSED);
    expect(await refusal(`jobs.php?cursor=${cursor}`)).toEqual(REFUSED);
    expect(await refusal(`jobs.php?account_id=1&cursor=${cursor}`)).toEqual(REFUSED);
    const free = await cursorOf('jobs.php?account_id=1&limit=2');
    expect(await refusal(`jobs.php?cursor=${free}`, one)).toEqual(REFUSED);
  });

  test('is valid with another token of the same account', async () => {
    const cursor = await cursorOf('jobs.php?limit=2', await list.bound(1));
    expect(await list.keys(`jobs.php?cursor=${cursor}`, await list.bound('1'))).toEqual([6]);
  });

  test('with one character changed, missing or added is refused', async () => {
    const cursor = await cursorOf('jobs.php?limit=2');
    for (const index of [...cursor].keys()) {
      const flipped = cursor[index] === 'A' ? 'B' : 'A';
      const changed = cursor.slice(0, index) + flipped + cursor.slice(index + 1);
      expect([changed, await refusal(`jobs.php?cursor=${changed}`)]).toEqual([changed, REFUSED]);
    }
    for (const changed of [cursor.slice(1), cursor.slice(0, -1), `${cursor}A`, `A${cursor}`, `${cursor}=`]) {
      expect([changed, await refusal(`jobs.php?cursor=${changed}`)]).toEqual([changed, REFUSED]);
    }
  });

  test.each([
    '',
    ' ',
    'null',
    'undefined',
    '0',
    '__proto__',
    'constructor',
    '[]',
    '["1"]',
    'A'.repeat(2048),
    'A'.repeat(8000),
    'a\0b',
    'ü🐘',
    "' OR 1=1 --",
    '../../..',
  ])('%j is refused', async (cursor) => {
    expect(await refusal(pathOf('jobs', { cursor }))).toEqual(REFUSED);
  });

  // The seal has no secret, so a client can forge one. A forged one must cause no failure.
  test.each<[string, unknown]>([
    ['no key', null],
    ['no part', []],
    ['too many parts', ['1', '2']],
    ['a number', [1]],
    ['a word', ['one']],
    ['NUL', ['\0']],
    ['an empty part', ['']],
    ['a number beyond 64 bits', ['9'.repeat(30)]],
    ['an object', { length: 1, 0: '1' }],
  ])('that was forged with %s is refused', async (_, key) => {
    expect(await refusal(`jobs.php?cursor=${forged('jobs', key)}`)).toEqual(REFUSED);
  });

  test('that was forged continues after its key and shows nothing else', async () => {
    expect(await list.keys(`jobs.php?cursor=${forged('jobs', ['4'])}`)).toEqual([5, 6]);
    expect(await refusal(`jobs.php?cursor=${forged('jobs', ['4'])}`, await list.bound(1))).toEqual(REFUSED);
  });
});

describeEachEngine('A forged cursor of a list with text keys', (engine) => {
  let list: ListPanel;

  beforeAll(async () => {
    list = await startListPanel(engine, async (knex) => {
      await knex.schema.createTable('jobs', (table) => {
        for (const column of ['id', 'type', 'status']) table.string(column);
      });
      await knex('jobs').insert({ id: 'b', type: 'backup', status: 'queued' });
    });
  });

  // NUL is in no text of PostgreSQL.
  test.each(['a\0b', '\0'])('with %j returns a page or is refused', async (key) => {
    const { status } = await list.get(`jobs.php?cursor=${forged('jobs', [key])}`);
    expect(status).toBe(engine === 'postgresql' ? 400 : 200);
  });

  test('that is longer than any of the module is refused', async () => {
    const { status, body } = await list.get(`jobs.php?cursor=${forged('jobs', ['a'.repeat(7000)])}`);
    expect([status, body.error.parameter]).toEqual([400, 'cursor']);
  });

  test.each(['', 'a', "' OR 1=1 --", '\\', '🐘', '\ud800', '٣'])('with %j returns a page', async (key) => {
    expect((await list.get(`jobs.php?cursor=${forged('jobs', [key])}`)).status).toBe(200);
  });
});

describeEachEngine('A forged cursor of a list in the order of a time', (engine) => {
  let list: ListPanel;

  beforeAll(async () => {
    const create = (knex: Knex) =>
      knex.schema.createTable('jobs', (table) => {
        table.increments('id');
        for (const column of ['type', 'status']) table.string(column);
        table.dateTime('queued_at');
      });
    list = await startListPanel(engine, create, { jobs: { orders: ['queued_at'] } });
  });

  test.each([
    // PostgreSQL's double precision can hold neither of them.
    ['a number of 400 digits', '9'.repeat(400)],
    ['a number below all others', `0.${'0'.repeat(400)}1`],
    ['infinity', '-Infinity'],
    ['no number', 'NaN'],
    ['a day that does not exist', '2026-99-99 99:99:99'],
    ['a day that a month does not have', '2026-02-31 10:00:00'],
    ['an hour that does not exist', '2026-06-12 25:00:00'],
    ['digits of another script', '٣'],
    ['an empty text', ''],
  ])('with %s returns a page or is refused', async (_, time) => {
    const cursor = forged('jobs', [time, '1'], '-queued_at');
    const { status } = await list.get(`jobs.php?order=-queued_at&cursor=${cursor}`);
    expect([200, 400]).toContain(status);
  });

  test('with a number instead of a text is refused', async () => {
    const cursor = forged('jobs', ['2026-06-12 00:00:00', 1], '-queued_at');
    expect((await list.get(`jobs.php?order=-queued_at&cursor=${cursor}`)).status).toBe(400);
  });
});

function forged(resource: string, key: unknown, order: string | null = null): string {
  const facts = JSON.stringify([2, resource, key, [], [], null, null, order]);
  const seal = createHash('sha256').update(facts).digest('base64url').slice(0, 16);
  return Buffer.from(JSON.stringify(key) + seal).toString('base64url');
}
