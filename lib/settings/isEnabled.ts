import { readFlag } from '../fields/flag';
import type { CheckedOptions } from '../options/MountOptions';
import type { Settings } from './Settings';

/**
 * Whether the API is on: what the panel says, or else the module's own switch. A panel's setting may come as 1 or
 * 'y', and as '0' too; what is no boolean in any spelling is off.
 */
export async function isEnabled(
  { enabled }: Pick<CheckedOptions, 'enabled'>,
  settings: Settings,
): Promise<boolean> {
  if (enabled === undefined) return settings.enabled();
  return readFlag(typeof enabled === 'function' ? await enabled() : enabled) === true;
}
