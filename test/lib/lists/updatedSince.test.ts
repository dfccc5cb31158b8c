import type { Knex } from 'knex';
import { readAnswer } from '../../fixture/answer';
import { describeEachEngine, describeOneEngine, type Engine, openHandle } from '../../fixture/databases';
import { handleSettings } from '../../fixture/handleSettings';
import { type ListPanel, pathOf, startListPanel } from '../../fixture/listPanel';
import { startPanel } from '../../fixture/panel';
import { createPanelTables } from '../../fixture/panelTables';
import { isWhole } from '../../prove/scale';

/** The same three moments, an hour apart: the rows 1, 2 and 3. Row 4 was never changed. */
const MOMENTS = ['2026-06-12 10:00:00', '2026-06-12 11:00:00', '2026-06-12 12:00:00'];

/** Values of the parameter, and how many of the rows 1 to 3 are older. */
const ASKED: readonly [string, number][] = [
  ['2026-06-12T10:00:00Z', 0],
  ['2026-06-12T10:00:01Z', 1],
  ['2026-06-12t11:00:00z', 1],
  ['2026-06-12T11:00:00.5Z', 1],
  ['2026-06-12T11:00:00.999999999+00:00', 1],
  ['2026-06-12T11:00:01-00:00', 2],
  ['2026-06-12T13:00:00+02:00', 1],
  ['2026-06-12T13:00:01 02:00', 2],
  ['2026-06-12T02:30:00-09:30', 2],
  ['2026-06-12 12:00:00Z', 2],
  ['2026-06-12T12:00:01Z', 3],
  ['2026-06-12', 0],
  ['2026-06-13', 3],
  ['2026-06-13T01:45:00+13:45', 2],
  ['0001-01-01', 0],
  ['1969-12-31T23:59:59Z', 0],
  ['1970-01-01T00:00:00Z', 0],
  ['9999-12-31T23:59:59Z', 3],
];

const WRONG = [
  '',
  '2026',
  '2026-06',
  '2026-6-12',
  '20260612',
  '2026-02-30',
  '2026-13-01',
  '0000-01-01',
  '2026-06-12T10:00:00',
  '2026-06-12T10:00Z',
  '2026-06-12T24:00:00Z',
  '2026-06-12T10:60:00Z',
  '2026-06-12T10:00:60Z',
  '2026-06-12T10:00:00+24:00',
  '2026-06-12T10:00:00+02',
  '2026-06-12T10:00:00+0200',
  '2026-06-12T10:00:00 UTC',
  '2026-06-12Z',
  ' 2026-06-12',
  '2026-06-12,2026-06-13',
  '1781258400',
  'yesterday',
  '٢٠٢٦-٠٦-١٢',
  '10000-01-01',
];

interface Kind {
  readonly engines?: readonly Engine[];
  readonly type: string;
  readonly value: (moment: string) => string;
  readonly source?: { readonly time?: 'unix' | 'unix-ms' | 'date' | 'datetime'; readonly zone?: string };
}

const quoted = (moment: string) => `'${moment}'`;
const unix = (moment: string) => String(Date.parse(`${moment.replace(' ', 'T')}Z`) / 1000);
const milliseconds = (moment: string) => `${unix(moment)}000`;
/** The local time two hours east of UTC. */
const east = (moment: string) => `'${moment.replace(/ (\d\d)/, (_, hour) => ` ${Number(hour) + 2}`)}'`;
const zone = 'Africa/Johannesburg';

const KINDS: readonly Kind[] = [
  { type: 'bigint', value: unix },
  { type: 'bigint', value: milliseconds },
  { type: 'integer', value: unix, source: { time: 'unix' } },
  { type: 'bigint', value: milliseconds, source: { time: 'unix-ms' } },
  { type: 'decimal(20, 3)', value: unix },
  { type: 'varchar(64)', value: quoted },
  { type: 'varchar(64)', value: quoted, source: { time: 'datetime' } },
  { type: 'varchar(64)', value: (moment) => quoted(`${moment.replace(' ', 'T')}Z`) },
  {
    type: 'varchar(64)',
    value: (moment) => quoted(`${moment.replace(' ', 'T')}Z`),
    source: { time: 'datetime', zone },
  },
  { type: 'varchar(64)', value: (moment) => quoted(unix(moment)) },
  { type: 'varchar(64)', value: east, source: { zone } },
  { engines: ['mariadb'], type: 'datetime NULL', value: quoted },
  { engines: ['mariadb'], type: 'datetime(3) NULL', value: quoted },
  { engines: ['mariadb'], type: 'datetime NULL', value: east, source: { zone } },
  { engines: ['mariadb'], type: 'timestamp NULL', value: (moment) => `FROM_UNIXTIME(${unix(moment)})` },
  {
    engines: ['mariadb'],
    type: 'timestamp NULL',
    value: (moment) => `FROM_UNIXTIME(${unix(moment)})`,
    source: { zone },
  },
  { engines: ['postgresql'], type: 'timestamp', value: quoted },
  { engines: ['postgresql'], type: 'timestamp', value: east, source: { zone } },
  { engines: ['postgresql'], type: 'timestamptz', value: (moment) => `'${moment}+00'` },
  { engines: ['postgresql'], type: 'timestamptz', value: (moment) => `'${moment}+00'`, source: { zone } },
  { engines: ['sqlite'], type: 'datetime', value: quoted },
  { engines: ['sqlite'], type: 'datetime', value: unix },
  { engines: ['sqlite'], type: 'datetime', value: milliseconds },
  { engines: ['sqlite'], type: 'datetime', value: east, source: { zone } },
  { engines: ['sqlite'], type: 'timestamp', value: (moment) => quoted(`${moment.replace(' ', 'T')}.000Z`) },
  { engines: ['sqlite'], type: 'integer', value: quoted },
  { engines: ['sqlite'], type: 'real', value: unix },
  { engines: ['sqlite'], type: '', value: quoted },
];

const createCron = async (knex: Knex, table: string, type: string, moments: readonly string[]) => {
  await knex.raw(
    `CREATE TABLE ${table} (id integer PRIMARY KEY, schedule varchar(9), enabled integer, updated_at ${type})`,
  );
  for (const [index, moment] of [...moments, 'NULL'].entries()) {
    await knex.raw(`INSERT INTO ${table} (id, schedule, updated_at) VALUES (${index + 1}, '', ${moment})`);
  }
};

describeEachEngine('updated_since and updated_at_before', (engine) => {
  const kinds = KINDS.filter(({ engines = [engine] }) => engines.includes(engine));
  let list: ListPanel;
  let token: string;

  beforeAll(async () => {
    list = await startListPanel(engine, (knex) =>
      createCron(knex, 'cron', 'varchar(64)', MOMENTS.map(quoted)),
    );
    token = await list.panel.token();
  });

  const found = async (
    asked: typeof ASKED,
    table: string,
    source: Kind['source'] = {},
    db: Knex = list.database.knex,
  ) => {
    const sources = { cron: { table, fields: { updated_at: source } } };
    const panel = await startPanel({ db, sources, rateLimit: { requests: 10_000 } });
    // Each of these panels has a document of its own, and comparing with it would take longer than the rest of the
    // test.
    const headers = { Authorization: `Bearer ${token}` };
    const ids = async (query: Record<string, string>) => {
      const { body } = await readAnswer(
        await fetch(`${panel.url}/api/v1/${pathOf('cron', query)}`, { headers }),
      );
      return body.data?.items.map(({ id }: { id: number }) => id) ?? body.error;
    };
    const outcomeOf = async ([time]: (typeof ASKED)[number]) => [
      time,
      ...(await Promise.all([ids({ updated_since: time }), ids({ updated_at_before: time })])),
    ];
    const outcomes: unknown[] = [];
    for (let at = 0; at < asked.length; at += 5)
      outcomes.push(...(await Promise.all(asked.slice(at, at + 5).map(outcomeOf))));
    return outcomes;
  };
  const expected = (asked: typeof ASKED, rows = [1, 2, 3]) =>
    asked.map(([time, older]) => [time, rows.slice(older), rows.slice(0, older)]);

  test.each(kinds.map((kind, index) => ({ ...kind, index, table: `times_${index}` })))(
    'return the rows that changed at that time or later, and earlier, of a column $type read as $source ($table)',
    async ({ type, value, source, table, index }) => {
      await createCron(list.database.knex, table, type, MOMENTS.map(value));
      // Each time is asked of a third of the types, and in a whole proof of all.
      const asked = ASKED.filter((_, at) => isWhole || at % 3 === index % 3);
      expect(await found(asked, table, source)).toEqual(expected(asked));
    },
  );

  test('reads a date as the beginning of the day in UTC, in a column of dates', async () => {
    const asked: typeof ASKED = [
      ['2026-06-11', 0],
      ['2026-06-12', 1],
      ['2026-06-12T00:00:01Z', 2],
      ['2026-06-12T01:59:59+02:00', 1],
      ['2026-06-14', 3],
    ];
    await createCron(list.database.knex, 'days', 'date', ["'2026-06-11'", "'2026-06-12'", "'2026-06-13'"]);
    expect(await found(asked, 'days')).toEqual(expected(asked));
  });

  test('can be combined with filters and pages', async () => {
    const path = pathOf('cron', {
      updated_since: '2026-06-12T11:00:00Z',
      enabled: 'false',
      id: '1,2,3,4',
      limit: '1',
    });
    expect((await list.pages(path)).flat().map(({ id }) => id)).toEqual([2, 3]);
    expect(await list.keys(pathOf('cron', { updated_since: '2026-06-12T11:00:00Z', fields: 'id' }))).toEqual([
      2, 3,
    ]);
  });

  test('means the same whatever the time zone of the sessions of the database', async () => {
    // Sessions of SQLite have none.
    const few = ASKED.slice(0, 7);
    const offsets = engine === 'sqlite' ? [] : ['+09:00', '-11:00'];
    for (const offset of offsets) {
      const sql =
        engine === 'mariadb'
          ? `SET time_zone = '${offset}'`
          : `SET TIME ZONE INTERVAL '${offset}' HOUR TO MINUTE`;
      const pool = { min: 0, max: 4, afterCreate: sender(sql) };
      const knex = openHandle({ ...handleSettings(list.database), pool });
      for (const [index, { type, source, value }] of kinds.entries()) {
        if (!/^(?:date|timestamp)/.test(type)) continue;
        const table = `zoned_${index}_${offset.replace(/\W/g, '_')}`;
        await createCron(list.database.knex, table, type, MOMENTS.map(value));
        expect([type, await found(few, table, source, knex)]).toEqual([type, expected(few)]);
      }
    }
  });
});

describeOneEngine('updated_since', (engine) => {
  let list: ListPanel;

  beforeAll(async () => {
    list = await startListPanel(engine, async (knex) => {
      await createPanelTables(knex, ['jobs']);
      await createCron(knex, 'cron', 'varchar(64)', MOMENTS.map(quoted));
    });
  });

  test.each(WRONG)('is refused as %j', async (since) => {
    const { status, body } = await list.get(pathOf('cron', { updated_since: since }));
    expect([status, body.error]).toMatchObject([400, { code: 'query_invalid', parameter: 'updated_since' }]);
  });

  test('accepts a plus sign that was not encoded', async () => {
    expect(await list.keys('cron.php?updated_since=2026-06-12T13:00:01+02:00')).toEqual([3]);
  });

  test('can be written as the names of all ranges are', async () => {
    expect(await list.keys('cron.php?updated_at_since=2026-06-12T11:00:00Z')).toEqual([2, 3]);
    const { body } = await list.get(
      'cron.php?updated_at_since=2026-06-12T11:00:00Z&updated_at_before=2026-06-12',
    );
    expect(body.message).toBe('updated_since must be earlier than updated_at_before.');
    const { body: wrong } = await list.get('cron.php?updated_at_since=yesterday');
    expect(wrong.error.parameter).toBe('updated_since');
    const supported = (await list.get('cron.php?x=1')).body.error.supported;
    expect(supported).toContain('updated_since');
    expect(supported).not.toContain('updated_at_since');
  });

  test.each([
    'updated_since=2026-06-12&updated_at_since=2026-06-12',
    'updated_at_since=2026-06-12&updated_since=2026-06-12',
  ])('is refused beside its other name: %s', async (query) => {
    const { status, body } = await list.get(`cron.php?${query}`);
    const sentence = 'updated_since must be set only once, by this name or as updated_at_since.';
    expect([status, body.message]).toEqual([400, sentence]);
  });

  test.each(['updated_since', 'updated_at_since'])(
    'is refused as %s if the list does not say when a row was changed',
    async (name) => {
      const { status, body } = await list.get(`jobs.php?${name}=2026-06-12`);
      expect([status, body.error.parameter, body.error.supported]).toEqual([
        400,
        name,
        expect.not.arrayContaining(['updated_since', 'updated_at_since']),
      ]);
    },
  );
});

function sender(sql: string) {
  return (
    connection: { query: (sql: string, done: (error: unknown) => void) => void },
    done: (error: unknown, connection: unknown) => void,
  ) => connection.query(sql, (error) => done(error, connection));
}
