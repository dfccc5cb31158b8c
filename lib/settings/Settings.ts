import { type AuditLog, type Author, checkAuthor } from '../audit/AuditLog';
import type { ModuleTables } from '../database/migrations/Migrations';
import type { Session } from '../database/Session';
import { InvalidInput, unknownWord } from '../errors/InvalidInput';
import { checkScopes } from '../fields/Operation';
import { declaredSettings, fixedValue, SETTING_KEYS } from './declaredSettings';
import {
  type FixingOptions,
  type Setting,
  type SettingKey,
  type SettingValues,
  storedValue,
} from './Setting';
import { readSettings, readToChange, type StoredSettings, writeSettings } from './settingsTable';

/**
 * Where the value of a setting is from: a mount option (`panel`), the settings table (`stored`), or the default,
 * because no value is stored (`default`) or the stored one is invalid (`unreadable`).
 */
export type SettingSource = 'panel' | 'stored' | 'default' | 'unreadable';

/** A setting with its current value. */
export interface SettingDescription
  extends Omit<Setting<unknown>, 'default' | 'given' | 'accept' | 'read' | 'write'> {
  readonly key: SettingKey;
  readonly value: SettingValues[SettingKey];
  readonly source: SettingSource;
  /** Its value if no valid value is stored. */
  readonly default: SettingValues[SettingKey];
  /** When the value was stored, in seconds since 1970; null for `panel` and `default`. */
  readonly updatedAt: number | null;
  /** Who stored the value; null for `panel` and `default`. */
  readonly updatedBy: string | null;
}

/** How long tokens may live, in days; null is for ever. */
export interface TokenLife {
  /** The life of a new token for which no other is chosen: the default, or `longest` if that is shorter. */
  readonly usual: number | null;
  readonly longest: number | null;
}

/** What the settings allow a customer. */
export interface CustomerBounds
  extends Pick<SettingValues, 'customerTokens' | 'customerOwner' | 'administratorsTokens'> {
  /** The scopes out of which a customer may choose; empty if customers may create no tokens. */
  readonly scopes: readonly string[];
  /** How long a customer's token lives if no expiry is chosen, and at most. */
  readonly life: { readonly [K in keyof TokenLife]: number };
  /** The highest rate limit of a customer's token: the general one. */
  readonly rateLimit: number;
}

interface SettingsParts extends ModuleTables {
  readonly audit: AuditLog;
  readonly options: FixingOptions;
  /** Every scope that a token may have. */
  readonly scopes: readonly string[];
  /** Deletes the stored addresses of the tokens' last uses. */
  readonly forgetAddresses: () => Promise<void>;
}

/**
 * The module's own settings. Precedence: mount option, stored setting, default. Nothing is cached: a change in one
 * process applies to the next request in every process.
 */
export class Settings {
  readonly #parts: SettingsParts;

  /** @internal */
  constructor(parts: SettingsParts) {
    this.#parts = parts;
  }

  /**
   * Returns the current values of all settings, read in one statement. Rejects if the option `enabled` is a function
   * and it throws.
   */
  async read(): Promise<SettingValues> {
    const stored = await readSettings(this.#parts);
    const values = SETTING_KEYS.map(async (key) => [key, await this.#value(key, stored)] as const);
    return Object.fromEntries(await Promise.all(values)) as unknown as SettingValues;
  }

  /** Returns the current value of one setting. Rejects if it is `enabled` and the panel's function throws. */
  async get<K extends SettingKey>(key: K): Promise<SettingValues[K]> {
    return this.#value(
      key,
      fixedValue(key, this.#parts.options) !== undefined ? new Map() : await readSettings(this.#parts),
    );
  }

  /** Returns how long tokens may live. */
  async tokenLife(): Promise<TokenLife> {
    return this.#life(await readSettings(this.#parts));
  }

  /** Returns what the settings allow a customer, read in one statement. */
  async customerBounds(): Promise<CustomerBounds> {
    const stored = await readSettings(this.#parts);
    const days = await this.#value('customerExpiryDays', stored);
    const { usual, longest } = await this.#life(stored);
    const chosen = await this.#value('customerScopes', stored);
    return {
      scopes: chosen.filter((scope) => this.#parts.scopes.includes(scope)),
      customerTokens: await this.#value('customerTokens', stored),
      customerOwner: await this.#value('customerOwner', stored),
      administratorsTokens: await this.#value('administratorsTokens', stored),
      life: { usual: Math.min(usual ?? days, days), longest: Math.min(longest ?? days, days) },
      rateLimit: await this.#value('rateLimitRequests', stored),
    };
  }

  async #life(stored: StoredSettings): Promise<TokenLife> {
    const longest = await this.#value('maxExpiryDays', stored);
    const days = Math.min(
      ...[await this.#value('defaultExpiryDays', stored), longest].map((life) => life ?? Infinity),
    );
    return { usual: days === Infinity ? null : days, longest };
  }

  /**
   * Returns settings, all by default, in the order in which they are shown, each with its value, its source, and who
   * changed it when.
   */
  async describe(keys: readonly SettingKey[] = SETTING_KEYS): Promise<readonly SettingDescription[]> {
    const stored = await readSettings(this.#parts);
    const described = SETTING_KEYS.filter((key) => keys.includes(key));
    return Promise.all(described.map((key) => this.#describe(key, stored)));
  }

  /**
   * Changes settings: all of these values or, after an error, none, in one transaction with their audit entries. Throws
   * InvalidInput for a setting that is unknown, has an invalid value, or is overridden by a mount option. Turning
   * `lastUsedAddress` off hides all stored addresses with that transaction, and then deletes them: if that fails it
   * rejects although the settings are changed, and the next call goes on, whatever it changes.
   */
  async change(values: Partial<SettingValues>, author: Author): Promise<void> {
    const { forgetAddresses } = this.#parts;
    const changes = checkChanges(values, this.#parts);
    const by = checkAuthor(author);
    const isTurnedOn = changes.get('lastUsedAddress') === true;
    // Addresses that could not be deleted when it was turned off must not be shown again.
    if (isTurnedOn && !(await this.get('lastUsedAddress'))) await forgetAddresses();
    const before = await this.#write(changes, by);
    // Not read again: if that failed, the change would seem to have failed. No address is shown meanwhile.
    const isOn = changes.get('lastUsedAddress') ?? (await this.#value('lastUsedAddress', before));
    if (!isOn) await forgetAddresses();
  }

  /**
   * Returns whether the stored switch is on; it is off at first. If the mount option `enabled` is set, the stored
   * switch has no effect.
   */
  async enabled(): Promise<boolean> {
    const { enabled } = declaredSettings;
    return storedValue(enabled, (await readSettings(this.#parts)).get(enabled.name)?.text).value;
  }

  /** Turns the stored switch on. If the mount option `enabled` is set, the stored switch has no effect. */
  async enable(author: Author): Promise<void> {
    await this.#write(new Map([['enabled', true]]), checkAuthor(author));
  }

  /** Turns the stored switch off: unless the option `enabled` is set, every endpoint then answers 503 `api_disabled`. */
  async disable(author: Author): Promise<void> {
    await this.#write(new Map([['enabled', false]]), checkAuthor(author));
  }

  /** Returns what was stored before. */
  async #write(changes: SettingChanges, author: Author): Promise<StoredSettings> {
    return this.#parts.database.transaction('settings.change', (session) =>
      writeChanges(this.#parts, session, changes, author),
    );
  }

  async #value<K extends SettingKey>(key: K, stored: StoredSettings): Promise<SettingValues[K]> {
    const setting: Setting<SettingValues[K]> = declaredSettings[key];
    const fixed = fixedValue(key, this.#parts.options);
    if (fixed === undefined) return storedValue(setting, stored.get(setting.name)?.text).value;
    return fixed instanceof Function ? fixed() : fixed;
  }

  async #describe(key: SettingKey, stored: StoredSettings): Promise<SettingDescription> {
    const setting: Setting<SettingValues[SettingKey]> = declaredSettings[key];
    const { given: _given, accept: _accept, read: _read, write: _write, ...shown } = setting;
    const isFixed = fixedValue(key, this.#parts.options) !== undefined;
    const row = isFixed ? undefined : stored.get(setting.name);
    return {
      ...shown,
      key,
      value: await this.#value(key, stored),
      source: isFixed ? 'panel' : storedValue(setting, row?.text).source,
      updatedAt: row?.updatedAt ?? null,
      updatedBy: row?.updatedBy ?? null,
    };
  }
}

/** The new values, checked. */
type SettingChanges = ReadonlyMap<SettingKey, SettingValues[SettingKey]>;

/**
 * Checks the requested changes. Throws InvalidInput for the first that is unknown, overridden by an option, or invalid.
 */
function checkChanges(values: Partial<SettingValues>, parts: SettingsParts): SettingChanges {
  if (typeof values !== 'object' || values === null)
    throw new InvalidInput(
      'settings',
      'The settings to change must be an object whose keys are names of settings.',
    );
  // A class of the panel's may inherit values.
  const keys = new Set([...Object.keys(values), ...SETTING_KEYS.filter((key) => key in values)]);
  return new Map([...keys].map((key) => checkChange(key, values[key as SettingKey], parts)));
}

function checkChange(given: string, value: unknown, { options, scopes }: SettingsParts) {
  const key = SETTING_KEYS.find((each) => each === given);
  if (key === undefined) throw unknownWord('settings', 'setting', given, SETTING_KEYS);
  const { name, option, expects, accept } = declaredSettings[key];
  if (fixedValue(key, options) !== undefined)
    throw new InvalidInput(
      name,
      `The panel sets ${name} with the mount option ${option}, so it cannot be changed here.`,
    );
  const accepted = accept(value);
  if (accepted === undefined) throw new InvalidInput(name, `The setting ${name} must be ${expects}.`);
  return [key, Array.isArray(accepted) ? checkScopes(name, accepted, scopes) : accepted] as const;
}

/**
 * Stores the settings that differ from the stored ones, with their audit entries, within a transaction. Returns what was
 * stored before.
 */
async function writeChanges(
  parts: SettingsParts,
  session: Session,
  changes: SettingChanges,
  author: Author,
): Promise<StoredSettings> {
  const { audit } = parts;
  const stored = await readToChange(parts, session);
  const changed = [...changes]
    .map(([key, to]) => ({ to, setting: declaredSettings[key] as Setting<unknown> }))
    .map(({ to, setting }) => ({ to, setting, ...storedValue(setting, stored.get(setting.name)?.text) }))
    .map((change) => ({ ...change, text: change.setting.write(change.to) }))
    // An unreadable text is replaced even if the new value is the default.
    .filter(({ setting, text, value, source }) => text !== setting.write(value) || source === 'unreadable');
  if (changed.length === 0) return stored;
  const texts = new Map(changed.map(({ setting, text }) => [setting.name, text]));
  const at = await writeSettings(parts, session, texts, author);
  const turned = changed.find(({ setting }) => setting === declaredSettings.enabled);
  if (turned) {
    const action = turned.to ? 'api.enabled' : 'api.disabled';
    await audit.append(session, author, { at, action, tokenId: null, details: {} });
  }
  const others = changed.filter((change) => change !== turned);
  if (others.length === 0) return stored;
  const details = Object.fromEntries(
    others.map(({ setting, value: from, to }) => [setting.name, { from, to }]),
  );
  await audit.append(session, author, { at, action: 'settings.changed', tokenId: null, details });
  return stored;
}
