import os from 'node:os';
import { memoryUsage, parseMeminfo, swapUsage } from '../../../lib/system/serverHealth';

const MEMINFO = parseMeminfo(
  'MemTotal:       1000 kB\nMemFree:         100 kB\nMemAvailable:    250 kB\nSwapTotal:  400 kB\nSwapFree:  100 kB\nHugePages_Total:       0\n',
);

test('memory in use is what is not available', () => {
  expect(memoryUsage(MEMINFO)).toEqual({
    total_bytes: 1_024_000,
    used_bytes: 768_000,
    available_bytes: 256_000,
    used_percent: 75,
  });
});

test('without /proc/meminfo memory is what Node says', () => {
  expect(memoryUsage(new Map()).total_bytes).toBe(os.totalmem());
});

test('swap is read', () => {
  expect(swapUsage(MEMINFO)).toEqual({
    total_bytes: 409_600,
    used_bytes: 307_200,
    free_bytes: 102_400,
    used_percent: 75,
  });
});

test('a machine without swap has none', () => {
  expect([swapUsage(parseMeminfo('SwapTotal: 0 kB\nSwapFree: 0 kB\n')), swapUsage(new Map())]).toEqual([
    null,
    null,
  ]);
});
