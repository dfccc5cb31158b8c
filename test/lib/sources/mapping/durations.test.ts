import type { Sources } from '../../../../index';
import { describeEachEngine, type Engine } from '../../../fixture/databases';
import { moment } from '../../../fixture/sources/dataLayerValues';
import { type ColumnType, sourcePanels } from '../../../fixture/sources/sourcePanels';

const STARTED = Date.UTC(2026, 5, 12, 10, 0, 0, 900);
const FINISHED = STARTED + 200;
const written = (ms: number) => new Date(ms).toISOString().slice(0, 23).replace('T', ' ');

const MOMENTS: Readonly<Record<Engine, readonly ColumnType[]>> = {
  mariadb: ['native datetime(3)', 'native timestamp(3) null', 'native datetime(6)'],
  postgresql: ['native timestamp(3)', 'native timestamptz', 'native timestamp'],
  sqlite: ['native datetime', 'native text', 'native timestamp'],
};

describeEachEngine('A duration that is computed from two times', (engine) => {
  const panels = sourcePanels(engine);
  const job = async (type: ColumnType, write: (ms: number) => string | number, described: object = {}) => {
    await panels.table('work', { began: type, ended: type }, [
      { began: write(STARTED), ended: write(FINISHED) },
    ]);
    const state = { value: 'succeeded' } as const;
    const fields = {
      type: { value: 'x' },
      status: state,
      started_at: { column: 'began', ...described },
      finished_at: { column: 'ended', ...described },
    };
    const { items } = await panels.start({ jobs: { table: 'work', fields } } as Sources);
    return (await items('jobs'))[0];
  };
  const shown = {
    started_at: '2026-06-12T10:00:00+00:00',
    finished_at: '2026-06-12T10:00:01+00:00',
    duration_ms: 200,
  };

  test.each(MOMENTS[engine])('of the type %s has its milliseconds, and the times have none', async (type) => {
    // The session of MariaDB may have another zone than UTC.
    const { duration_ms, started_at, finished_at } = await job(type, written);
    expect(duration_ms).toBe(200);
    if (!/timestamp/.test(type)) expect({ duration_ms, started_at, finished_at }).toEqual(shown);
  });

  test.each<[string, ColumnType, (ms: number) => string | number, object]>([
    ['milliseconds', 'bigInteger', (ms) => ms, {}],
    ['milliseconds that are named', 'bigInteger', (ms) => ms, { time: 'unix-ms' }],
    ['seconds with a fraction', 'decimal', (ms) => ms / 1000, {}],
    ['seconds with a fraction that are named', 'string', (ms) => String(ms / 1000), { time: 'unix' }],
    ['text with a fraction', 'string', written, {}],
    ['text with microseconds', 'string', (ms) => `${written(ms)}999`, { time: 'datetime' }],
    ['text with one digit', 'string', (ms) => written(ms).slice(0, 21), {}],
  ])('stored as %s has its milliseconds', async (_what, type, write, described) => {
    expect(await job(type, write, described)).toMatchObject(shown);
  });

  test('in another zone has its milliseconds', async () => {
    expect(await job('string', written, { zone: 'Europe/Berlin' })).toMatchObject({
      started_at: '2026-06-12T08:00:00+00:00',
      finished_at: '2026-06-12T08:00:01+00:00',
      duration_ms: 200,
    });
  });

  test('of whole seconds is their difference', async () => {
    const seconds = (ms: number) => written(ms).slice(0, 19);
    expect((await job('datetime', seconds)).duration_ms).toBe(1000);
  });

  test('in the rows of a function has its milliseconds', async () => {
    const row = (started_at: unknown, finished_at: unknown) => ({
      type: 'x',
      status: 'succeeded',
      started_at,
      finished_at,
    });
    const rows = [
      { id: '1', ...row(new Date(STARTED), new Date(FINISHED)) },
      { id: '2', ...row(moment(STARTED), moment(FINISHED)) },
      { id: '3', ...row(new Date(STARTED).toISOString(), FINISHED) },
      { id: '4', ...row(STARTED / 1000, FINISHED / 1000) },
    ];
    const fields = ['id', 'type', 'status', 'started_at', 'finished_at'] as const;
    const { items } = await panels.start({ jobs: { fields, rows: () => rows as never } });
    const found = await items('jobs');
    expect(found).toEqual(rows.map(({ id, type, status }) => ({ id, type, status, ...shown })));
  });
});
