import type { Knex } from 'knex';
import type { Sources } from '../../../index';
import { describeEachEngine, describeOneEngine, type Engine, openHandle } from '../../fixture/databases';
import { describedParameters } from '../../fixture/describedParameters';
import { describeOwnServer } from '../../fixture/describeOwnServer';
import { leniently } from '../../fixture/leniently';
import { type ListPanel, startListPanel } from '../../fixture/listPanel';
import { startPanel } from '../../fixture/panel';
import { createPanelTables } from '../../fixture/panelTables';
import { sourcePanels } from '../../fixture/sources/sourcePanels';

/** Each row's time in hours, from the row 1 on. Row 9 holds a value that means "none", if its column has one. */
const HOURS = [2, 1, 2, null, 3, 1, null, 2, 'none', 0] as const;
const LATEST_FIRST = [5, 8, 3, 1, 6, 2, 10, 9, 7, 4];

interface Kind {
  readonly engines?: readonly Engine[];
  readonly type: string;
  readonly value: (moment: string) => string;
  readonly none?: string;
  readonly source?: {
    readonly time?: 'unix' | 'unix-ms' | 'datetime';
    readonly zone?: string;
    readonly null?: number;
  };
}

const unix = (moment: string) => String(Date.parse(`${moment.replace(' ', 'T')}Z`) / 1000);
const quoted = (moment: string) => `'${moment}'`;
const day = (moment: string) => `'2026-06-1${moment.slice(12, 13)}'`;
const zone = 'Europe/Berlin';

const KINDS: readonly Kind[] = [
  { type: 'bigint', value: unix, none: '0' },
  { type: 'integer', value: unix, none: '-1', source: { time: 'unix', null: -1 } },
  { type: 'bigint', value: (moment) => `${unix(moment)}123`, source: { time: 'unix-ms' } },
  { type: 'date', value: day },
  { engines: ['mariadb'], type: 'datetime', value: quoted, none: "'0000-00-00 00:00:00'" },
  { engines: ['mariadb'], type: 'datetime', value: quoted, none: "'2026-00-10 00:00:00'" },
  { engines: ['mariadb'], type: 'date', value: day, none: "'2026-02-00'" },
  { engines: ['mariadb'], type: 'datetime(6)', value: (moment) => `'${moment}.000001'`, source: { zone } },
  { engines: ['mariadb'], type: 'timestamp NULL', value: (moment) => `FROM_UNIXTIME(${unix(moment)})` },
  { engines: ['mariadb'], type: 'timestamp(6) NULL', value: (moment) => `FROM_UNIXTIME(${unix(moment)}.1)` },
  {
    engines: ['postgresql'],
    type: 'timestamp',
    value: (moment) => `'${moment}.654321'`,
    none: "'-infinity'",
  },
  { engines: ['postgresql'], type: 'timestamptz', value: (moment) => `'${moment}.123456+02'` },
  { engines: ['sqlite'], type: 'datetime', value: quoted, none: '0' },
  { engines: ['sqlite'], type: 'datetime', value: unix, none: '0', source: { zone } },
  { engines: ['sqlite'], type: 'timestamp', value: (moment) => `'${moment.replace(' ', 'T')}.123Z'` },
];

async function createJobs(knex: Knex, table: string, { type, value, none = 'NULL' }: Kind): Promise<void> {
  await knex.raw(
    `CREATE TABLE ${table} (id integer PRIMARY KEY, type varchar(9), status varchar(9), queued ${type})`,
  );
  await knex.raw(`CREATE INDEX ${table}_queued ON ${table} (queued)`);
  const rows = HOURS.map((hour, index) => {
    const time = typeof hour === 'number' ? value(`2026-06-12 0${hour}:00:00`) : 'NULL';
    return `(${index + 1}, 'x', '${index % 2 ? 'queued' : 'failed'}', ${hour === 'none' ? none : time})`;
  });
  await leniently(knex, (run) => run.raw(`INSERT INTO ${table} VALUES ${rows.join(', ')}`));
}

const sorted = (source: Kind['source'] = {}, table = 'jobs'): Sources => ({
  jobs: { table, fields: { queued_at: { column: 'queued', ...source } }, orders: ['queued_at'] },
});

describeEachEngine('An order by a time', (engine) => {
  const kinds = KINDS.filter(({ engines = [engine] }) => engines.includes(engine));

  let panel: ListPanel;

  beforeAll(async () => {
    panel = await startListPanel(engine, async () => {});
  });

  describe.each(kinds.map((kind, index) => ({ ...kind, table: `jobs_${index}` })))(
    'in a column of $type ($table)',
    ({ table, ...kind }) => {
      let list: ListPanel;

      beforeAll(async () => {
        await createJobs(panel.database.knex, table, kind);
        list = await panel.beside(sorted(kind.source, table));
      });

      test('has the latest first, then the greatest key, and rows without that time last', async () => {
        expect(await list.keys('jobs.php?order=-queued_at')).toEqual(LATEST_FIRST);
      });

      test.each([1, 3, 10])('has the same rows in pages of %i', async (limit) => {
        const pages = await list.pages(`jobs.php?order=-queued_at&limit=${limit}`);
        expect(pages.flat().map(({ id }) => id)).toEqual(LATEST_FIRST);
        expect(pages).toHaveLength(Math.ceil(10 / limit));
      });

      test('can be combined with filters and fields', async () => {
        const pages = await list.pages('jobs.php?order=-queued_at&limit=2&status=failed&fields=id');
        expect(pages.flat()).toEqual([5, 3, 1, 9, 7].map((id) => ({ id })));
      });
    },
  );
});

describeOneEngine('An order by a time of a list', (engine) => {
  let list: ListPanel;

  beforeAll(async () => {
    list = await startListPanel(
      engine,
      async (knex) => {
        await createPanelTables(knex);
        await knex('accounts').insert({ id: 1, username: 'anna' });
        const rows = Array.from({ length: 2500 }, (_, id) => ({
          id: id + 1,
          account_id: id % 2,
          error: 'x'.repeat(id % 900),
          queued_at: id % 10 ? `2026-06-${10 + (id % 7)} 00:00:00` : null,
        }));
        await knex.batchInsert('jobs', rows, 100);
        await knex('backups').insert(
          [1, 2, 3].map((id) => ({ id, started_at: `2026-06-1${3 - id} 00:00:00` })),
        );
      },
      {
        jobs: { orders: ['queued_at', 'finished_at'] },
        backups: {
          query: (knex) => knex('backups as b').leftJoin('accounts as a', 'a.id', 'b.account_id'),
          fields: { id: 'b.id', status: 'b.status', started_at: 'b.started_at' },
          orders: ['started_at'],
        },
      },
    );
  });

  const inOrder = async (token?: string) =>
    (await list.items('jobs.php', token)).toSorted(
      (one, other) =>
        String(other.queued_at ?? '').localeCompare(String(one.queued_at ?? '')) ||
        Number(other.id) - Number(one.id),
    );

  test('that is sent in pieces has every row', async () => {
    const answer = await list.get('jobs.php?order=-queued_at');
    expect(answer.headers.get('etag')).toBeNull();
    expect(answer.body.data.items).toEqual(await inOrder());
  });

  test('that is sent at once has every row, and an ETag', async () => {
    const { body, headers } = await list.get('jobs.php?order=-queued_at&fields=id');
    expect(headers.get('etag')).not.toBeNull();
    expect(body.data.items).toEqual((await inOrder()).map(({ id }) => ({ id })));
  });

  test('keeps a token to the rows of its account', async () => {
    const token = await list.bound(1);
    const expected = await inOrder(token);
    expect(expected).toHaveLength(1250);
    expect((await list.pages('jobs.php?order=-queued_at&limit=400', token)).flat()).toEqual(expected);
  });

  test('is possible by each of its times, and of a query', async () => {
    expect(await list.keys('jobs.php?order=-finished_at&limit=3')).toEqual([2500, 2499, 2498]);
    expect(await list.keys('backups.php?order=-started_at')).toEqual([1, 2, 3]);
    expect((await list.pages('backups.php?order=-started_at&limit=1')).flat().map(({ id }) => id)).toEqual([
      1, 2, 3,
    ]);
  });

  test.each(['queued_at', '-started_at', '-id', '-queued_at,desc', '+queued_at'])(
    'that it does not have is refused: %s',
    async (order) => {
      const { status, body } = await list.get(`jobs.php?order=${encodeURIComponent(order)}`);
      expect([status, body.error]).toEqual([
        400,
        { code: 'query_invalid', parameter: 'order', allowed: ['desc', '-queued_at', '-finished_at'] },
      ]);
      expect(body.message).toBe('order must be one of desc, -queued_at, -finished_at.');
    },
  );

  test('is in the OpenAPI document', async () => {
    const { document } = (await list.get('openapi.php')).body.data;
    const parameters = describedParameters(document, '/api/v1/backups.php');
    expect(parameters.find(({ name }) => name === 'order')?.schema).toEqual({
      type: 'string',
      enum: ['desc', '-started_at'],
    });
  });

  test.each([
    ['jobs.php?limit=2&order=desc', 'jobs.php?order=-queued_at&'],
    ['jobs.php?limit=2&order=-queued_at', 'jobs.php?order=-finished_at&'],
    ['jobs.php?limit=2&order=-queued_at', 'jobs.php?'],
  ])('refuses to continue %s as %s', async (from, to) => {
    const { next_cursor } = (await list.get(from)).body.data;
    const { status, body } = await list.get(`${to}cursor=${next_cursor}`);
    expect([status, body.error.parameter]).toEqual([400, 'cursor']);
  });
});

describeEachEngine('An order that the panel names', (engine) => {
  const panels = sourcePanels(engine);

  const named = async (type: 'string' | 'datetime', source: Sources['jobs']) => {
    await panels.table('jobs', { type: 'string', status: 'string', queued_at: type });
    const { get, inspected } = await panels.start({ jobs: source });
    const { allowed } = (await get('jobs.php?order=x')).body.error;
    return { allowed, health: await inspected('jobs') };
  };

  test('is not offered for a column of texts, and check says why', async () => {
    expect(await named('string', { orders: ['queued_at'] })).toEqual({
      allowed: ['desc'],
      health: expect.objectContaining({
        status: 'warn',
        detail: expect.stringContaining('The list cannot be sorted by queued_at: the column queued_at holds'),
      }),
    });
  });

  test('is not offered for a column that is not there, and check says why', async () => {
    const { allowed, health } = await named('datetime', { orders: ['finished_at'] });
    expect([allowed, health.detail]).toEqual([
      ['desc'],
      expect.stringContaining('The list cannot be sorted by finished_at: no column supplies this field.'),
    ]);
  });
});

const AUTUMN = Date.parse('2026-10-25T01:00:00Z') / 1000;

describeOwnServer('A timestamp in the session of a zone that sets its clocks back', 'mariadb', (start) => {
  test('sorts by the moment, not by the clock', async () => {
    const { url } = await start();
    const setting = openHandle({ client: 'mysql2', connection: url, pool: { min: 0, max: 1 } });
    await setting.raw('CREATE DATABASE panel');
    for (const [table, values] of [
      ['time_zone', "(7, 'N')"],
      ['time_zone_name', "('Test/Autumn', 7)"],
      ['time_zone_transition', `(7, 0, 0), (7, ${AUTUMN}, 1)`],
      ['time_zone_transition_type', "(7, 0, 7200, 1, 'S'), (7, 1, 3600, 0, 'W')"],
    ])
      await setting.raw(`INSERT INTO mysql.${table} VALUES ${values}`);
    const knex = openHandle({
      client: 'mysql2',
      connection: `${url}panel`,
      pool: {
        min: 0,
        max: 4,
        afterCreate: (connection: { query: (sql: string, done: unknown) => void }, done: unknown) =>
          connection.query("SET time_zone = 'Test/Autumn'", done),
      },
    });
    await knex.raw(
      'CREATE TABLE jobs (id int PRIMARY KEY, type varchar(9), status varchar(9), queued timestamp NULL, INDEX (queued))',
    );
    await setting.raw("SET time_zone = '+00:00'");
    const minutes = Array.from({ length: 40 }, (_, index) => index * 6 - 120);
    for (const [index, minute] of minutes.entries())
      await setting.raw(
        `INSERT INTO panel.jobs VALUES (${index}, 'x', 'x', FROM_UNIXTIME(${AUTUMN + minute * 60}))`,
      );
    const panel = await startPanel({ db: knex, sources: sorted(), rateLimit: { requests: 1000 } });
    const token = await panel.token();
    for (const limit of [1, 7]) {
      const found: number[] = [];
      let cursor = '';
      do {
        const path = `/api/v1/jobs.php?order=-queued_at&limit=${limit}${cursor}`;
        const { data } = (await panel.get(path, token)).body;
        found.push(...data.items.map(({ id }: { id: number }) => id));
        cursor = data.next_cursor && `&cursor=${data.next_cursor}`;
      } while (cursor);
      expect(found).toEqual(minutes.map((_, index) => 39 - index));
    }
  });
});
