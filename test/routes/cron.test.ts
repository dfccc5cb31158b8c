import { nextRun, nextRunAt } from '../../routes/cron';

describe('nextRunAt', () => {
  const now = new Date('2026-06-12T12:00:00Z');

  test('an enabled task is due at the next time of its schedule', () => {
    expect(nextRunAt({ schedule: '30 3 * * *', enabled: true, timezone: 'UTC' }, now)).toBe(
      '2026-06-13T03:30:00+00:00',
    );
  });

  test('the schedule counts in the time zone of the task', () => {
    expect(nextRunAt({ schedule: '30 3 * * *', enabled: true, timezone: 'Asia/Tokyo' }, now)).toBe(
      '2026-06-12T18:30:00+00:00',
    );
  });

  test.each([undefined, null, '', ' '])(
    'a task with the time zone %p runs by the time of the server',
    (timezone) => {
      expect(nextRunAt({ schedule: '*/5 * * * *', enabled: true, timezone }, now)).toBe(
        '2026-06-12T12:05:00+00:00',
      );
    },
  );

  test.each([false, null, undefined])('a task whose enabled is %p is never due', (enabled) => {
    expect(nextRunAt({ schedule: '@daily', enabled, timezone: 'UTC' }, now)).toBeNull();
  });

  test.each(['@reboot', 'every day', '', null, 7n, {}])('it is unknown when %p is due', (schedule) => {
    expect(nextRunAt({ schedule, enabled: true }, now)).toBeNull();
  });

  test('an unknown time zone leaves the next run unknown', () => {
    expect(nextRunAt({ schedule: '@daily', enabled: true, timezone: 'Nowhere/Land' }, now)).toBeNull();
  });
});

describe('nextRun', () => {
  const FRIDAY = new Date('2026-06-12T10:20:30Z');

  test.each([
    ['*/5 * * * *', '2026-06-12T10:25:00.000Z'],
    ['20 10 * * *', '2026-06-13T10:20:00.000Z'],
    ['0 9 * * mon-fri', '2026-06-15T09:00:00.000Z'],
    ['0 0 * * 7', '2026-06-14T00:00:00.000Z'],
    ['  0\t0 1 jan *  ', '2027-01-01T00:00:00.000Z'],
    ['0 0 29 2 *', '2028-02-29T00:00:00.000Z'],
    ['@hourly', '2026-06-12T11:00:00.000Z'],
    ['@daily', '2026-06-13T00:00:00.000Z'],
    ['@Midnight', '2026-06-13T00:00:00.000Z'],
    ['@weekly', '2026-06-14T00:00:00.000Z'],
    ['@monthly', '2026-07-01T00:00:00.000Z'],
    ['@yearly', '2027-01-01T00:00:00.000Z'],
    ['@annually', '2027-01-01T00:00:00.000Z'],
  ])('%s is due at %s', (schedule, due) => {
    expect(nextRun(schedule, FRIDAY, 'UTC')?.toISOString()).toBe(due);
  });

  test('of two restricted days either suffices', () => {
    expect(nextRun('0 0 20 * 1', FRIDAY, 'UTC')?.toISOString()).toBe('2026-06-15T00:00:00.000Z');
  });

  test('a day field that begins with a star must match too', () => {
    expect(nextRun('0 0 */2 * 1', FRIDAY, 'UTC')?.toISOString()).toBe('2026-06-15T00:00:00.000Z');
  });

  test('a schedule is read in its time zone', () => {
    expect(nextRun('0 0 * * *', FRIDAY, 'Europe/Berlin')?.toISOString()).toBe('2026-06-12T22:00:00.000Z');
  });

  test('a task at a time that the clocks skip runs right after', () => {
    expect(nextRun('30 2 * * *', new Date('2026-03-28T12:00:00Z'), 'Europe/Berlin')?.toISOString()).toBe(
      '2026-03-29T01:00:00.000Z',
    );
  });

  test.each([null, undefined, ''])('with the time zone %j it is the process’s own', (timezone) => {
    const due = nextRun('0 0 * * *', FRIDAY, timezone);
    expect([due?.getHours(), due?.getMinutes()]).toEqual([0, 0]);
  });

  test.each([
    '@reboot',
    '@every 5m',
    '',
    'hello',
    '* * * *',
    '* * * * * *',
    '60 * * * *',
    '* 24 * * *',
    '* * 0 * *',
    '5/10 * * * *',
    '0 0 ? * *',
    '0 0 L * *',
    '0 0 * * 5#2',
    '2027-01-01T00:00:00',
    '* * * * * root /bin/true',
    '1,'.repeat(100_000),
  ])('%.40j has no next run', (schedule) => {
    expect(nextRun(schedule, FRIDAY, 'UTC')).toBeNull();
  });

  test('an unknown time zone has no next run', () => {
    expect(nextRun('* * * * *', FRIDAY, 'Mars/Olympus')).toBeNull();
  });

  test('an invalid date has no next run', () => {
    expect(nextRun('* * * * *', new Date(Number.NaN), 'UTC')).toBeNull();
  });

  test.each(['0 0 31 2 *', '0 0 30 2 *', '0 0 31 4,6,9,11 *', '0 0 31 2 */2'])(
    '%s is never due, which is known at once',
    (schedule) => {
      nextRun(schedule, FRIDAY, 'Europe/Berlin');
      const begun = process.cpuUsage();
      expect(nextRun(schedule, FRIDAY, 'Europe/Berlin')).toBeNull();
      const { user, system } = process.cpuUsage(begun);
      expect((user + system) / 1000).toBeLessThan(50);
    },
  );
});
