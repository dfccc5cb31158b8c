import { readFlag } from '../fields/flag';
import type { CheckedOptions } from '../options/MountOptions';

/**
 * What the option `enabled` says. A panel's setting may come as 1 or 'y', and as '0' too; what is no boolean in any
 * spelling is off.
 */
export async function readPanelSwitch(enabled: NonNullable<CheckedOptions['enabled']>): Promise<boolean> {
  return readFlag(typeof enabled === 'function' ? await enabled() : enabled) === true;
}
