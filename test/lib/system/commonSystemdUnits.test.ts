import { commonSystemdUnits } from '../../../lib/system/commonSystemdUnits';
import { fullUnitName } from '../../../lib/system/systemd';

test('every common unit has a valid name', () => {
  expect(commonSystemdUnits.filter(({ unit }) => fullUnitName(unit) === null)).toEqual([]);
});

test('no common unit is listed twice', () => {
  expect(new Set(commonSystemdUnits.map(({ unit }) => unit)).size).toBe(commonSystemdUnits.length);
});
