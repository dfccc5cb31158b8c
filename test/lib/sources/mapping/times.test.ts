import { knex as connect } from 'knex';
import { describeEachEngine, type Engine } from '../../../fixture/databases';
import { handleSettings } from '../../../fixture/handleSettings';
import { BESIDE } from '../../../fixture/sources/descriptions';
import { type ColumnType, sourcePanels } from '../../../fixture/sources/sourcePanels';

interface TimeCase {
  readonly column: ColumnType;
  /** The engines that have such a column; all if it is left out. */
  readonly engines?: readonly Engine[];
  readonly source?: object;
  readonly rows: readonly (readonly [unknown, string | null])[];
}

const LAST = Date.parse('9999-12-31T23:59:59Z');
const BERLIN = { zone: 'Europe/Berlin' };

const TIMES: Readonly<Record<string, TimeCase>> = {
  'unix seconds': {
    column: 'integer',
    source: { time: 'unix' },
    rows: [
      [1781222400, '2026-06-12T00:00:00+00:00'],
      [0, null],
      [null, null],
    ],
  },
  'unix milliseconds before the year 1973': {
    column: 'bigInteger',
    source: { time: 'unix-ms' },
    rows: [['86400000', '1970-01-02T00:00:00+00:00']],
  },
  'unix seconds after the year 5138': {
    column: 'bigInteger',
    source: { time: 'unix' },
    rows: [['253402300799', '9999-12-31T23:59:59+00:00']],
  },
  'unix seconds in text, a sentinel beside them': {
    column: 'string',
    source: { time: 'unix', null: 'never' },
    rows: [
      ['1781222400', '2026-06-12T00:00:00+00:00'],
      ['never', null],
      ['2026-06-12', null],
    ],
  },
  'unix seconds, which know no zone,': {
    column: 'integer',
    source: BERLIN,
    rows: [[1781222400, '2026-06-12T00:00:00+00:00']],
  },
  'a day of a zone': {
    column: 'date',
    source: BERLIN,
    rows: [
      ['2026-06-12', '2026-06-11T22:00:00+00:00'],
      ['2026-01-12', '2026-01-11T23:00:00+00:00'],
    ],
  },
  'a day far away': {
    column: 'date',
    rows: [
      ['9999-12-31', '9999-12-31T00:00:00+00:00'],
      ['1970-01-01', '1970-01-01T00:00:00+00:00'],
      ['1969-12-31', '1969-12-31T00:00:00+00:00'],
    ],
  },
  'a date in text': {
    column: 'string',
    source: { time: 'date' },
    rows: [
      ['2026-06-12', '2026-06-12T00:00:00+00:00'],
      ['0000-00-00', null],
      ['2026-02-30', null],
      ['20260612', null],
      ['', null],
    ],
  },
  'a date and time in text of a zone': {
    column: 'string',
    source: { time: 'datetime', ...BERLIN },
    rows: [
      ['2026-06-12 02:00:00', '2026-06-12T00:00:00+00:00'],
      ['2026-06-12T02:00:00Z', '2026-06-12T02:00:00+00:00'],
      ['2026-06-12 02:00:00+09:00', '2026-06-11T17:00:00+00:00'],
      ['2026-06-12 02:00', '2026-06-12T00:00:00+00:00'],
    ],
  },
  'a date and time of a zone': {
    column: 'datetime',
    source: BERLIN,
    rows: [
      ['2026-06-12 02:00:00', '2026-06-12T00:00:00+00:00'],
      ['2026-12-12 01:00:00', '2026-12-12T00:00:00+00:00'],
      [null, null],
    ],
  },
  'the hour that never came in spring': {
    column: 'datetime',
    source: BERLIN,
    rows: [
      ['2026-03-29 01:59:59', '2026-03-29T00:59:59+00:00'],
      ['2026-03-29 02:30:00', null],
      ['2026-03-29 03:00:00', '2026-03-29T01:00:00+00:00'],
    ],
  },
  'the hour that came twice in autumn': {
    column: 'datetime',
    source: BERLIN,
    rows: [
      ['2026-10-25 01:59:59', '2026-10-24T23:59:59+00:00'],
      ['2026-10-25 02:30:00', '2026-10-25T00:30:00+00:00'],
      ['2026-10-25 03:00:00', '2026-10-25T02:00:00+00:00'],
    ],
  },
  'a zone of half an hour': {
    column: 'datetime',
    source: { zone: 'Asia/Kolkata' },
    rows: [['2026-06-12 05:30:00', '2026-06-12T00:00:00+00:00']],
  },
  'a day and a time in a format, of a zone': {
    column: 'string',
    source: { time: 'DD.MM.YYYY hh:mm', ...BERLIN },
    rows: [
      ['12.06.2026 02:00', '2026-06-12T00:00:00+00:00'],
      ['12.01.2026 01:00  ', '2026-01-12T00:00:00+00:00'],
      ['12.06.2026', null],
      ['31.02.2026 10:00', null],
      ['12.06.2026 24:00', null],
      ['2026-06-12 02:00', null],
      ['1781222400', null],
      [null, null],
    ],
  },
  'a format that begins with the year': {
    column: 'string',
    source: { time: 'YYYY/MM/DD hh:mm:ss', ...BERLIN },
    rows: [
      ['2026/06/12 02:00:01', '2026-06-12T00:00:01+00:00'],
      ['2025/12/31 23:59:59', '2025-12-31T22:59:59+00:00'],
      ['never', null],
    ],
  },
  'digits alone, which are no unix times,': {
    column: 'bigInteger',
    source: { time: 'YYYYMMDDhhmmss', ...BERLIN },
    rows: [
      ['20260612020000', '2026-06-12T00:00:00+00:00'],
      [0, null],
    ],
  },
  'digits in text': {
    column: 'string',
    source: { time: 'YYYYMMDD' },
    rows: [
      ['20260612', '2026-06-12T00:00:00+00:00'],
      ['2026', null],
    ],
  },
  'words of OpenSSL': {
    column: 'string',
    source: { time: 'MMM D hh:mm:ss YYYY [GMT]' },
    rows: [
      ['Jun 12 00:00:00 2026 GMT', '2026-06-12T00:00:00+00:00'],
      ['Jun  2 00:00:00 2026 GMT', '2026-06-02T00:00:00+00:00'],
      ['Jum 12 00:00:00 2026 GMT', null],
      ['Jun 12 00:00:00 2026', null],
    ],
  },
  'a moment, whatever zone is named,': {
    column: 'native timestamptz',
    engines: ['postgresql'],
    source: BERLIN,
    rows: [
      ['2026-06-12 00:00:00+00', '2026-06-12T00:00:00+00:00'],
      ['infinity', null],
    ],
  },
  'what SQLite calls a timestamp': {
    column: 'native timestamp',
    engines: ['sqlite'],
    source: BERLIN,
    rows: [
      ['2026-06-12 02:00:00', '2026-06-12T00:00:00+00:00'],
      [1781222400000, '2026-06-12T00:00:00+00:00'],
    ],
  },
};

describeEachEngine('A time that is stored as', (engine) => {
  const panels = sourcePanels(engine);
  const cases = Object.entries(TIMES).filter(([, { engines }]) => engines?.includes(engine) ?? true);

  const started = async ({ column, source = {}, rows }: TimeCase) => {
    await panels.table(
      'panel_rows',
      { changed: column },
      rows.map(([changed]) => ({ changed })),
    );
    return panels.start({
      email: {
        table: 'panel_rows',
        fields: { ...BESIDE.email, updated_at: { column: 'changed', ...source } },
      },
    });
  };

  test.each(cases)('%s reads as that moment, and is found by when it changed', async (_, kept) => {
    const { items } = await started(kept);
    const whole = await items('email');
    expect(whole.map(({ updated_at }) => updated_at)).toEqual(kept.rows.map(([, at]) => at));
    const moments = kept.rows.flatMap(([, at]) => (at === null ? [] : [Date.parse(at)]));
    for (const moment of moments.flatMap((at) => [at - 1000, at, Math.min(at + 1000, LAST)])) {
      const since = new Date(moment).toISOString();
      expect(await items('email', `?updated_since=${since}`)).toEqual(
        whole.filter(({ updated_at }) => updated_at !== null && Date.parse(updated_at) >= moment),
      );
    }
  });

  test('texts in a format that begins with the year are compared by the database', async () => {
    const { items, statements } = await started(TIMES['a format that begins with the year'] as TimeCase);
    expect(await items('email', '?updated_since=2026-06-01&updated_at_before=2026-07-01')).toHaveLength(1);
    expect(statements.at(-1)).toMatch(/changed.*>= .*changed.*<= .*"2026\/05\/30","2026\/07\/03"/s);
  });
});

describe('A timestamp of MariaDB', () => {
  const panels = sourcePanels('mariadb');

  test.each(['+00:00', '+09:00', '-05:00'])('is the same moment in sessions at %s', async (zone) => {
    await panels.table('panel_rows', { changed: 'native timestamp null' });
    await panels.knex.raw('insert into panel_rows (changed) values (from_unixtime(1781222400))');
    const db = connect({
      ...handleSettings(panels.database),
      pool: {
        min: 0,
        afterCreate: (connection: { query: (sql: string, done: unknown) => void }, done: unknown) =>
          connection.query(`set time_zone = '${zone}'`, done),
      },
    });
    try {
      const fields = { ...BESIDE.email, updated_at: { column: 'changed', ...BERLIN } };
      const { items } = await panels.start({ email: { table: 'panel_rows', fields } }, { db });
      expect((await items('email', '?updated_since=2026-06-12T00:00:00Z'))[0].updated_at).toBe(
        '2026-06-12T00:00:00+00:00',
      );
    } finally {
      await db.destroy();
    }
  });
});
