import { durationText, relativeTime } from '../../../lib/time/time';

const DAY = 86_400;

test.each([
  [0, 'now'],
  [-1, '1 second ago'],
  [59, 'in 59 seconds'],
  [60, 'in 1 minute'],
  [-3599, '1 hour ago'],
  [-3540, '59 minutes ago'],
  [3600, 'in 1 hour'],
  [DAY - 5, 'in 1 day'],
  [2 * DAY - 1, 'in 2 days'],
  [2 * DAY - 121, 'in 2 days'],
  [90 * DAY - 5, 'in 90 days'],
  [90 * DAY - 3600, 'in 90 days'],
  [-90 * DAY + 3600, '90 days ago'],
  [3600 - 5, 'in 1 hour'],
  [-90 * DAY + 5, '90 days ago'],
  [2 * DAY + 5, 'in 2 days'],
  [1.4 * DAY, 'in 1 day'],
  [-1.4 * DAY, '1 day ago'],
  [23 * 3600, 'in 23 hours'],
  [23.9 * 3600, 'in 1 day'],
  [-59 * DAY, '59 days ago'],
  [-119 * DAY, '119 days ago'],
  [120 * DAY, 'in 4 months'],
  [700 * DAY, 'in 23 months'],
  [729 * DAY, 'in 2 years'],
  [-730 * DAY, '2 years ago'],
])('A time %i seconds from now is "%s"', (distance, words) => {
  expect(relativeTime(1_000_000_000 + distance, 1_000_000_000)).toBe(words);
});

test('A relative time is rounded in the same way in both directions of time', () => {
  const at = (distance: number) =>
    relativeTime(1_000_000_000 + distance, 1_000_000_000).match(/\d+ \w+/)?.[0];
  for (let distance = 1; distance < 1000 * DAY; distance = Math.ceil(distance * 1.03))
    expect([distance, at(-distance)]).toEqual([distance, at(distance)]);
});

test('A relative time is in the language that is given', () => {
  expect(relativeTime(3 * DAY, 0, 'de')).toBe('in 3 Tagen');
});

test.each([
  [0, '0 seconds'],
  [1, '1 second'],
  [90, '90 seconds'],
  [60, '1 minute'],
  [5400, '90 minutes'],
  [86_400, '1 day'],
  [604_800, '7 days'],
  [31_536_000, '365 days'],
])('a duration of %d seconds is written as %s', (seconds, expected) => {
  expect(durationText(seconds)).toBe(expected);
});
