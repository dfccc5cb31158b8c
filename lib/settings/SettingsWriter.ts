import type { AuditLog, Author } from '../audit/AuditLog';
import type { Database } from '../database/Database';
import type { Session } from '../database/Session';
import type { SettingChanges } from './checkChanges';
import { declaredSettings } from './declaredSettings';
import type { Setting } from './Setting';
import type { SettingsTable } from './SettingsTable';
import { storedValue } from './storedValue';

/** Stores settings together with the audit entries that tell of it. */
export class SettingsWriter {
  readonly #database: Database;
  readonly #audit: AuditLog;
  readonly #table: SettingsTable;

  constructor(database: Database, audit: AuditLog, table: SettingsTable) {
    this.#database = database;
    this.#audit = audit;
    this.#table = table;
  }

  /** Stores those that differ from what is stored, all or none. */
  async write(changes: SettingChanges, author: Author): Promise<void> {
    await this.#database.transaction('settings.change', (session) => this.#write(session, changes, author));
  }

  async #write(session: Session, changes: SettingChanges, author: Author): Promise<void> {
    const stored = await this.#table.readToChange(session);
    const changed = [...changes]
      .map(([key, to]) => ({ to, setting: declaredSettings[key] as Setting<unknown> }))
      .map((change) => ({ ...change, ...storedValue(change.setting, stored) }))
      // What cannot be read is mended even where it counts as what it shall be.
      .filter(({ to, value, source }) => to !== value || source === 'unreadable');
    if (changed.length === 0) return;
    const texts = new Map(changed.map(({ setting, to }) => [setting.name, setting.write(to)]));
    const at = await this.#table.write(session, texts, author);
    const turned = changed.find(({ setting }) => setting === declaredSettings.enabled);
    if (turned) {
      const action = turned.to ? 'api.enabled' : 'api.disabled';
      await this.#audit.append(session, author, { at, action, tokenId: null, details: {} });
    }
    const others = changed.filter((change) => change !== turned);
    if (others.length === 0) return;
    const details = Object.fromEntries(
      others.map(({ setting, value: from, to }) => [setting.name, { from, to }]),
    );
    await this.#audit.append(session, author, { at, action: 'settings.changed', tokenId: null, details });
  }
}
