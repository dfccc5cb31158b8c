import { percentOf } from '../../../lib/system/disks';

test('a share has one decimal', () => {
  expect(percentOf(1, 3)).toBe(33.3);
});

test('a share stays within 0 and 100', () => {
  expect([percentOf(-1, 3), percentOf(5, 3)]).toEqual([0, 100]);
});

test('nothing has no share', () => {
  expect([percentOf(0, 0), percentOf(1, Number.NaN), percentOf(Number.NaN, 1)]).toEqual([null, null, null]);
});
