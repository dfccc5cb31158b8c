import { commonUnits } from '../../../../lib/system/systemd/commonUnits';
import { fullUnitName } from '../../../../lib/system/systemd/fullUnitName';

test('every common unit has a valid name', () => {
  expect(commonUnits.filter(({ unit }) => fullUnitName(unit) === null)).toEqual([]);
});

test('no common unit stands twice', () => {
  expect(new Set(commonUnits.map(({ unit }) => unit)).size).toBe(commonUnits.length);
});
