import { newToken } from '../../../lib/tokens/tokenFormat';
import { operations } from '../../../routes';
import { describeOneEngine } from '../../fixture/databases';
import { describedParameters } from '../../fixture/describedParameters';
import { type ListPanel, pathOf, startListPanel } from '../../fixture/listPanel';
import { createPanelTables } from '../../fixture/panelTables';

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
  ['limit=1&limit=1', 'limit'],
  ['status=a&limit=1&status=a&limit=2', 'limit'],
  ['cursor=a&cursor=a', 'cursor'],
  ['status=a&status=', 'status'],
  ['x=1&x=1', 'x'],
  ['limit[]=1', 'limit[]'],
  ['statuses[]=a', 'statuses[]'],
  ['status[x]=a', 'status[x]'],
  ['status[0][]=a', 'status[0][]'],
  ['status[]=a&status[]=', 'status'],
  ['status=%22a&status=b%22', 'status'],
  ['status=%22%22', 'status'],
  ['fields=%22id', 'fields'],
  ['account_id=%221', 'account_id'],
  [`status=${'%22a%22,'.repeat(100)}b`, 'status'],
  [`status=%22${'%22%22'.repeat(2000)}`, 'status'],
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
  // Shown without a filter, and not shown at all.
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

describeOneEngine('A wrong parameter', (engine) => {
  let list: ListPanel;

  beforeAll(async () => {
    list = await startListPanel(engine, (knex) => createPanelTables(knex, ['jobs', 'cron']));
  });

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

  test('with an unknown name is answered with the names that there are', async () => {
    const { error } = (await list.get('jobs.php?website_id=1')).body;
    expect(error).toEqual({
      code: 'query_invalid',
      parameter: 'website_id',
      supported: [
        'limit',
        'cursor',
        'order',
        'fields',
        'count',
        'progress_percent_min',
        'progress_percent_max',
        'attempts_min',
        'attempts_max',
        'max_attempts_min',
        'max_attempts_max',
        'queued_at_since',
        'queued_at_before',
        'started_at_since',
        'started_at_before',
        'finished_at_since',
        'finished_at_before',
        'id',
        'type',
        'status',
        'account_id',
        'target_id',
      ],
    });
  });

  test('of fields is answered with the fields that there are', async () => {
    const { parameter, supported } = (await list.get('jobs.php?fields=id,nothing')).body.error;
    expect(parameter).toBe('fields');
    expect(supported).toEqual(JOB_FIELDS);
  });

  test('of a flag is everything but true and false, and 1 and 0', async () => {
    for (const value of ['2', '-1', '01', 'yes', 'y', 'on', 'true,2', 'null', 'constructor', '']) {
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

  test('is not found in an empty query', async () => {
    for (const path of ['jobs.php?', 'jobs.php?&', 'me.php?'])
      expect((await list.get(path)).status).toBe(200);
  });

  test('does not include a filter of a hundred values', async () => {
    expect(await list.items(`jobs.php?status=${numbers(100)}`)).toEqual([]);
  });

  test('does not include a value of 1,024 characters', async () => {
    expect(await list.items(`jobs.php?status=${'x'.repeat(1024)}`)).toEqual([]);
  });
});

describeOneEngine('A filter on a field that the panel does not supply', (engine) => {
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

  test.each(['account_id', 'target_id', 'status'])('is refused: %s', async (parameter) => {
    const { status, body } = await list.get(`jobs.php?${parameter}=1`);
    expect([status, body.error]).toEqual([
      400,
      {
        code: 'query_invalid',
        parameter,
        supported: ['limit', 'cursor', 'order', 'fields', 'count', 'id', 'type'],
      },
    ]);
  });

  test('is refused among the fields to show', async () => {
    const { status, body } = await list.get('jobs.php?fields=id,account_id');
    expect([status, body.error]).toEqual([
      400,
      {
        code: 'query_invalid',
        parameter: 'fields',
        field: 'account_id',
        supported: ['id', 'type', 'status'],
      },
    ]);
  });

  test('is refused as a time of change', async () => {
    const { status, body } = await list.get('jobs.php?updated_since=2026-06-12');
    expect([status, body.error.parameter]).toEqual([400, 'updated_since']);
  });
});

const INTEGERS = '1 to 100 whole numbers separated by commas';
const TEXTS =
  '1 to 100 values separated by commas, each of 1 to 1,024 characters and without NUL; a value with a comma is written in double quotes';
const PAGES = 'replaced by limit and cursor: an answer names the cursor of the next page';

/** Queries of `domains.php`, and the message that says what is wrong. */
const MESSAGES: readonly (readonly [query: string, message: string])[] = [
  ['limit=0', 'limit must be a whole number from 1 to 1,000.'],
  ['limit=5&limit=5', 'limit must be set only once.'],
  [
    'cursor=x',
    'cursor must be the next_cursor of a page of the same list, with the same filters, order and account.',
  ],
  [
    'updated_since=yesterday',
    'updated_since must be a time such as 2026-06-12T00:00:00Z, or a day such as 2026-06-12.',
  ],
  ['mail_enabled=yes', 'mail_enabled must be true or false.'],
  ['account_id=anna', `account_id must be ${INTEGERS}.`],
  ['domain=', `domain must be ${TEXTS}.`],
  ['status=actve', 'status must be one of active, suspended, unknown.'],
  ['status=active,actve', 'status must be one of active, suspended, unknown.'],
  ['status=active,', `status must be ${TEXTS}.`],
  ['ssl_status=active', 'ssl_status must be one of none.'],
  ['type=main', 'type must be one of primary, alias.'],
  ['colour=red', 'Unknown parameter colour.'],
  ['page=2', `page must be ${PAGES}.`],
  ['per_page=50', `per_page must be ${PAGES}.`],
  ['limit=5&offset=10', `offset must be ${PAGES}.`],
  ['pageSize=5', `pageSize must be ${PAGES}.`],
  ['fields=id,colour', 'fields names the unknown field colour.'],
  ['fields=', 'fields must be one or more field names of the list, separated by commas.'],
];

describeOneEngine('The message of a 400', (engine) => {
  let list: ListPanel;
  const mapped = {
    status: { values: { on: 'active', off: 'suspended' } },
    ssl_status: { value: 'none' },
    type: { cases: [{ when: { parent_id: 0 }, is: 'primary' }], otherwise: 'alias' },
  } as const;

  beforeAll(async () => {
    list = await startListPanel(
      engine,
      async (knex) => {
        await createPanelTables(knex);
        await knex('domains').insert({ id: 1, domain: 'a.example', status: 'on', parent_id: 0 });
      },
      {
        domains: { fields: mapped },
        websites: { fields: { runtime: { values: { n: 'node', p: 'php' } } } },
        jobs: { fields: { type: { values: { c: 'copy, move', q: '"quoted"', p: 'plain' } } } },
        // The words of one part are a closed set, those of the other are not.
        email: [
          { fields: { type: { value: 'mailbox' }, status: mapped.status } },
          { fields: { type: { value: 'list' } } },
        ],
      },
    );
  });

  test.each(MESSAGES)('to %s says: %s', async (query, message) => {
    const { status, body } = await list.get(`domains.php?${query}`);
    expect([status, body.message]).toEqual([400, message]);
  });

  test('lists the words that the field can have for programs too, as the OpenAPI document does', async () => {
    const { error } = (await list.get('domains.php?status=actve')).body;
    expect(error).toEqual({
      code: 'query_invalid',
      parameter: 'status',
      allowed: ['active', 'suspended', 'unknown'],
    });
    const { document } = (await list.get('openapi.php')).body.data;
    const parameters = describedParameters(document, '/api/v1/domains.php');
    expect(parameters.find(({ name }) => name === 'status')?.schema.items).toEqual({
      type: 'string',
      enum: error.allowed,
    });
  });

  test('lists words as clients write them: with a comma in double quotes', async () => {
    const { message, error } = (await list.get('jobs.php?type=copy, move')).body;
    expect(message).toBe('type must be one of "copy, move", """quoted""", plain, unknown.');
    expect(error.allowed).toEqual(['copy, move', '"quoted"', 'plain', 'unknown']);
    for (const type of ['"copy, move"', '"""quoted"""', 'plain,"copy, move"'])
      expect(await list.items(pathOf('jobs', { type }))).toEqual([]);
  });

  test('names limit and cursor to programs that ask for a page by its number', async () => {
    const { error } = (await list.get('domains.php?page=2')).body;
    expect(error).toMatchObject({ code: 'query_invalid', parameter: 'page', expected: PAGES });
    expect(error.supported).toEqual(expect.arrayContaining(['limit', 'cursor']));
  });

  test('lists no null, which a field may have and no filter finds', async () => {
    expect((await list.get('websites.php?runtime=perl')).body.error.allowed).toEqual([
      'node',
      'php',
      'unknown',
    ]);
  });

  test("refuses no word of a field that shows the panel's own words", async () => {
    expect(await list.items('accounts.php?status=actve')).toEqual([]);
  });

  test('accepts the words of all parts of a list, and refuses others if every part names its own', async () => {
    expect((await list.get('email.php?type=forwarder')).body.message).toBe(
      'type must be one of mailbox, list.',
    );
    expect(await list.items('email.php?type=list,mailbox')).toEqual([]);
    expect(await list.items('email.php?status=actve')).toEqual([]);
  });

  test('names every parameter of every list, and repeats no value', async () => {
    for (const operation of operations) {
      const { name, kind } = operation;
      const { supported } = (await list.get(`${name}.php?nonsense=1`)).body.error ?? {};
      if (kind === 'object')
        expect([name, supported]).toEqual([name, Object.keys(operation.parameters ?? {})]);
      for (const parameter of supported ?? []) {
        const { status, body } = await list.get(`${name}.php?${parameter}=%00seen-never`);
        expect([name, parameter, status]).toEqual([name, parameter, 400]);
        expect(body.message).toMatch(new RegExp(`^${parameter}( must be | names the unknown field )`));
        if (parameter !== 'fields') expect(JSON.stringify(body)).not.toContain('seen-never');
      }
    }
  });

  test('hides a token that stands in the name of a parameter or a field', async () => {
    const token = newToken('pnl');
    for (const path of [
      `domains.php?x${token}=1`,
      `domains.php?${'x'.repeat(20)}-${token}`,
      `domains.php?fields=id,${token}`,
      `me.php?${token}`,
      `me.php?${token.slice('pnl_'.length)}`,
      `domains.php?x${token.slice('pnl_'.length)}y=1`,
      `domains.php?fields=id,${token.slice('pnl_'.length)}`,
    ]) {
      const { status, text } = await list.get(path);
      expect([path, status, text.includes(token.slice(10, 30))]).toEqual([path, 400, false]);
    }
  });
});

describeOneEngine('A parameter of several values', (engine) => {
  let list: ListPanel;

  beforeAll(async () => {
    list = await startListPanel(engine, async (knex) => {
      await createPanelTables(knex, ['jobs']);
      for (const [index, status] of ['queued', 'running', 'failed'].entries())
        await knex('jobs').insert({ id: index + 1, type: 'a', status });
    });
  });

  test('may be repeated, and means the same as with commas', async () => {
    const commas = await list.get('jobs.php?status=queued,failed&fields=id,status');
    const repeated = await list.get('jobs.php?status=queued&fields=id&status=failed&fields=status');
    expect(repeated.body.data).toEqual(commas.body.data);
    expect(repeated.body.data.items).toEqual([
      { id: 1, status: 'queued' },
      { id: 3, status: 'failed' },
    ]);
  });

  test('is in the address of the next page as often as it was given', async () => {
    const { headers } = await list.get('jobs.php?status=queued&status=failed&limit=1');
    const [, next = ''] = /<(.*)>/.exec(headers.get('link') ?? '') ?? [];
    expect(await list.keys(next.slice('/api/v1/'.length))).toEqual([3]);
  });
});
