import { checkSources } from '../../fixture/command/checkSources';
import { describeOneEngine } from '../../fixture/databases';
import { sourcePanels } from '../../fixture/sources/sourcePanels';

const RUN = [
  '0 4 * * *',
  '59 23 31 12 7',
  '0 0 1 jan-Mar mon,SUN',
  '0 0 * * 5-7',
  '0-59/5 * * * *',
  '0 0 29 2 *',
  '0 0 31 2 1',
  '@daily',
  '@reboot',
  '@every 90m',
];

const NEVER_RUN = [
  '0 30 * * *',
  '60 0 * * *',
  '0 0 0 * *',
  '0 0 32 * *',
  '0 0 * 0 *',
  '0 0 * 13 *',
  '0 0 * foo *',
  '0 0 * * 8',
  '10-5 * * * *',
  '0 0 * * fri-mon',
  '*/0 * * * *',
  '1,,2 * * * *',
  '0 0 31 2 *',
  '0 0 31 4,6 *',
  '@every 0s',
  '@every 5',
  '@nightly',
];

describeOneEngine('The schedule of a task', (engine) => {
  const panels = sourcePanels(engine);
  const doubtful = async (schedule: string) => {
    const rows = () => [{ id: '1', schedule, enabled: true }] as never;
    const cron = { fields: ['id', 'schedule', 'enabled'] as const, rows };
    const found = await checkSources({ db: panels.knex, sources: { cron } });
    return found.flatMap(({ warnings }) => warnings.map(({ code }) => code));
  };

  test.each(RUN)('%s is one', async (schedule) => {
    expect(await doubtful(schedule)).toEqual([]);
  });

  test.each(NEVER_RUN)('%s is shown, never runs, and check says so', async (schedule) => {
    expect(await doubtful(schedule)).toEqual(['schedule']);
    const rows = () => [{ id: '1', schedule, enabled: true }] as never;
    const { items } = await panels.start({ cron: { fields: ['id', 'schedule', 'enabled'], rows } });
    expect(await items('cron')).toEqual([expect.objectContaining({ schedule, next_run_at: null })]);
  });

  test('runs in the zone that the panel says for all tasks', async () => {
    await panels.table('tasks', { schedule: 'string' }, [{ schedule: '0 12 * * *' }]);
    const fields = { enabled: { value: true } } as const;
    const next = async (zone: object) => {
      const { items } = await panels.start({ cron: { table: 'tasks', fields: { ...fields, ...zone } } });
      return (await items('cron'))[0].next_run_at;
    };
    expect(await next({ timezone: { value: 'Asia/Tokyo' } })).toMatch(/T03:00:00\+00:00$/);
    // Without one, in that of the process.
    expect(new Date(await next({})).getHours()).toBe(12);
  });
});
