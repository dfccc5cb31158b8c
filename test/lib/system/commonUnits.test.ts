import { commonUnits } from '../../../lib/system/commonUnits';
import { fullUnitName } from '../../../lib/system/systemd';

test('every common unit has a valid name', () => {
  expect(commonUnits.filter(({ unit }) => fullUnitName(unit) === null)).toEqual([]);
});

test('no common unit stands twice', () => {
  expect(new Set(commonUnits.map(({ unit }) => unit)).size).toBe(commonUnits.length);
});
