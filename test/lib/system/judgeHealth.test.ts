import { judgeHealth } from '../../../lib/system/serverHealth';

const HEALTHY = { diskPercents: [10, 89.9], memoryPercent: 89.9, loadPerCore: 1.9 };

test('a server below every threshold is ok', () => {
  expect(judgeHealth(HEALTHY)).toBe('ok');
});

test.each([
  ['a disk', { diskPercents: [10, 90] }],
  ['the memory', { memoryPercent: 90 }],
  ['the load', { loadPerCore: 2 }],
])('%s at its first threshold is a warning', (_name, figures) => {
  expect(judgeHealth({ ...HEALTHY, ...figures })).toBe('warning');
});

test.each([
  ['a disk', { diskPercents: [97, 10] }],
  ['the memory', { memoryPercent: 97 }],
  ['the load', { loadPerCore: 4 }],
])('%s at its second threshold is critical', (_name, figures) => {
  expect(judgeHealth({ ...HEALTHY, memoryPercent: 91, ...figures })).toBe('critical');
});

test('what is not known changes nothing', () => {
  expect(judgeHealth({ diskPercents: [null], memoryPercent: null, loadPerCore: null })).toBe('ok');
});
