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
  scopesSetting,
  wordSetting,
} from './Setting';

/** All settings, in the order in which they are shown. */
export const declaredSettings: { readonly [K in SettingKey]: Setting<SettingValues[K]> } = {
  enabled: flagSetting({
    name: 'enabled',
    title: 'The API',
    description: 'While the API is off, every endpoint answers 503.',
    default: false,
    option: 'enabled',
    // A panel may store its switch as 1, 'y' or '0': any value that is no boolean means off.
    given: ({ enabled: on }) =>
      on === undefined ? undefined : async () => readFlag(on instanceof Function ? await on() : on) === true,
  }),
  rateLimitRequests: integerSetting({
    name: 'rate_limit_requests',
    title: 'Rate limit',
    description: 'Requests that a token may send in one window.',
    default: 120,
    bounds: { minimum: 1, maximum: 1_000_000_000 },
    option: 'rateLimit.requests',
    given: ({ rateLimit }) => rateLimit.requests,
  }),
  rateLimitWindowSeconds: integerSetting({
    name: 'rate_limit_window_seconds',
    title: 'Window of the rate limit',
    description: 'Length of the window of the rate limit, in seconds.',
    default: 60,
    bounds: { minimum: 1, maximum: DAY_SECONDS },
    option: 'rateLimit.windowSeconds',
    given: ({ rateLimit }) => rateLimit.windowSeconds,
  }),
  httpsRequired: flagSetting({
    name: 'https_required',
    title: 'HTTPS is required',
    description: 'Requests without HTTPS are refused, except those from the server itself.',
    default: true,
    option: 'httpsRequired',
    given: ({ httpsRequired }) => httpsRequired,
  }),
  defaultExpiryDays: integerOrNeverSetting({
    name: 'default_expiry_days',
    title: 'Usual expiry',
    description: 'Days until a new token expires if its creator gives no expiry; 0 means never.',
    default: 90,
    bounds: { minimum: 1, maximum: 3650 },
  }),
  maxExpiryDays: integerOrNeverSetting({
    name: 'max_expiry_days',
    title: 'Longest expiry',
    description:
      'Days within which a token must expire when it is created, extended or edited; 0 means no bound.',
    default: null,
    bounds: { minimum: 1, maximum: 3650 },
  }),
  lastUsedAddress: flagSetting({
    name: 'last_used_address',
    title: 'Store the address of the last use',
    description:
      'The address from which a token was last used is stored. Turning this off deletes the stored addresses.',
    default: true,
  }),
  suspendedAccounts: wordSetting({
    name: 'suspended_accounts',
    title: 'Tokens of suspended accounts',
    description: 'Tokens of an account that is suspended are refused, or may go on reading its data.',
    words: ['refuse', 'allow'],
    default: 'refuse',
  }),
  afterRestore: wordSetting({
    name: 'after_restore',
    title: 'After a restore of the database',
    description:
      'If the database was set back, a warning is shown; or tokens are refused until an administrator has decided.',
    words: ['warn', 'refuse'],
    default: 'warn',
  }),
  assistantsEnabled: flagSetting({
    name: 'assistants_enabled',
    title: 'Assistants may read',
    description:
      'Assistants may read the panel with a token, over the Model Context Protocol, if the panel mounts the MCP server.',
    default: false,
  }),
  customerScopes: scopesSetting({
    name: 'customer_scopes',
    title: 'Scopes that customers may choose',
    description:
      'Customers may create tokens with these scopes on their own page. Without one they create none.',
    default: [],
  }),
  customerTokens: integerSetting({
    name: 'customer_tokens',
    title: 'Tokens of each customer',
    description: 'Active tokens that each customer may have created.',
    default: 5,
    bounds: { minimum: 1, maximum: 1000 },
  }),
  customerExpiryDays: integerSetting({
    name: 'customer_expiry_days',
    title: 'Longest expiry of a token that a customer creates',
    description: 'Days within which a token must expire when a customer creates, extends or rotates it.',
    default: 365,
    bounds: { minimum: 1, maximum: 3650 },
  }),
  customerOwner: flagSetting({
    name: 'customer_owner',
    title: 'Resellers may include their customers',
    description: 'A reseller may create tokens that also read the accounts of his customers.',
    default: false,
  }),
  administratorsTokens: wordSetting({
    name: 'administrators_tokens',
    title: 'Tokens of administrators on the page of a customer',
    description:
      'Tokens that administrators have bound to the account of a customer alone are shown to him without their names, with them, or with them and he may revoke them.',
    words: ['unnamed', 'named', 'revocable'],
    default: 'unnamed',
  }),
};

export const SETTING_KEYS = Object.keys(declaredSettings) as readonly SettingKey[];

/** The value of the mount option, or the function that reads it; undefined if no option overrides the setting. */
export function fixedValue<K extends SettingKey>(key: K, options: FixingOptions) {
  return declaredSettings[key].given?.(options);
}
