import type { FunctionQuery } from '../../../index';
import type { Field } from '../../../lib/fields';
import { operations } from '../../../routes';
import { describeEachEngine, describeOneEngine, type Engine, shareOf } from '../../fixture/databases';
import { indexFor } from '../../fixture/indexFor';
import { type Item, type ListPanel, pathOf, startListPanel } from '../../fixture/listPanel';
import { startPanel } from '../../fixture/panel';
import { createFilledTables, createPanelTables, SHOWN_SETTINGS } from '../../fixture/panelTables';

const DAY_MS = 86_400_000;

interface Numbers {
  readonly engines?: readonly Engine[];
  readonly type: string;
  readonly field?: 'quota_bytes' | 'send_limit_per_day';
  readonly source?: {
    readonly unit?: 'KB' | 'MB' | 'TB' | 'text';
    readonly null?: number | readonly number[];
  };
  readonly values: readonly string[];
}

const AROUND_ZERO = ['-1', '0', '1', '2', '10', '11', '100'];
const FRACTIONS = ['-2.5', '-0.5', '0', '0.4', '0.5', '1.49', '1.5', '9.99', '10', '10.01', '1000000.25'];
const HUGE = ['9007199254740991', '9007199254740992', '9007199254740993', '9223372036854775807'];

const NUMBERS: readonly Numbers[] = [
  { type: 'integer', values: [...AROUND_ZERO, '2147483647'] },
  { type: 'integer', values: AROUND_ZERO, source: { null: [-1, 0] } },
  { type: 'bigint', values: [...AROUND_ZERO, ...HUGE] },
  { engines: ['mariadb'], type: 'bigint unsigned', values: ['0', ...HUGE, '18446744073709551615'] },
  { type: 'integer', values: ['0', '1', '1023', '1024', '2048'], source: { unit: 'MB' } },
  { type: 'bigint', values: ['0', '1', '8388608', '9007199254'], source: { unit: 'TB' } },
  { type: 'decimal(20, 2)', values: FRACTIONS },
  { type: 'decimal(20, 2)', values: FRACTIONS, source: { unit: 'KB' } },
  { engines: ['mariadb', 'sqlite'], type: 'double', values: [...FRACTIONS, '1e15'] },
  { engines: ['mariadb', 'sqlite'], type: 'float', values: [...FRACTIONS, '16777217', '0.1'] },
  { engines: ['postgresql'], type: 'real', values: [...FRACTIONS, '16777217', '0.1'] },
  {
    engines: ['postgresql'],
    type: 'double precision',
    values: [...FRACTIONS, '1e15'],
    source: { unit: 'MB' },
  },
  { type: 'varchar(40)', values: ["'-1'", "'0'", "'10'", "'9'", "' 7 '", "'ten'", "''"] },
  { type: 'varchar(40)', values: ["'300'", "'2 kB'", "'1.5 GiB'", "'none'"], source: { unit: 'text' } },
  { engines: ['sqlite'], type: 'integer', values: ["'2 kB'", '300'], source: { unit: 'text' } },
  { engines: ['sqlite'], type: 'integer', values: ['5.9', "'ten'", "X'3130'", "' 7 '", '-5.9', '1e25'] },
  { engines: ['sqlite'], type: '', values: ['5', "'6'", "X'3130'"] },
];

/** Bounds at, between and beyond these values. */
function boundsAround(items: readonly Item[], field: string): readonly string[] {
  const values = items.map((item) => item[field]).filter((value) => value !== null);
  const wholes = values.map((value) =>
    BigInt(Math.trunc(Number(value)) === value ? Number(value) : String(value)),
  );
  const near = wholes.flatMap((value) => [value - 1n, value, value + 1n]);
  return [...new Set(['-5', '0', '9'.repeat(30), `-${'9'.repeat(30)}`, ...near.map(String)])];
}

const idsOf = (items: readonly Item[]) => items.map(({ id }) => id);

const JOBS = [
  {
    id: 1,
    type: 'a',
    status: 'failed',
    attempts: 1,
    progress_percent: -5,
    queued_at: '2026-06-10 00:00:00',
  },
  {
    id: 2,
    type: 'a',
    status: 'failed',
    attempts: 2,
    progress_percent: 50,
    queued_at: '2026-06-11 00:00:00',
  },
  {
    id: 3,
    type: 'a',
    status: 'queued',
    attempts: 3,
    progress_percent: 120,
    queued_at: '2026-06-12 00:00:00',
  },
  { id: 4, type: 'a', status: 'failed' },
];

describeEachEngine('A range', (engine) => {
  let list: ListPanel;
  let token: string;

  beforeAll(async () => {
    list = await startListPanel(engine, (knex) => createPanelTables(knex, ['jobs', 'ssl']));
    token = await list.panel.token();
    await list.database.knex('jobs').insert(JOBS);
  });

  const kinds = NUMBERS.filter(({ engines = [engine] }) => engines.includes(engine));

  test.each(kinds.map((kind, index) => ({ ...kind, table: `numbers_${index}` })))(
    'of numbers holds exactly the values within its bounds: $type read as $source ($table)',
    async ({ type, values, source = {}, table, field = 'quota_bytes' }) => {
      const { knex } = list.database;
      await knex.raw(
        `CREATE TABLE ${table} (id integer PRIMARY KEY, address varchar(9), type varchar(9), status varchar(9), ${field} ${type})`,
      );
      for (const [index, value] of [...values, 'NULL'].entries())
        await knex.raw(`INSERT INTO ${table} VALUES (${index + 1}, 'a@b', 'mailbox', 'active', ${value})`);
      const sources = { email: { table, fields: { [field]: source } } };
      const panel = await list.beside(sources);
      const items = async (query: string): Promise<Item[]> => {
        const { status, text } = await panel.get(`email.php?${query}`);
        expect([query, status, text]).toEqual([query, 200, expect.anything()]);
        // Numbers beyond 2^53 keep their digits.
        return JSON.parse(text.replace(/:(-?\d{16,})/g, ':"$1"')).data.items;
      };
      const all = await items('');
      expect(all).toHaveLength(values.length + 1);
      const holding = (test: (value: bigint) => boolean) =>
        idsOf(all.filter((item) => item[field] !== null && test(BigInt(item[field] as string))));
      for (const bound of boundsAround(all, field)) {
        const limit = BigInt(bound);
        expect([bound, idsOf(await items(`${field}_min=${bound}`))]).toEqual([
          bound,
          holding((value) => value >= limit),
        ]);
        expect([bound, idsOf(await items(`${field}_max=${bound}`))]).toEqual([
          bound,
          holding((value) => value <= limit),
        ]);
      }
    },
  );

  test.each<[string, readonly number[]]>([
    ['attempts_min=2', [2, 3]],
    ['attempts_max=2', [1, 2]],
    ['attempts_min=2&attempts_max=2', [2]],
    ['attempts_min=2&status=failed', [2]],
    ['attempts_min=0', [1, 2, 3]],
    ['attempts_min=-1&attempts_max=99999999999999999999', [1, 2, 3]],
    ['progress_percent_min=0', [1, 2, 3]],
    ['progress_percent_min=0.5', [2, 3]],
    ['progress_percent_max=0', [1]],
    ['progress_percent_min=100', [3]],
    ['progress_percent_max=100', [1, 2, 3]],
    ['progress_percent_max=49.99', [1]],
    ['queued_at_since=2026-06-11', [2, 3]],
    ['queued_at_before=2026-06-11', [1]],
    ['queued_at_before=2026-06-11T00:00:01Z', [1, 2]],
    ['queued_at_since=2026-06-11&queued_at_before=2026-06-12', [2]],
    ['queued_at_since=2026-06-11T02:00:00%2B02:00&queued_at_before=2026-06-11T00:00:01Z', [2]],
    ['queued_at_since=0001-01-01&queued_at_before=9999-12-31T23:59:59Z', [1, 2, 3]],
    ['queued_at_since=2026-06-11&attempts_max=2', [2]],
  ])('includes its lower bound, and null never: %s', async (query, ids) => {
    expect(await list.keys(`jobs.php?${query}`)).toEqual(ids);
    expect((await list.pages(`jobs.php?${query}&limit=1`)).flat().map(({ id }) => id)).toEqual(ids);
  });

  test('of days_left is one of the expiry', async () => {
    const { knex } = list.database;
    const inDays = (days: number) =>
      new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 19).replace('T', ' ');
    const rows = [-3.5, -0.5, 0.5, 1.5, 13.5, 14.5, 400].map((days, index) => ({
      id: index + 1,
      common_name: 'a.example',
      status: 'valid',
      expires_at: inDays(days),
    }));
    await knex('ssl').insert([...rows, { id: 8, common_name: 'a.example', status: 'pending' }]);
    expect(await list.keys('ssl.php?days_left_max=13')).toEqual([1, 2, 3, 4, 5]);
    expect(await list.keys('ssl.php?days_left_min=0&days_left_max=13')).toEqual([3, 4, 5]);
    expect(await list.keys('ssl.php?days_left_max=-1')).toEqual([1, 2]);
    expect(await list.keys('ssl.php?days_left_min=14')).toEqual([6, 7]);
    for (const bound of ['9'.repeat(30), '3000000'])
      expect(await list.keys(`ssl.php?days_left_min=-${bound}&days_left_max=${bound}`)).toHaveLength(7);
    expect(await list.keys(`ssl.php?days_left_min=${'9'.repeat(30)}`)).toEqual([]);
  });

  test('exists for times and numbers in plain columns alone', async () => {
    const sources = {
      ssl: {
        fields: {
          issued_at: { from: () => null },
          expires_at: false,
          last_renewal_at: { value: null },
          created_at: { values: { never: null } },
        },
      },
      jobs: {
        fields: {
          attempts: { cases: [{ when: { status: 'failed' }, is: 1 }] },
          max_attempts: { columns: { a: 'attempts' }, compute: () => 1 },
          queued_at: {
            column: 'started_at',
            time: 'datetime',
            zone: 'Europe/Berlin',
            null: '1970-01-01 00:00:00',
          },
        },
      },
    } as const;
    const panel = await startPanel({ db: list.database.knex, sources, rateLimit: { requests: 10_000 } });
    const supported = async (name: string) =>
      (await panel.get(`/api/v1/${name}.php?x=1`, token)).body.error.supported.filter((parameter: string) =>
        /_(?:since|before|min|max)$/.test(parameter),
      );
    expect(await supported('ssl')).toEqual(['updated_since', 'updated_at_before']);
    expect(await supported('jobs')).toEqual(
      ['progress_percent_min', 'progress_percent_max'].concat(
        ['queued_at', 'started_at', 'finished_at'].flatMap((field) => [`${field}_since`, `${field}_before`]),
      ),
    );
  });
});

describeOneEngine('The bound of a range', (engine) => {
  let list: ListPanel;

  beforeAll(async () => {
    list = await startListPanel(engine, async (knex) => {
      await createPanelTables(knex, ['jobs']);
      await knex('jobs').insert(JOBS);
    });
  });

  test.each([
    [
      'queued_at_since=yesterday',
      'queued_at_since must be a time such as 2026-06-12T00:00:00Z, or a day such as 2026-06-12.',
    ],
    [
      'queued_at_before=1781258400',
      'queued_at_before must be a time such as 2026-06-12T00:00:00Z, or a day such as 2026-06-12.',
    ],
    [
      'queued_at_since=2026-06-12&queued_at_before=2026-06-12',
      'queued_at_since must be earlier than queued_at_before.',
    ],
    [
      'queued_at_before=2026-06-11&queued_at_since=2026-06-12',
      'queued_at_since must be earlier than queued_at_before.',
    ],
    ['attempts_min=3&attempts_max=2', 'attempts_min must be at most attempts_max.'],
    ...[
      '1e400',
      '1e3',
      'NaN',
      'Infinity',
      '',
      '+1',
      '0x10',
      '1,2',
      '1.5',
      ' 1',
      '9'.repeat(31),
      '٣',
      '%00',
    ].map((bound) => [
      `attempts_min=${bound}`,
      'attempts_min must be a whole number of up to 30 digits, such as 1048576.',
    ]),
    ...['1e400', '.5', '5.', '-', '1.2.3', ''].map((bound) => [
      `progress_percent_max=${bound}`,
      'progress_percent_max must be a decimal number such as 99.5, with up to 30 digits on each side of the point.',
    ]),
    ['attempts_min=1&attempts_min=1', 'attempts_min must be set only once.'],
    ['duration_ms_min=1', 'Unknown parameter duration_ms_min.'],
    ['id_min=1', 'Unknown parameter id_min.'],
    ['account_id_max=1', 'Unknown parameter account_id_max. Did you mean account_id?'],
    ['queued_at_min=1', 'Unknown parameter queued_at_min. Did you mean queued_at_since or queued_at_before?'],
    [
      'attempts_since=2026-06-12',
      'Unknown parameter attempts_since. Did you mean attempts_min or attempts_max?',
    ],
    ['payload_min=1', 'Unknown parameter payload_min.'],
    ['updated_since=2026-06-12', 'Unknown parameter updated_since.'],
    ['queud_at_since=2026-06-12', 'Unknown parameter queud_at_since. Did you mean queued_at_since?'],
  ])('is refused: %s', async (query, message) => {
    const { status, body } = await list.get(`jobs.php?${query}`);
    expect([status, body.error?.code, body.message]).toEqual([400, 'query_invalid', message]);
  });

  test.each([
    ['of another range', 'attempts_min=1', 'attempts_min=2'],
    ['of the other bound', 'attempts_min=1', 'attempts_max=1'],
    ['of another field', 'queued_at_since=2026-06-01', 'started_at_since=2026-06-01'],
    ['of no range', 'attempts_min=1', 'id=1,2,3'],
  ])('refuses a cursor %s', async (_, from, to) => {
    const cursor = (await list.get(`jobs.php?limit=1&${from}`)).body.data.next_cursor;
    expect(cursor).toEqual(expect.any(String));
    const { status, body } = await list.get(`jobs.php?${to}&cursor=${cursor}`);
    expect([status, body.error?.parameter]).toEqual([400, 'cursor']);
  });
});

describeEachEngine('The ranges of every list', (engine) => {
  let list: ListPanel;

  beforeAll(async () => {
    list = await startListPanel(engine, createFilledTables, { settings: { keys: SHOWN_SETTINGS } });
  });

  const lists = operations.filter(({ kind, name }) => kind === 'list' && name !== 'services');
  test.each(
    shareOf(
      engine,
      lists.map(({ name }) => name),
    ),
  )('exist for its times and numbers: %s', async (name) => {
    const { fields = {} } = lists.find((operation) => operation.name === name) ?? {};
    const kinds = ['time', 'number', 'bytes', 'milliseconds'];
    const declared = Object.entries<Field>(fields).filter(
      ([field, { kind, derivation }]) => kinds.includes(kind) && (!derivation || field === 'days_left'),
    );
    const { supported } = (await list.get(`${name}.php?x=1`)).body.error;
    const ranges = supported.filter((parameter: string) => /_(?:since|before|min|max)$/.test(parameter));
    expect(ranges).toEqual(
      declared.flatMap(([field, { kind }]) =>
        kind !== 'time'
          ? [`${field}_min`, `${field}_max`]
          : [field === 'updated_at' ? 'updated_since' : `${field}_since`, `${field}_before`],
      ),
    );
  });

  test.each(
    shareOf(
      engine,
      lists.map(({ name }) => name),
    ),
  )('hold exactly the rows within them: %s', async (name) => {
    const all = await list.items(`${name}.php`);
    const { supported } = (await list.get(`${name}.php?x=1`)).body.error;
    for (const parameter of supported as readonly string[]) {
      const [, stem = '', end = ''] = /^(.*)_(since|before|min|max)$/.exec(parameter) ?? [];
      if (end === '') continue;
      const field = stem === 'updated' ? 'updated_at' : stem;
      const isTime = end === 'since' || end === 'before';
      const bounds = all.map((item) => item[field]).filter((value) => value !== null) as (string | number)[];
      for (const bound of [...bounds, isTime ? '2026-06-01T00:00:00+00:00' : 5]) {
        const expected = all.filter((item) => {
          const value = item[field] as string | number | null;
          if (value === null) return false;
          return { since: value >= bound, before: value < bound, min: value >= bound, max: value <= bound }[
            end
          ];
        });
        const path = pathOf(name, { [parameter]: String(bound) });
        expect([path, await list.items(path)]).toEqual([path, expected]);
      }
    }
  });
});

const INDEXED: readonly {
  readonly engines?: readonly Engine[];
  readonly type: string;
  readonly value: string;
  readonly field: 'expires_at' | 'size_bytes';
  readonly source?: { readonly time?: 'unix' | 'datetime'; readonly zone?: string; readonly unit?: 'MB' };
}[] = [
  { type: 'bigint', field: 'expires_at', value: '1781258400' },
  { type: 'integer', field: 'expires_at', value: '1781258400', source: { time: 'unix' } },
  { type: 'varchar(19)', field: 'expires_at', value: "'2026-06-12'", source: { time: 'datetime' } },
  { type: 'date', field: 'expires_at', value: "'2026-06-12'" },
  { engines: ['mariadb', 'sqlite'], type: 'datetime', field: 'expires_at', value: "'2026-06-12 10:00:00'" },
  {
    engines: ['mariadb', 'sqlite'],
    type: 'datetime',
    field: 'expires_at',
    value: "'2026-06-12 10:00:00'",
    source: { zone: 'Europe/Berlin' },
  },
  {
    engines: ['mariadb', 'postgresql'],
    type: 'timestamp',
    field: 'expires_at',
    value: "'2026-06-12 10:00:00'",
  },
  { engines: ['postgresql'], type: 'timestamptz', field: 'expires_at', value: "'2026-06-12 10:00:00'" },
  { type: 'bigint', field: 'size_bytes', value: '524288000' },
  { type: 'integer', field: 'size_bytes', value: '500', source: { unit: 'MB' } },
  { type: 'decimal(20, 2)', field: 'size_bytes', value: '500', source: { unit: 'MB' } },
  { engines: ['mariadb', 'sqlite'], type: 'double', field: 'size_bytes', value: '524288000' },
];

describeEachEngine("The panel's index serves a range", (engine) => {
  const kinds = INDEXED.filter(({ engines = [engine] }) => engines.includes(engine));
  let list: ListPanel;

  beforeAll(async () => {
    list = await startListPanel(engine, async () => {});
  });

  test.each(kinds.map((kind, index) => ({ ...kind, index })))(
    'of a column $type read as $source ($index)',
    async ({ type, field, value, source = {}, index }) => {
      const { knex } = list.database;
      const table = `sizes_${index}`;
      await knex.raw(`CREATE TABLE ${table} (id integer PRIMARY KEY, status varchar(9), ${field} ${type})`);
      await knex.raw(`CREATE INDEX served_${index} ON ${table} (${field})`);
      await knex.raw(`INSERT INTO ${table} VALUES (1, 'failed', ${value})`);
      await knex.batchInsert(
        table,
        Array.from({ length: 500 }, (_, id) => ({ id: id + 2, status: 'failed' })),
        250,
      );
      const panel = await list.beside({ backups: { table, fields: { [field]: source } } });
      const queries =
        field === 'size_bytes'
          ? [
              'size_bytes_min=524288000',
              'size_bytes_max=524288000',
              'size_bytes_min=1000&size_bytes_max=524288000',
            ]
          : [
              'expires_at_since=2026-06-11',
              'expires_at_before=2026-06-13',
              'expires_at_since=2026-06-11&expires_at_before=2026-06-13',
            ];
      for (const query of queries) {
        expect([query, await panel.keys(`backups.php?${query}`)]).toEqual([query, [1]]);
        expect([query, await indexFor(panel, `backups.php?${query}`)]).toEqual([query, `served_${index}`]);
      }
    },
  );
});

describe('The ranges of a function', () => {
  const received: FunctionQuery['ranges'][] = [];
  const rows = [10, 20, 30].map((size, index) => ({
    id: String(index + 1),
    common_name: 'a.example',
    status: 'valid',
    expires_at: `2026-06-1${index} 12:00:00`,
    type: 'acme',
    size_bytes: size,
  }));

  test('are passed on, and applied whether it heeds them or not', async () => {
    const list = await startListPanel('sqlite', async () => {}, {
      backups: {
        fields: ['id', 'status', 'expires_at', 'size_bytes'],
        rows: ({ ranges }) => {
          received.push(ranges);
          return rows;
        },
      },
      ssl: { fields: ['id', 'common_name', 'status', 'expires_at'], rows: () => rows },
    });
    expect(
      await list.keys(
        'backups.php?size_bytes_min=15&expires_at_since=2026-06-11&expires_at_before=2026-06-12',
      ),
    ).toEqual(['2']);
    expect(await list.keys('backups.php?size_bytes_max=20')).toEqual(['1', '2']);
    expect(received).toEqual([
      {
        expires_at: { since: new Date('2026-06-11T00:00:00Z'), before: new Date('2026-06-12T00:00:00Z') },
        size_bytes: { min: 15 },
      },
      { size_bytes: { max: 20 } },
    ]);
    expect(await list.keys('ssl.php?days_left_max=-30000')).toEqual([]);
    expect(await list.keys('ssl.php?days_left_min=-30000')).toEqual(['1', '2', '3']);
  });
});

test('The parameters of no list have the name of one of its fields', () => {
  for (const { name, fields } of operations) {
    for (const field of Object.keys(fields)) {
      const parameters = ['since', 'before', 'min', 'max'].map((suffix) => `${field}_${suffix}`);
      for (const parameter of [...parameters, 'limit', 'cursor', 'fields', 'updated_since'])
        expect([name, parameter in fields]).toEqual([name, parameter === field]);
    }
  }
});
