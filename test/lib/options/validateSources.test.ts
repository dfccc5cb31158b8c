import { runInNewContext } from 'node:vm';
import { type Knex, knex } from 'knex';
import { createPanelApi } from '../../../index';
import { operations } from '../../../routes';
import { recordingLogger } from '../../fixture/recordingLogger';

const ids = { id: 'id', type: 'type', status: 'status' };
const anything = () => 'x';

/** Wrong sources of jobs, and the path that the refusal must name. */
const WRONG: readonly (readonly [string, unknown, string])[] = [
  ['a source of a wrong type', 'jobs', 'sources.jobs'],
  ['a misspelt option', { tabel: 'x' }, 'sources.jobs.tabel'],
  ['a table without a name', { table: '' }, 'sources.jobs.table'],
  ['a `where` that is empty', { where: {} }, 'sources.jobs.where'],
  ['a `where` of no values', { where: { state: [] } }, 'sources.jobs.where.state'],
  ['a `where` of an undefined value', { where: { state: undefined, kept: 1 } }, 'sources.jobs.where.state'],
  ['a `where` with another word than not', { where: { state: { eq: 9 } } }, 'sources.jobs.where.state.eq'],
  ['a `where` of no name', { where: { '': 9 } }, 'sources.jobs.where.'],
  [
    'a `where` of a function source',
    { rows: anything, fields: Object.keys(ids), where: { state: 9 } },
    'sources.jobs.where',
  ],
  [
    'a number that is derived from a text id',
    { fields: { id: { number: true } } },
    'sources.jobs.fields.id.number',
  ],
  ['a query without a required field', { query: anything, fields: { id: 'id' } }, 'sources.jobs.fields.type'],
  ['a misspelt field', { fields: { statsu: 'x' } }, 'sources.jobs.fields.statsu'],
  ['an empty column', { fields: { status: '' } }, 'sources.jobs.fields.status'],
  ['a column with an alias', { fields: { status: 'a as b' } }, 'sources.jobs.fields.status'],
  ['a number for a column', { fields: { status: 5 } }, 'sources.jobs.fields.status'],
  ['true for a column', { fields: { actor: true } }, 'sources.jobs.fields.actor'],
  ['a required field left out', { fields: { status: false } }, 'sources.jobs.fields.status'],
  ['a misspelt step', { fields: { status: { colunm: 'x' } } }, 'sources.jobs.fields.status.colunm'],
  ['a sentinel that is none', { fields: { actor: { null: {} } } }, 'sources.jobs.fields.actor.null'],
  ['no sentinels', { fields: { actor: { null: [] } } }, 'sources.jobs.fields.actor.null'],
  ['null as a sentinel', { fields: { actor: { null: [null] } } }, 'sources.jobs.fields.actor.null.0'],
  [
    'values of a wrong type',
    { fields: { status: { values: { a: 5 } } } },
    'sources.jobs.fields.status.values.a',
  ],
  ['values that are a list', { fields: { status: { values: ['a'] } } }, 'sources.jobs.fields.status.values'],
  ['a constant of a wrong type', { fields: { status: { value: 5 } } }, 'sources.jobs.fields.status.value'],
  ['no constant', { fields: { status: { value: null } } }, 'sources.jobs.fields.status.value'],
  [
    'a constant beside a column',
    { fields: { actor: { value: 'x', column: 'y' } } },
    'sources.jobs.fields.actor.column',
  ],
  ['a fraction as an id', { fields: { account_id: { value: 1.5 } } }, 'sources.jobs.fields.account_id.value'],
  ['no number', { fields: { attempts: { value: Number.NaN } } }, 'sources.jobs.fields.attempts.value'],
  ['true of a text', { fields: { actor: { true: 1 } } }, 'sources.jobs.fields.actor.true'],
  ['a unit of a text', { fields: { actor: { unit: 'MB' } } }, 'sources.jobs.fields.actor.unit'],
  [
    'a unit of another kind',
    { fields: { duration_ms: { unit: 'MB' } } },
    'sources.jobs.fields.duration_ms.unit',
  ],
  [
    'an unknown form of a time',
    { fields: { queued_at: { time: 'iso' } } },
    'sources.jobs.fields.queued_at.time',
  ],
  ...[
    'DD.MM.YY hh:mm',
    'dd.mm.yyyy',
    'd.m.Y H:i',
    '%d.%m.%Y',
    'YYYY-MM-DD HH:mm',
    'YYYY-MM-DD hh:MM',
    'YYYY-MM-DD mm',
    'MM.YYYY',
    'YYYY-MM-DD [at hh:mm',
  ].map((time): [string, unknown, string] => [
    `a format that is none, ${time},`,
    { fields: { queued_at: { time } } },
    'sources.jobs.fields.queued_at.time must be unix, unix-ms, date, datetime or a format of YYYY, MM, DD, hh, mm and ss, such as DD.MM.YYYY hh:mm',
  ]),
  [
    'an order by a format',
    { orders: ['queued_at'], fields: { queued_at: { time: 'YYYYMMDD' } } },
    'sources.jobs.orders names queued_at, which is written in a format, by which no database sorts',
  ],
  ['an unknown zone', { fields: { queued_at: { zone: 'Mars/Base' } } }, 'sources.jobs.fields.queued_at.zone'],
  ['a separator of a text', { fields: { actor: { separator: ',' } } }, 'sources.jobs.fields.actor.separator'],
  ['a function that is none', { fields: { actor: { from: 'x' } } }, 'sources.jobs.fields.actor.from'],
  [
    'from beside values',
    { fields: { actor: { from: anything, values: {} } } },
    'sources.jobs.fields.actor.values',
  ],
  [
    'values beside a time',
    { fields: { queued_at: { values: {}, time: 'unix' } } },
    'sources.jobs.fields.queued_at.time',
  ],
  ['otherwise alone', { fields: { actor: { otherwise: 'x' } } }, 'sources.jobs.fields.actor.otherwise'],
  ['columns alone', { fields: { actor: { columns: { a: 'a' } } } }, 'sources.jobs.fields.actor.compute'],
  [
    'no columns',
    { fields: { actor: { columns: {}, compute: anything } } },
    'sources.jobs.fields.actor.columns',
  ],
  [
    'an integer that is false',
    { fields: { account_id: { column: 'a', integer: false } } },
    'sources.jobs.fields.account_id.integer',
  ],
  [
    'an integer beside a function',
    { fields: { account_id: { from: anything, integer: true } } },
    'sources.jobs.fields.account_id.integer',
  ],
  [
    'null among the sentinels',
    { fields: { account_id: { column: 'a', null: [0, null] } } },
    'sources.jobs.fields.account_id.null.1',
  ],
  ['an order that is no list', { orders: 'queued_at' }, 'sources.jobs.orders'],
  ['an order by an unknown field', { orders: ['queued'] }, 'sources.jobs.orders.0'],
  ['an order by a field of no time', { orders: ['queued_at', 'attempts'] }, 'sources.jobs.orders.1'],
  [
    'an order by a field that is left out',
    { orders: ['queued_at'], fields: { queued_at: false } },
    'sources.jobs.orders',
  ],
  [
    'an order by a field that a query does not have',
    { orders: ['queued_at'], query: (db: Knex) => db('t'), fields: ids },
    'sources.jobs.orders',
  ],
  [
    'an order by the result of a function',
    { orders: ['queued_at'], fields: { queued_at: { column: 'a', from: anything } } },
    'sources.jobs.orders',
  ],
  [
    'an order by a constant',
    { orders: ['queued_at'], fields: { queued_at: { value: '2026-06-12' } } },
    'sources.jobs.orders',
  ],
  [
    'an order in which no time would come first',
    { orders: ['queued_at'], fields: { queued_at: { null: ['0000-00-00', '9999-12-31'] } } },
    'sources.jobs.orders',
  ],
  ['an order of several parts', [{}, { orders: ['queued_at'] }], 'sources.jobs.1.orders'],
  [
    'an order of a function',
    { rows: anything, fields: ['id', 'type', 'status'], orders: ['queued_at'] },
    'sources.jobs.orders',
  ],
  ['unique ids of one part', { uniqueIds: true }, 'sources.jobs.uniqueIds'],
  ['unique ids of some parts', [{}, { uniqueIds: true }], 'sources.jobs.1.uniqueIds'],
  ['no cases', { fields: { actor: { cases: [] } } }, 'sources.jobs.fields.actor.cases'],
  [
    'a case of nothing',
    { fields: { actor: { cases: [{ when: {}, is: 'x' }] } } },
    'sources.jobs.fields.actor.cases.0.when',
  ],
  [
    'a case that says nothing',
    { fields: { actor: { cases: [{ when: { a: 1 } }] } } },
    'sources.jobs.fields.actor.cases.0.is',
  ],
  [
    'a misspelt case',
    { fields: { actor: { cases: [{ if: {}, is: 'x' }] } } },
    'sources.jobs.fields.actor.cases.0.if',
  ],
  ['a constant key', { fields: { id: { value: 1 } } }, 'sources.jobs.fields.id'],
  ['a key of cases', { fields: { id: { cases: [{ when: { a: 1 }, is: 1 }] } } }, 'sources.jobs.fields.id'],
  ['keys of anything but settings', { keys: ['a'] }, 'sources.jobs.keys'],
  ['units of anything but services', { units: [] }, 'sources.jobs.units'],
  ['a table beside a query', { query: (db: Knex) => db('t'), table: 'x', fields: ids }, 'sources.jobs.table'],
  ['a query without fields', { query: (db: Knex) => db('t') }, 'sources.jobs.fields'],
  ['a query that is none', { query: 'select 1', fields: ids }, 'sources.jobs.query'],
  ['a query that returns nothing', { query: () => undefined, fields: ids }, 'sources.jobs.query'],
  [
    'a query that returns raw SQL',
    { query: (db: Knex) => db.raw('select 1'), fields: ids },
    'sources.jobs.query',
  ],
  ['a query that throws', { query: throwing, fields: ids }, 'sources.jobs.query'],
  ['a query that is awaited', { query: async () => 1, fields: ids }, 'sources.jobs.query'],
  [
    'a query that fails to be awaited',
    { query: () => Promise.reject(new Error('x')), fields: ids },
    'sources.jobs.query',
  ],
  ['a query that deletes', { query: (db: Knex) => db('t').del(), fields: ids }, 'sources.jobs.query'],
  [
    'a query that inserts',
    { query: (db: Knex) => db('t').insert({ a: 1 }), fields: ids },
    'sources.jobs.query',
  ],
  ['a query of one row', { query: (db: Knex) => db('t').first(), fields: ids }, 'sources.jobs.query'],
  ['a query with a limit', { query: (db: Knex) => db('t').limit(5), fields: ids }, 'sources.jobs.query'],
  ['a query with an offset', { query: (db: Knex) => db('t').offset(5), fields: ids }, 'sources.jobs.query'],
  ['a union', { query: (db: Knex) => db('t').union(db('u')), fields: ids }, 'sources.jobs.query'],
  ['a query in a part', [{}, { query: anything, fields: ids }], 'sources.jobs.1.query'],
  ['no parts', [], 'sources.jobs'],
  ['false among the parts', [{}, false], 'sources.jobs.1'],
  ['a wrong part', [{}, { tabel: 'x' }], 'sources.jobs.1.tabel'],
  ['more than ten parts', Array.from({ length: 11 }, () => ({})), 'sources.jobs'],
  [
    'a part of accounts that are one',
    { fields: { account_id: { part: 0 } } },
    'sources.jobs.fields.account_id.part',
  ],
  ['a part of nothing', { fields: { target_id: { part: 0 } } }, 'sources.jobs.fields.target_id.part'],
  ['a part of a text', { fields: { actor: { part: 0 } } }, 'sources.jobs.fields.actor.part'],
  ['an id of another part', [{ fields: { id: { part: 1 } } }, {}], 'sources.jobs.0.fields.id.part'],
  [
    'a confirmation that is no code',
    { fields: { error: { confirm: 'UTC' } } },
    'sources.jobs.fields.error.confirm',
  ],
  ['a confirmation of no code', { fields: { error: { confirm: [] } } }, 'sources.jobs.fields.error.confirm'],
  [
    'a confirmation that is false',
    { fields: { error: { confirm: false } } },
    'sources.jobs.fields.error.confirm',
  ],
  [
    'a confirmed field that a function does not return',
    { rows: anything, fields: ['id', 'type', 'status'], confirm: ['error'] },
    'sources.jobs.confirm.0',
  ],
  [
    'a code for a field that a function does not return',
    { rows: anything, fields: ['id', 'type', 'status'], confirm: { error: 'zone' } },
    'sources.jobs.confirm.error',
  ],
  ['a function for rows that is none', { rows: [], fields: ['id', 'type', 'status'] }, 'sources.jobs.rows'],
  ['a function without fields', { rows: anything }, 'sources.jobs.fields'],
  ['a function without a required field', { rows: anything, fields: ['id', 'type'] }, 'sources.jobs.fields'],
  [
    'a function of an unknown field',
    { rows: anything, fields: ['id', 'type', 'status', 'x'] },
    'sources.jobs.fields.3',
  ],
  [
    'ids of an unknown type',
    { rows: anything, fields: ['id', 'type', 'status'], ids: 'uuid' },
    'sources.jobs.ids',
  ],
];

describe('A source at the mount', () => {
  const db = knex({ client: 'pg' });
  const { logger } = recordingLogger();
  const mount = (sources: unknown) => createPanelApi({ db, logger, sources } as never);

  test.each(WRONG)('that has %s is refused by its path', (_, jobs, path) => {
    expect(() => mount({ jobs })).toThrow(
      new RegExp(
        `^createPanelApi: (?:the option|unknown option) ${path.replaceAll('.', '\\.')}(?: |\\. |\\.$)`,
      ),
    );
  });

  test('that has an unknown option is refused for it before the known ones are checked', () => {
    const jobs = { rows: anything, fields: ids, table: 'x' };
    expect(() => mount({ jobs })).toThrow('createPanelApi: unknown option sources.jobs.table.');
  });

  test.each<[string, (db: Knex) => unknown]>([
    ['must return a knex query that selects rows', (db) => db('t').pluck('a')],
    ['must return a knex query that selects rows', (db) => db('t').first()],
    ['must return a knex query that selects rows', (db) => db('t').update({ a: 1 })],
    ['must not have a limit or an offset', (db) => db('t').limit(5)],
    ['must not be a union: put it into a subquery', (db) => db('t').intersect(db('u'))],
    [
      'must not be distinct: in place of a join that repeats rows, use whereExists or groupBy',
      (db) => db('t').distinct(),
    ],
    [
      'must not be distinct: in place of a join that repeats rows, use whereExists or groupBy',
      (db) => db('t').distinctOn('a'),
    ],
    ['must not lock rows', (db) => db('t').forUpdate()],
    ['must not lock rows', (db) => db('t').forShare().skipLocked()],
    ['must not lock rows', (db) => db('t').forNoKeyUpdate().noWait()],
    ['must not change rows in a `with`', (db) => db.with('x', db('t').del().returning('*')).from('x')],
    [
      'must not change rows in a `with`',
      (db) => db.with('x', (inner) => inner.from('t').update({ a: 1 })).from('x'),
    ],
    ['must not have a timeout or options of the driver', (db) => db('t').timeout(1000)],
    ['must not have a timeout or options of the driver', (db) => db('t').options({ rowsAsArray: true })],
    ['must not have a transaction or a connection of its own', (db) => db('t').connection({})],
    [
      'must not have a transaction or a connection of its own',
      (db) =>
        Object.assign(db('t'), { client: Object.assign(Object.create(db.client), { transacting: true }) }),
    ],
  ])('whose query %s is refused by this sentence', (why, query) => {
    expect(() => mount({ jobs: { query, fields: ids } })).toThrow(
      `createPanelApi: the option sources.jobs.query ${why}.`,
    );
  });

  test('may have a query with a `with` that reads, by a builder, a function or raw SQL', () => {
    for (const inner of [
      db('t').first(),
      (builder: Knex.QueryBuilder) => builder.from('t'),
      db.raw('select 1'),
    ])
      mount({ jobs: { query: () => db.with('x', inner as Knex.Raw).from('x'), fields: ids } });
  });

  test('that has more than ten parts is refused with a hint', () => {
    expect(() => mount({ jobs: Array.from({ length: 11 }, () => ({})) })).toThrow(
      'the option sources.jobs must have at most 10 parts; for more, use one view or one query that unites them and has a text key.',
    );
  });

  test('that derives numbers from texts in one of several parts needs unique ids', () => {
    const domains = [{ table: 'hosts' }, { table: 'sites', fields: { id: { column: 'key', number: true } } }];
    expect(() => mount({ domains })).toThrow(
      'createPanelApi: the option sources.domains.1.fields.id.number is allowed in several parts only with `uniqueIds`.',
    );
    expect(() => mount({ domains: domains.map((part) => ({ ...part, uniqueIds: true })) })).not.toThrow();
  });

  test('that refers to a part which accounts do not have is refused by its path', () => {
    const jobs = [{}, { fields: { account_id: { column: 'owner', part: 2 } } }];
    expect(() => mount({ accounts: [{}, {}], jobs })).toThrow(
      'the option sources.jobs.1.fields.account_id.part must be the index of a part of sources.accounts, which has 2 parts.',
    );
  });

  test.each<[string, string, unknown]>([
    [
      'domains.fields.status.until is not allowed, because this field has no word for what is expiring',
      'status',
      { until: 'ends' },
    ],
    [
      'domains.fields.ssl_status.until must be the name of a column',
      'ssl_status',
      { until: { column: 'ends' } },
    ],
    [
      'domains.fields.ssl_status.zone must be an IANA time zone',
      'ssl_status',
      { until: 'ends', zone: 'CEST+' },
    ],
    ['domains.fields.ssl_status.time must be unix, ', 'ssl_status', { until: 'ends', time: 'd.m.Y' }],
    [
      'domains.fields.ssl_status.otherwise.until is missing',
      'ssl_status',
      { cases: [{ when: { a: 1 }, is: 'none' }], otherwise: {} },
    ],
    [
      'domains.fields.ssl_status.otherwise.null must be a string, ',
      'ssl_status',
      { cases: [{ when: { a: 1 }, is: 'none' }], otherwise: { until: 'ends', null: null } },
    ],
  ])('is refused by: %s', (sentence, field, source) => {
    const refusal = `createPanelApi: the option sources.${sentence}`;
    expect(() => mount({ domains: { fields: { [field]: source } } })).toThrow(refusal);
  });

  const owned = operations
    .filter(({ kind, fields }) => kind === 'list' && 'account_id' in fields)
    .map(({ name }) => name)
    .join(', ');

  test.each<[string, unknown, object?]>([
    [`website_count.count must be one of ${owned}`, { count: 'sites' }],
    [`website_count.count must be one of ${owned}`, { count: 'settings' }],
    [`website_count.count must be one of ${owned}`, { count: 'accounts' }],
    ['website_count.where.type must be one of mailbox, ', { count: 'email', where: { type: 'box' } }],
    [
      'website_count.where.type.1 must be one of mailbox, ',
      { count: 'email', where: { type: ['list', ''] } },
    ],
    ['website_count.where.keep_copy must be a boolean', { count: 'email', where: { keep_copy: 'yes' } }],
    ['website_count.count must be a list that has an account_id', { count: 'jobs' }, { jobs: false }],
    [
      'website_count.count must be a list that has an account_id by which it can be filtered',
      { count: 'jobs' },
      { jobs: [{ fields: { account_id: false } }, { rows: anything, fields: ['id', 'type', 'status'] }] },
    ],
    [
      'website_count.count must be a list that has an account_id',
      { count: 'jobs' },
      { jobs: { fields: { account_id: { column: 'owner', from: anything } } } },
    ],
    [
      'mailbox_count.where.type must be left out: the source of email leaves this field out or computes it with `from` or `compute`, so that clients cannot filter by it.',
      { count: 'email', where: { type: 'mailbox' } },
      { email: [{}, { fields: { type: { column: 'a', from: anything } } }] },
    ],
    [
      'disk_used_bytes.count is not allowed, because this field is no number of an account',
      { count: 'websites' },
    ],
  ])('with a count is refused by: %s', (sentence, count, others = {}) => {
    const field = sentence.replace(/\..*/, '');
    const accounts = { fields: { [field]: count } };
    expect(() => mount({ accounts, ...others })).toThrow(
      `createPanelApi: the option sources.accounts.fields.${sentence}`,
    );
  });

  test('with a count by what no filter finds, or in another list, is refused by its path', () => {
    const countBy = (where: object) => ({ fields: { mailbox_count: { count: 'email', where } } });
    for (const name of ['account_id', 'created_at', 'tpye'])
      expect(() => mount({ accounts: countBy({ [name]: 1 }) })).toThrow(
        `createPanelApi: unknown option sources.accounts.fields.mailbox_count.where.${name}.`,
      );
    expect(() => mount({ databases: { fields: { table_count: { count: 'websites' } } } })).toThrow(
      'sources.databases.fields.table_count.count is not allowed',
    );
    mount({
      accounts: [countBy({ domain: 'shop.example' })],
      email: [{}, { fields: { account_id: false } }],
    });
  });

  test('that reads an end with a function and a zone is refused by its path', () => {
    expect(() =>
      mount({ ssl: { fields: { status: { until: 'pem', from: anything, zone: 'UTC' } } } }),
    ).toThrow('createPanelApi: unknown option sources.ssl.fields.status.zone.');
  });

  test.each([
    ['by name', 'parent'],
    ['with another keyword', { column: 'parent', null: 0 }],
    ['by a function', { columns: { parent: 'parent' }, compute: anything }],
  ])('that refers %s to its own list of several parts, and to none of them, is refused', (_, parent_id) => {
    expect(() => mount({ domains: [{}, { fields: { parent_id } }] })).toThrow(
      'the option sources.domains.1.fields.parent_id needs a `part`, because ids of this list belong to one of its parts.',
    );
    const unique = { uniqueIds: true };
    expect(() => mount({ domains: [unique, { ...unique, fields: { parent_id } }] })).not.toThrow();
  });

  test('that lists a unit of systemd twice is refused by its path', () => {
    expect(() => mount({ services: { units: [{ unit: 'nginx' }, { unit: 'nginx' }] } })).toThrow(
      'sources.services.units.1',
    );
  });

  test.each([
    ['the last part of a list', { accounts: [{}, {}], jobs: { fields: { account_id: { part: 1 } } } }],
    ['the only part of a list', { accounts: [{}], jobs: { fields: { account_id: { part: 0 } } } }],
    [
      'bigints',
      { jobs: { fields: { attempts: { null: 2n ** 63n, column: 'a' }, account_id: { value: 1n } } } },
    ],
    [
      'a query that has columns and an order',
      { jobs: { query: (k: Knex) => k('t').select('a').orderBy('a'), fields: ids } },
    ],
    ['no parent in one of several parts', { domains: [{}, { fields: { parent_id: false } }] }],
    [
      'a confirmed field',
      {
        jobs: {
          fields: {
            error: { confirm: true },
            status: { cases: [{ when: { a: 1 }, is: 'failed' }], confirm: 'word_unused' },
            type: { value: 'a', confirm: ['word'] },
          },
        },
      },
    ],
    ['ten parts', { jobs: Array.from({ length: 10 }, () => ({})) }],
  ])('may have %s', (_, sources) => {
    expect(() => mount(sources)).not.toThrow();
  });

  test('that was created in another context of Node is checked too', () => {
    expect(() => mount(runInNewContext("({ jobs: { tabel: 'x' } })"))).toThrow(
      'createPanelApi: unknown option sources.jobs.tabel.',
    );
  });

  test.each([
    [{ status: { value: 5 } }, 'status.value must be a string.'],
    [{ account_id: { value: true } }, 'account_id.value must be a whole number, a string, or null.'],
    [{ actor: { null: {} } }, 'actor.null must be a string, a number or a boolean, or an array of these.'],
    [{ actor: { cases: [] } }, 'actor.cases must not be empty.'],
  ])('is refused with the possible descriptions: %j', (fields, sentence) => {
    expect(() => mount({ jobs: { fields } })).toThrow(`the option sources.jobs.fields.${sentence}`);
  });

  test('keeps what a query throws as the cause', () => {
    expect(() => mount({ jobs: { query: throwing, fields: ids } })).toThrow(
      expect.objectContaining({ cause: new Error('no such thing') }),
    );
  });
});

function throwing(): never {
  throw new Error('no such thing');
}
