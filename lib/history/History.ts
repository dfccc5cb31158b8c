import { randomUUID } from 'node:crypto';
import type { Knex } from 'knex';
import { withTimeout } from '../async/withTimeout';
import type { ModuleTables } from '../database/migrations/Migrations';
import type { Rows } from '../database/Statement';
import { parseJson } from '../json/json';
import { causeFacts, type PanelLog } from '../log/PanelLog';
import {
  INSTALLATION_ID,
  INSTALLATION_NAME,
  LOST_HISTORY,
  replaceText,
  selectText,
  storedText,
} from '../settings/settingsTable';
import { rfc3339OfSeconds } from '../time/time';
import { type EventOptions, tellPanel } from '../tokens/TokenEvents';
import type { Journal, JournalOptions } from './Journal';
import { newestEntry } from './loggedEntries';

/** An entry of the audit trail, by which a process recognizes the history of the database. */
interface KnownEntry {
  readonly entry: number;
  /** Seconds since 1970. */
  readonly at: number;
}

/** That the database was set back, for example by the restore of a dump. */
export interface LostHistory {
  /** The newest entry of the audit trail when that was noticed; null if there was none. */
  readonly newest: KnownEntry | null;
  /** The newest entry that was known and is not in the database. */
  readonly known: KnownEntry;
}

interface HistoryParts {
  /** The module's tables, which it uses without waiting for the migrations that call it. */
  readonly moduleTables: ModuleTables;
  readonly log: PanelLog;
  readonly journal: Journal;
  readonly options: EventOptions & JournalOptions & { readonly installation?: string | undefined };
}

/**
 * Notices that the database was set back: an entry of the audit trail that this process knows is missing, or another one
 * has its id. A clock that was set back is no sign of it. What it finds is stored, so that every process knows it, also after a restart.
 */
export class History {
  readonly #parts: HistoryParts;
  /** The newest entry of the last comparison, or the one that is lost, and the newest that this process has written since. */
  #known: readonly KnownEntry[] = [];
  /** The id of the newest entry of the last comparison. */
  #newest = 0;
  #installation: string | null = null;
  /** What is stored of a lost history. */
  #stored: string | null = null;

  constructor(parts: HistoryParts) {
    this.#parts = parts;
  }

  /** That the database was set back, as the last comparison found it; null if it was not, or that is dealt with. */
  get lost(): LostHistory | null {
    return parseLost(this.#stored);
  }

  /**
   * Compares the history of the database with what this process knows. Takes at most a quarter of a request's deadline, so that
   * a lock on the audit trail holds no request for long. Never rejects.
   */
  async look(isFirst: boolean): Promise<void> {
    const { log, moduleTables } = this.#parts;
    // A restore under way makes a statement fail.
    const compared = this.#compare(isFirst).catch(() => this.#compare(isFirst));
    await withTimeout(compared, moduleTables.database.deadlineMs / 4).catch((error) =>
      log.warnOnce('panel-api history not compared', causeFacts(error)),
    );
  }

  async #compare(begins: boolean): Promise<void> {
    const { log, journal, options } = this.#parts;
    // If a comparison fails, the next one asks for the same entries.
    this.#remember(journal.takeLatest());
    const row = await this.#read();
    const newest = row.newest === null ? null : { entry: Number(row.newest), at: Number(row.latest) };
    const installation = textOrNull(row.installation);
    const isFirst = begins || installation !== this.#installation;
    this.#installation = installation;
    if (isFirst) {
      log.info('panel-api started', { installation, ...newest });
      const last = installation === null ? null : await newestEntry(options.journal, installation);
      this.#known = last ? [last] : [];
    }
    const kept = isFirst ? 0 : Number(row.kept);
    const known = kept < this.#known.length ? await this.#findLost() : undefined;
    const lost = known ? { newest, known } : null;
    const noticed = textOrNull(row.noticed);
    this.#say(lost ? await this.#store(lost, noticed) : noticed);
    const compared = known ?? newest;
    this.#known = compared ? [compared] : [];
    await this.#checkName(row.named);
    const before = isFirst ? Infinity : this.#newest;
    this.#newest = newest?.entry ?? 0;
    // No request waits for it.
    if (this.#newest > before)
      journal
        .repeatCommands(before)
        .catch((error) => log.warn('panel-api audit not repeated', causeFacts(error)));
  }

  #remember(written: KnownEntry | null): void {
    const isNew = this.#known.every(({ entry, at }) => entry !== written?.entry || at !== written.at);
    if (written && isNew) this.#known = [...this.#known.slice(0, 1), written];
  }

  /** Reads the newest entry, how many of those that this process knows are there, and what is stored. */
  async #read() {
    const { moduleTables } = this.#parts;
    const { database, tables } = moduleTables;
    const [row = {}] = await database.query('history.compare', (knex) => {
      const entries = () => knex(tables.auditLog);
      const newest = (column: string) => entries().select(column).orderBy('id', 'desc').limit(1);
      return knex.select(
        newest('id').as('newest'),
        newest('at').as('latest'),
        entries().count('*').where(isOneOf(this.#known)).as('kept'),
        selectText(moduleTables, INSTALLATION_ID).as('installation'),
        selectText(moduleTables, INSTALLATION_NAME).as('named'),
        selectText(moduleTables, LOST_HISTORY).as('noticed'),
      );
    });
    return row;
  }

  /** Returns the newest known entry that is missing; undefined if none is, or an administrator has dealt with that. */
  async #findLost(): Promise<KnownEntry | undefined> {
    const { database, tables } = this.#parts.moduleTables;
    // A transaction sees what was committed on any node of a cluster.
    const rows: Rows = await database.transaction('history.lost', (session) =>
      session.run((knex) =>
        knex(tables.auditLog)
          .select('id', 'at', 'action')
          .where(isOneOf(this.#known))
          .orWhere({ action: 'database.restored' }),
      ),
    );
    const present = new Set(rows.map(({ id, at }) => `${id} ${at}`));
    const known = this.#known.toSorted((one, other) => other.entry - one.entry);
    const lost = known.find(({ entry, at }) => !present.has(`${entry} ${at}`));
    // The id of the entry by which it is dealt with is beyond all that were given out.
    const restored = rows.filter(({ action }) => action === 'database.restored');
    return restored.some(({ id }) => Number(id) > Number(lost?.entry)) ? undefined : lost;
  }

  /** Stores that the history is lost, and tells the panel, unless another process has done so. Returns what is stored. */
  async #store({ newest, known }: LostHistory, before: string | null): Promise<string | null> {
    const { moduleTables, options, log } = this.#parts;
    const text = JSON.stringify({ newest, known, noticed: randomUUID() });
    // Another one, of the dump or of a restore before, is replaced.
    if (known.at > (parseLost(before)?.known.at ?? 0))
      await replaceText(moduleTables, LOST_HISTORY, text, before ?? undefined);
    const stored = await storedText(moduleTables, LOST_HISTORY);
    const event = { type: 'database_older', newestAt: newest?.at ?? null, knownAt: known.at } as const;
    if (stored === text) tellPanel(event, options, log);
    return stored ?? null;
  }

  /** Each process says once what is stored. */
  #say(stored: string | null): void {
    const isSaid = this.#stored === stored;
    this.#stored = stored;
    const { lost } = this;
    if (!lost || isSaid) return;
    this.#parts.log.write('error', 'panel-api database is older than known', {
      newest: rfc3339OfSeconds(lost.newest?.at ?? null),
      known: rfc3339OfSeconds(lost.known.at),
      known_entry: lost.known.entry,
    });
  }

  /** Remembers whose database it is, or says that it is another's. */
  async #checkName(named: unknown): Promise<void> {
    const { moduleTables, options, log } = this.#parts;
    const { installation } = options;
    if (installation === undefined || named === installation) return;
    if (named === null) await replaceText(moduleTables, INSTALLATION_NAME, installation);
    else log.warnOnce('panel-api database of another installation', { installation, stored: String(named) });
  }
}

/** The condition that an entry of the audit trail is one of these. */
function isOneOf(known: readonly KnownEntry[]) {
  return (entries: Knex.QueryBuilder) => {
    entries.where({ id: 0 });
    for (const { entry: id, at } of known) entries.orWhere({ id, at });
  };
}

function textOrNull(value: unknown): string | null {
  return value === null ? null : String(value);
}

/** Parses what is stored of a lost history; null if none is lost. */
export function parseLost(stored: string | null | undefined): LostHistory | null {
  return (parseJson(stored ?? '') as LostHistory | undefined) ?? null;
}
