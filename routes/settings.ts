import { alwaysDerived, filterable, flag, required, text, time } from '../lib/fields';
import { settingType } from '../lib/fields/settingType';
import { settingValue } from '../lib/fields/settingValue';
import { listOperation } from '../lib/operations/Operation';
import { readSetting } from '../lib/settings/readSetting';

export const settings = listOperation({
  name: 'settings',
  scope: 'settings.read',
  area: 'Platform and health',
  title: 'Settings',
  description: 'The settings that the panel allows to be shown.',
  allowList: true,
  fields: {
    key: required(filterable(text('Name of the setting.'))),
    group: filterable(text('Group that the panel shows it in.')),
    label: text('What people call it.'),
    type: alwaysDerived(settingType('Type of its value.'), ['key'], (row) => readSetting(row).type),
    value: alwaysDerived(
      settingValue('Its value, of the type that `type` names; null for secrets and where nothing is set.'),
      ['key', 'value'],
      (row) => readSetting(row).value,
    ),
    is_set: required(
      alwaysDerived(
        flag('Whether it has a value that is not empty.'),
        ['value'],
        (row) => readSetting(row).isSet,
      ),
    ),
    updated_at: time('When it was last changed.'),
  },
});
