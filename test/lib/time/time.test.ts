import { durationMs } from '../../../lib/time/time';

const started = '2026-06-12T00:00:00+00:00';

test('the duration from start to end is in milliseconds', () => {
  expect(durationMs(started, '2026-06-12T00:01:30+00:00')).toBe(90_000);
});

test('the duration is zero if start and end are the same', () => {
  expect(durationMs(started, started)).toBe(0);
});

test('an end before the start has no duration', () => {
  expect(durationMs(started, '2026-06-11T23:59:59+00:00')).toBeNull();
});

test.each([
  [started, null],
  [null, started],
  [undefined, 7n],
])('%p to %p has no duration', (from, to) => {
  expect(durationMs(from, to)).toBeNull();
});
