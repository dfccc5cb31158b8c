/** What an administrator may set. */
export interface SettingValues {
  /** Whether the API is on. */
  readonly enabled: boolean;
  /** Requests that a token may make in one window, 1 to 1,000,000,000. */
  readonly rateLimitRequests: number;
  /** Length of the window in seconds, 1 to 86,400. */
  readonly rateLimitWindowSeconds: number;
  /** Whether requests without HTTPS are refused, unless they come from the server itself. */
  readonly httpsRequired: boolean;
  /** Days until a new token expires where nobody says otherwise, 1 to 3650; null: never. */
  readonly defaultExpiryDays: number | null;
}

export type SettingKey = keyof SettingValues;

/** What every request needs to know beside whether the API is on. */
export const REQUEST_KEYS = ['rateLimitRequests', 'rateLimitWindowSeconds', 'httpsRequired'] as const;

export type RequestSettings = Pick<SettingValues, (typeof REQUEST_KEYS)[number]>;
