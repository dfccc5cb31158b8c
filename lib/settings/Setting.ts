/** One of the module's own settings: its name, its values, how they are stored, and the option that overrides it. */
export interface Setting<T> {
  /** Its name in the table, the command and the audit trail. */
  readonly name: SettingName;
  /** Its label in a form. */
  readonly title: string;
  /** One sentence for administrators. */
  readonly description: string;
  /** Its value if no readable value is stored. If the setting protects something, the default is the safe value. */
  readonly default: T;
  /** The allowed values, in words that follow "must be". */
  readonly expects: string;
  /** The smallest and the largest value of a number. If 0 means "never", the bounds include it. */
  readonly bounds?: { readonly minimum: number; readonly maximum: number };
  /** The words that it can be, if it is a word. */
  readonly words?: readonly string[];
  /** The path of the mount option that overrides it. */
  readonly option?: string;
  /** The value that the mount option sets; undefined if the option is omitted. */
  given?(options: FixingOptions): T | (() => T | Promise<T>) | undefined;
  /** Checks a new value. Returns undefined if it is not allowed. */
  accept(value: unknown): T | undefined;
  /** Parses the stored text. Returns undefined if it is invalid. */
  read(text: string): T | undefined;
  /** Returns the text to store. */
  write(value: T): string;
}

/** The mount options that override settings. */
export interface FixingOptions {
  /**
   * Whether the API is on: a boolean, or a function that reads the panel's own setting and is called for every request.
   * Default: the stored setting, which is off at first.
   */
  readonly enabled?: boolean | (() => boolean | Promise<boolean>);
  /**
   * Whether requests without HTTPS are refused with 403 `https_required`. Requests from the server itself (127.0.0.0/8,
   * ::1) are always accepted. Default: the stored setting, which is on at first.
   */
  readonly httpsRequired?: boolean;
  readonly rateLimit: Partial<WindowOptions>;
  /**
   * Whose database it is: a text of 1 to 255 characters that a copy of the panel does not share, such as its host name, or a
   * function that returns it and is called at the mount. A database of another installation serves no token until an
   * administrator has decided. All processes that share the database must give the same text. Default: not checked.
   */
  readonly installation?: string;
}

export interface WindowOptions {
  /** Maximum requests per token and window. Default: the stored setting, which is 120 at first. */
  readonly requests: number;
  /** Length of the window in seconds, at most 86,400 (one day). Default: the stored setting, which is 60 at first. */
  readonly windowSeconds: number;
}

/** The values of the settings. */
export interface SettingValues {
  /** Whether the API is on. */
  readonly enabled: boolean;
  /** Maximum requests per token and window, 1 to 1,000,000,000. */
  readonly rateLimitRequests: number;
  /** Length of the window in seconds, 1 to 86,400. */
  readonly rateLimitWindowSeconds: number;
  /** Whether requests without HTTPS are refused. Requests from the server itself are always accepted. */
  readonly httpsRequired: boolean;
  /**
   * Days until a new token expires if no other expiry is chosen, 1 to 3650; null for never. Not longer than
   * `maxExpiryDays`: see `Settings.tokenLife`.
   */
  readonly defaultExpiryDays: number | null;
  /** Days within which every token must expire, 1 to 3650; null if a token may never expire. */
  readonly maxExpiryDays: number | null;
  /** Whether the client address of the last use of each token is stored. Turning it off deletes the stored addresses. */
  readonly lastUsedAddress: boolean;
  /** Whether the rows of a suspended account are served to its tokens: `refuse` or `allow`. */
  readonly suspendedAccounts: 'refuse' | 'allow';
  /** Whether tokens are served after the database was set back, until an administrator has decided: `warn` or `refuse`. */
  readonly afterRestore: 'warn' | 'refuse';
  /** Whether `createMcp` answers assistants. It is mounted apart, and answers only while the API is on. */
  readonly assistantsEnabled: boolean;
  /** The scopes out of which customers may choose those of their tokens; empty if customers may create none. */
  readonly customerScopes: readonly string[];
  /** How many active tokens each customer may have created, 1 to 1000. */
  readonly customerTokens: number;
  /** Days within which a customer's token must expire, 1 to 3650. `maxExpiryDays` applies if it is shorter. */
  readonly customerExpiryDays: number;
  /** Whether a reseller's token may also read the accounts of his customers. */
  readonly customerOwner: boolean;
  /**
   * What a customer sees of tokens that administrators have bound to his account alone: `unnamed`; `named`, with their
   * names; or `revocable`, with their names, and he may revoke them.
   */
  readonly administratorsTokens: 'unnamed' | 'named' | 'revocable';
}

export type SettingKey = keyof SettingValues;

/** The key of a setting in snake case, such as `https_required`. */
export type SettingName = SnakeCase<SettingKey>;

type SnakeCase<T extends string> = T extends `${infer Head}${infer Rest}`
  ? `${Head extends Lowercase<Head> ? Head : `_${Lowercase<Head>}`}${SnakeCase<Rest>}`
  : T;

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

/** A setting that is one of several words. */
export function wordSetting<T extends string>(
  declaration: Omit<Declaration<T>, 'words'> & { readonly words: readonly T[] },
): Setting<T> {
  const accept = (value: unknown): T | undefined => declaration.words.find((word) => word === value);
  const expects = declaration.words.join(', ').replace(/, (?=\w+$)/, ' or ');
  return { ...declaration, expects, accept, read: accept, write: String };
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
  declaration: Omit<IntegerDeclaration, 'given' | 'option' | 'default'> &
    Pick<Setting<number | null>, 'default'>,
): Setting<number | null> {
  const { expects, accept, read } = integerSetting({ ...declaration, default: declaration.bounds.minimum });
  return {
    ...declaration,
    bounds: { minimum: 0, maximum: declaration.bounds.maximum },
    expects: `${expects}, or 0 for never`,
    accept: (value) => (value === null || value === 0 ? null : accept(value)),
    read: (text) => (text === '0' ? null : read(text)),
    write: (value) => String(value ?? 0),
  };
}

/** A list of scopes, stored with spaces between them. `Settings.change` also checks that there are such scopes. */
export function scopesSetting(declaration: Declaration<readonly string[]>): Setting<readonly string[]> {
  return {
    ...declaration,
    expects: 'a list of scopes, or none',
    accept: (value) => (Array.isArray(value) ? value : undefined),
    read: (text) => text.split(' ').filter(Boolean),
    write: (scopes) => scopes.join(' '),
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
