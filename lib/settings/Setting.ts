/** The options of the mount that fix settings. */
export interface FixingOptions {
  /**
   * Whether the API is on: a value, or a function that reads the panel's own setting, asked in every request.
   * Without it the switch of the module's settings counts, which starts off.
   */
  readonly enabled?: boolean | (() => boolean | Promise<boolean>);
  /**
   * Whether requests without HTTPS are refused with 403 `https_required`, unless they come from the server itself
   * (127.0.0.0/8, ::1). Without it the setting counts, on at first.
   */
  readonly httpsRequired?: boolean;
  readonly rateLimit: { readonly requests?: number; readonly windowSeconds?: number };
}

/** One setting: what it is, how it is kept, and what fixes it. */
export interface Setting<T> {
  /** Its name in the table, the command and the audit trail. */
  readonly name: string;
  /** What it says, for people. */
  readonly description: string;
  /** What a form calls it. */
  readonly title: string;
  /**
   * What holds while nothing is stored, and where what is stored cannot be read: for a setting that guards something,
   * the safe side.
   */
  readonly default: T;
  /** What its values are, as a sentence has it after "must be". */
  readonly expects: string;
  /** The least and the greatest number, where it is one; 0 is among them where it says "never". */
  readonly bounds?: { readonly minimum: number; readonly maximum: number };
  /** The option of the mount that fixes it, as its path. */
  readonly option?: string;
  /** The option's value as the mount gave it; undefined where it did not. */
  given?(options: FixingOptions): T | (() => T | Promise<T>) | undefined;
  /** What somebody wants it to be; undefined where it cannot be that. */
  accept(value: unknown): T | undefined;
  /** What its stored text says; undefined where that is no value. */
  read(text: string): T | undefined;
  write(value: T): string;
}

/**
 * Why a setting has its value: the mount's options say it (`panel`), somebody set it (`stored`), nobody did
 * (`default`), or what is stored cannot be read, so that the default holds (`unreadable`).
 */
export type SettingSource = 'panel' | 'stored' | 'default' | 'unreadable';

/** A setting as it stands, for pages and for the command. */
export interface SettingDescription
  extends Pick<Setting<unknown>, 'name' | 'title' | 'description' | 'expects' | 'bounds' | 'option'> {
  readonly key: SettingKey;
  readonly value: SettingValues[SettingKey];
  readonly source: SettingSource;
  /** What holds where nothing is stored. */
  readonly default: SettingValues[SettingKey];
  /** When it was stored, in seconds since 1970; null for `panel` and `default`. */
  readonly updatedAt: number | null;
  /** Who stored it; null for `panel` and `default`. */
  readonly updatedBy: string | null;
}

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

type FlagParts = Omit<Setting<boolean>, 'expects' | 'accept' | 'read' | 'write'>;

/** A setting that is on or off; it is kept as `true` or `false` and in no other spelling. */
export function flagSetting(rest: FlagParts): Setting<boolean> {
  return {
    ...rest,
    expects: 'true or false',
    accept: (value) => (typeof value === 'boolean' ? value : undefined),
    read: (text) => (text === 'true' ? true : text === 'false' ? false : undefined),
    write: String,
  };
}

type IntegerParts<T> = Omit<Setting<T>, 'expects' | 'accept' | 'read' | 'write' | 'bounds'> &
  Required<Pick<Setting<T>, 'bounds'>>;

/** A setting that is a whole number within its bounds. */
export function integerSetting(rest: IntegerParts<number>): Setting<number> {
  const { minimum, maximum } = rest.bounds;
  const accept = (value: unknown) =>
    Number.isInteger(value) && Number(value) >= minimum && Number(value) <= maximum
      ? Number(value)
      : undefined;
  return {
    ...rest,
    expects: `a whole number from ${minimum} to ${maximum}`,
    accept,
    read: (text) => (/^[1-9]\d*$/.test(text) ? accept(Number(text)) : undefined),
    write: String,
  };
}

/** The same, where null says "never" and is kept as 0. */
export function integerOrNeverSetting(
  parts: Omit<IntegerParts<number>, 'given' | 'option'>,
): Setting<number | null> {
  const { expects, accept, read } = integerSetting(parts);
  return {
    ...parts,
    bounds: { minimum: 0, maximum: parts.bounds.maximum },
    expects: `${expects}, or 0 for never`,
    accept: (value) => (value === null || value === 0 ? null : accept(value)),
    read: (text) => (text === '0' ? null : read(text)),
    write: (value) => String(value ?? 0),
  };
}
