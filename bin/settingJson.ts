import type { SettingDescription } from '../lib/settings/SettingDescription';
import { rfc3339OfSeconds } from '../lib/time/rfc3339';

/** What scripts read about a setting; a value of null says "never". */
export function settingJson({
  name,
  value,
  source,
  option,
  updatedAt,
  updatedBy,
  meaning,
}: SettingDescription) {
  return {
    name,
    value,
    source,
    option: option ?? null,
    updated_at: rfc3339OfSeconds(updatedAt),
    updated_by: updatedBy,
    meaning,
  };
}
