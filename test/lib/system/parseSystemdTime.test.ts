import { parseSystemdTime } from '../../../lib/system/systemd';

test('a calendar time in UTC is read', () => {
  expect(parseSystemdTime('Fri 2026-06-12 00:00:00 UTC')).toBe(Date.UTC(2026, 5, 12) / 1000);
});

test('unix seconds are read', () => {
  expect(parseSystemdTime('@1795193884')).toBe(1_795_193_884);
});

test.each(['', 'n/a', '@0', '0', 'Fri 2026-06-12 02:00:00 CEST', 'Fri 2026-99-12 00:00:00 UTC'])(
  '%j is no time',
  (text) => {
    expect(parseSystemdTime(text)).toBeNull();
  },
);
