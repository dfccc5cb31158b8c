import { readFlag } from '../fields/scalars';
import { DAY_SECONDS } from '../time/time';
import {
  type FixingOptions,
  flagSetting,
  integerOrNeverSetting,
  integerSetting,
  type Setting,
  type SettingKey,
  type SettingValues,
  wordSetting,
} from './Setting';

/** All settings, in the order in which they are shown. */
export const declaredSettings: { readonly [K in SettingKey]: Setting<SettingValues[K]> } = {
  enabled: flagSetting({
    name: 'enabled',
    title: 'The API is on',
    description: 'Whether the API answers requests. While it is off, every endpoint answers 503.',
    default: false,
    option: 'enabled',
    given: ({ enabled }) => (enabled === undefined ? undefined : () => readPanelSwitch(enabled)),
  }),
  rateLimitRequests: integerSetting({
    name: 'rate_limit_requests',
    title: 'Rate limit, in requests per window',
    description: 'Requests that a token may send in one window.',
    default: 120,
    bounds: { minimum: 1, maximum: 1_000_000_000 },
    option: 'rateLimit.requests',
    given: ({ rateLimit }) => rateLimit.requests,
  }),
  rateLimitWindowSeconds: integerSetting({
    name: 'rate_limit_window_seconds',
    title: 'Rate limit window, in seconds',
    description: 'Length of a rate limit window in seconds.',
    default: 60,
    bounds: { minimum: 1, maximum: DAY_SECONDS },
    option: 'rateLimit.windowSeconds',
    given: ({ rateLimit }) => rateLimit.windowSeconds,
  }),
  httpsRequired: flagSetting({
    name: 'https_required',
    title: 'HTTPS is required',
    description:
      'Whether requests without HTTPS are refused. Requests from the server itself are always accepted.',
    default: true,
    option: 'httpsRequired',
    given: ({ httpsRequired }) => httpsRequired,
  }),
  defaultExpiryDays: integerOrNeverSetting({
    name: 'default_expiry_days',
    title: 'Default expiry, in days',
    description: 'Days until a new token expires if its creator gives no expiry; 0 means never.',
    default: 90,
    bounds: { minimum: 1, maximum: 3650 },
  }),
  maxExpiryDays: integerOrNeverSetting({
    name: 'max_expiry_days',
    title: 'Longest expiry, in days',
    description:
      'Days within which a token must expire when it is created, extended or edited; 0 means that it may never expire.',
    default: null,
    bounds: { minimum: 1, maximum: 3650 },
  }),
  lastUsedAddress: flagSetting({
    name: 'last_used_address',
    title: 'Store the address of the last use',
    description:
      'Whether the client address of the last use of each token is stored. Turning it off deletes the stored addresses.',
    default: true,
  }),
  suspendedAccounts: wordSetting({
    name: 'suspended_accounts',
    title: 'Tokens of suspended accounts',
    description:
      'Whether the tokens of an account that is suspended are refused, or allowed to read its data.',
    words: ['refuse', 'allow'],
    default: 'refuse',
  }),
  assistantsEnabled: flagSetting({
    name: 'assistants_enabled',
    title: 'Assistants may read',
    description:
      'Whether assistants may read the panel with a token, over the Model Context Protocol, if the panel mounts the door for them.',
    default: false,
  }),
};

export const SETTING_KEYS = Object.keys(declaredSettings) as readonly SettingKey[];

/** The value of the mount option, or the function that reads it; undefined if no option overrides the setting. */
export function fixedValue<K extends SettingKey>(key: K, options: FixingOptions) {
  return declaredSettings[key].given?.(options);
}

/**
 * Reads the option `enabled`. A panel may store its switch as 1, 'y' or '0': any value that is no boolean means off.
 */
async function readPanelSwitch(enabled: NonNullable<FixingOptions['enabled']>): Promise<boolean> {
  return readFlag(typeof enabled === 'function' ? await enabled() : enabled) === true;
}
