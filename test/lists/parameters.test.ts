import { describeEachEngine } from '../fixture/databases';
import { type ListPanel, startListPanel } from '../fixture/listPanel';
import { createPanelTables } from '../fixture/panelTables';

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index).join();

/** Queries of `jobs.php`, and the parameter that the answer must name. */
const WRONG: readonly [string, string][] = [
  ...[
    '1001',
    '0',
    '-0',
    '-1',
    '1e9',
    '1e1',
    '1.5',
    '',
    '%201',
    '1%20',
    '+1',
    '01',
    '0x10',
    'all',
    '٣',
    '9'.repeat(40),
  ].map((limit): [string, string] => [`limit=${limit}`, 'limit']),
  ['offset=5', 'offset'],
  ['Status=active', 'Status'],
  ['__proto__=1', '__proto__'],
  ['constructor=1', 'constructor'],
  ['toString', 'toString'],
  ['=1', ''],
  ['%00=1', '\\u{0}'],
  ['status=a&status=b', 'status'],
  ['status=a&limit=1&status=a', 'status'],
  ['status[]=a', 'status[]'],
  ['status[x]=a', 'status[x]'],
  [`${'x'.repeat(5000)}=1`, `${'x'.repeat(64)}…`],
  ['status=', 'status'],
  ['status=a,,b', 'status'],
  ['status=,', 'status'],
  ['status=a%00b', 'status'],
  [`status=${numbers(101)}`, 'status'],
  [`status=${numbers(200)}`, 'status'],
  [`status=${'x'.repeat(1025)}`, 'status'],
  ['account_id=anna', 'account_id'],
  ['account_id=1.0', 'account_id'],
  ['account_id=0x1', 'account_id'],
  ['account_id=1,anna', 'account_id'],
  ['account_id=null', 'account_id'],
  ['account_id=%201', 'account_id'],
  ['account_id=1e3', 'account_id'],
  // Shown, but not to be asked for, and not shown at all.
  ['error=a', 'error'],
  ['payload=a', 'payload'],
  ['target_type=a', 'target_type'],
  ['fields=', 'fields'],
  ['fields=id,', 'fields'],
  ['fields=id,payload', 'fields'],
  ['fields=__proto__', 'fields'],
  ['fields=ID', 'fields'],
  ['fields=%20id', 'fields'],
];

const JOB_FIELDS = [
  'id',
  'type',
  'status',
  'account_id',
  'target_type',
  'target_id',
  'progress_percent',
  'attempts',
  'max_attempts',
  'queued_at',
  'started_at',
  'finished_at',
  'duration_ms',
  'actor',
  'error',
];

describeEachEngine('A wrong parameter', (engine) => {
  let list: ListPanel;

  beforeAll(async () => {
    list = await startListPanel(engine, (knex) => createPanelTables(knex, ['jobs', 'cron']));
  });

  afterAll(() => list?.close());

  test('is refused and named', async () => {
    for (const [query, parameter] of WRONG) {
      const { status, body } = await list.get(`jobs.php?${query}`);
      expect([query, status, body.error?.code, body.error?.parameter]).toEqual([
        query,
        400,
        'query_invalid',
        parameter,
      ]);
    }
  });

  test('whose name is unknown is answered with those that there are', async () => {
    const { error } = (await list.get('jobs.php?website_id=1')).body;
    expect(error).toEqual({
      code: 'query_invalid',
      parameter: 'website_id',
      supported: ['limit', 'cursor', 'fields', 'id', 'type', 'status', 'account_id', 'target_id'],
    });
  });

  test('of fields is answered with the fields that there are', async () => {
    const { parameter, supported } = (await list.get('jobs.php?fields=id,nothing')).body.error;
    expect(parameter).toBe('fields');
    expect(supported).toEqual(JOB_FIELDS);
  });

  test('of a flag is everything but true and false', async () => {
    for (const value of ['1', '0', 'True', 'TRUE', 'yes', 'y', 'on', 'true,1', 'null']) {
      const { status, body } = await list.get(`cron.php?enabled=${value}`);
      expect([value, status, body.error?.parameter]).toEqual([value, 400, 'enabled']);
    }
  });

  test('of an endpoint that takes none is refused too', async () => {
    for (const [query, parameter] of [
      ['limit=1', 'limit'],
      ['fields=token', 'fields'],
      ['__proto__=1', '__proto__'],
    ]) {
      const { status, body } = await list.get(`me.php?${query}`);
      expect([status, body.error]).toEqual([400, { code: 'query_invalid', parameter, supported: [] }]);
    }
  });

  test('is not looked for where the query is empty', async () => {
    for (const path of ['jobs.php?', 'jobs.php?&', 'me.php?'])
      expect((await list.get(path)).status).toBe(200);
  });

  test('is not one of a hundred values', async () => {
    expect(await list.items(`jobs.php?status=${numbers(100)}`)).toEqual([]);
  });
});

describeEachEngine('A filter on a field that the panel does not supply', (engine) => {
  let list: ListPanel;

  beforeAll(async () => {
    list = await startListPanel(
      engine,
      (knex) =>
        knex.schema.createTable('jobs', (table) => {
          table.increments('id');
          table.string('type');
          table.string('state');
        }),
      { jobs: { fields: { status: { column: 'state', from: (word) => word } } } },
    );
  });

  afterAll(() => list?.close());

  test.each(['account_id', 'target_id', 'status'])('is refused: %s', async (parameter) => {
    const { status, body } = await list.get(`jobs.php?${parameter}=1`);
    expect([status, body.error]).toEqual([
      400,
      { code: 'query_invalid', parameter, supported: ['limit', 'cursor', 'fields', 'id', 'type'] },
    ]);
  });

  test('is refused among the fields to show', async () => {
    const { status, body } = await list.get('jobs.php?fields=id,account_id');
    expect([status, body.error]).toEqual([
      400,
      { code: 'query_invalid', parameter: 'fields', supported: ['id', 'type', 'status'] },
    ]);
  });

  test('is refused as a time of change', async () => {
    const { status, body } = await list.get('jobs.php?updated_since=2026-06-12');
    expect([status, body.error.parameter]).toEqual([400, 'updated_since']);
  });
});
