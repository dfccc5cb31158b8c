import { nextRunAt } from '../../routes/cron';

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

test.each(['@reboot', 'every day', '', null, 7n, {}])('nobody can say when %p is due', (schedule) => {
  expect(nextRunAt({ schedule, enabled: true }, now)).toBeNull();
});

test('an unknown time zone leaves the next run open', () => {
  expect(nextRunAt({ schedule: '@daily', enabled: true, timezone: 'Nowhere/Land' }, now)).toBeNull();
});
