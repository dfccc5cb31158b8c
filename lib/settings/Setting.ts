/** One of the module's own settings: its name, its values, how they are stored, and the option that fixes it. */
export interface Setting<T> {
  /** Its name in the table, the command and the audit trail. */
  readonly name: string;
  /** Its label in a form. */
  readonly title: string;
  /** One sentence for people. */
  readonly description: string;
  /** Its value if none is stored, or none that can be read. For a setting that guards something: the safe side. */
  readonly default: T;
  /** Its values, in words that follow "must be". */
  readonly expects: string;
  /** The least and the greatest number, if it is a number. 0 is among them if it means "never". */
  readonly bounds?: { readonly minimum: number; readonly maximum: number };
  /** The path of the mount's option that fixes it. */
  readonly option?: string;
  /** The value that the mount's option fixes; undefined if the option is left out. */
  given?(options: FixingOptions): T | (() => T | Promise<T>) | undefined;
  /** Checks a new value; undefined if the setting cannot have it. */
  accept(value: unknown): T | undefined;
  /** Reads a stored text; undefined if it is no value. */
  read(text: string): T | undefined;
  /** Writes the text to store. */
  write(value: T): string;
}

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
  readonly rateLimit: Partial<WindowOptions>;
}

export interface WindowOptions {
  /** Requests that a token may make in one window. Without it the setting counts, 120 at first. */
  readonly requests: number;
  /** Length of the window in seconds, at most a day. Without it the setting counts, 60 at first. */
  readonly windowSeconds: number;
}

/** The values of the settings. */
export interface SettingValues {
  /** Whether the API is on. */
  readonly enabled: boolean;
  /** Requests that a token may make in one window, 1 to 1,000,000,000. */
  readonly rateLimitRequests: number;
  /** Length of the window in seconds, 1 to 86,400. */
  readonly rateLimitWindowSeconds: number;
  /** Whether requests without HTTPS are refused, unless they come from the server itself. */
  readonly httpsRequired: boolean;
  /** Days until a new token expires if its creator does not say otherwise, 1 to 3650; null: never. */
  readonly defaultExpiryDays: number | null;
}

export type SettingKey = keyof SettingValues;

type Declaration<T> = Omit<Setting<T>, 'expects' | 'accept' | 'read' | 'write'>;

/** A setting that is on or off. It is stored as `true` or `false`, in no other spelling. */
export function flagSetting(declaration: Declaration<boolean>): Setting<boolean> {
  return {
    ...declaration,
    expects: 'true or false',
    accept: (value) => (typeof value === 'boolean' ? value : undefined),
    read: (text) => (text === 'true' ? true : text === 'false' ? false : undefined),
    write: String,
  };
}

type IntegerDeclaration = Declaration<number> & Required<Pick<Setting<number>, 'bounds'>>;

/** A setting that is a whole number within its bounds. */
export function integerSetting(declaration: IntegerDeclaration): Setting<number> {
  const { minimum, maximum } = declaration.bounds;
  const accept = (value: unknown) =>
    Number.isInteger(value) && Number(value) >= minimum && Number(value) <= maximum
      ? Number(value)
      : undefined;
  return {
    ...declaration,
    expects: `a whole number from ${minimum} to ${maximum}`,
    accept,
    read: (text) => (/^[1-9]\d*$/.test(text) ? accept(Number(text)) : undefined),
    write: String,
  };
}

/** A whole number, or null, which means "never" and is stored as 0. */
export function integerOrNeverSetting(
  declaration: Omit<IntegerDeclaration, 'given' | 'option'>,
): Setting<number | null> {
  const { expects, accept, read } = integerSetting(declaration);
  return {
    ...declaration,
    bounds: { minimum: 0, maximum: declaration.bounds.maximum },
    expects: `${expects}, or 0 for never`,
    accept: (value) => (value === null || value === 0 ? null : accept(value)),
    read: (text) => (text === '0' ? null : read(text)),
    write: (value) => String(value ?? 0),
  };
}

/** The value of a setting that no option fixes, by the stored text, or undefined if none is stored. */
export function storedValue<T>(
  setting: Setting<T>,
  text: string | undefined,
): { readonly value: T; readonly source: 'stored' | 'default' | 'unreadable' } {
  if (text === undefined) return { value: setting.default, source: 'default' };
  const value = setting.read(text);
  return value === undefined ? { value: setting.default, source: 'unreadable' } : { value, source: 'stored' };
}
