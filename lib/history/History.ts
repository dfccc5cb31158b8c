import { randomUUID } from 'node:crypto';
import type { Knex } from 'knex';
import { withTimeout } from '../async/withTimeout';
import type { Journal } from '../audit/Journal';
import type { ModuleTables } from '../database/migrations/Migrations';
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
import type { EventOptions } from '../tokens/TokenEvents';

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
  readonly options: EventOptions & { readonly installation?: string | undefined };
  /** Writes the lines of what the command has changed since an entry. */
  readonly repeatCommands: (after: number) => Promise<void>;
}

/**
 * Notices that the database was set back: an entry of the audit trail that this process knows is missing, or another one
 * has its id. A clock that was set back is no sign of it. What it finds is stored, so that every process knows it, also after a restart.
 */
export class History {
  readonly #parts: HistoryParts;
  #lost: LostHistory | null = null;
  /** The newest entry that is known; the one before that is lost, until that is dealt with. */
  #known: KnownEntry | null = null;
  /** The newest entry that this process has written since the last comparison. */
  #written: KnownEntry | null = null;
  /** The newest entry a minute ago. */
  #seen = 0;
  #installation: string | null = null;
  /** What the log has said already. */
  #said = '';

  constructor(parts: HistoryParts) {
    this.#parts = parts;
  }

  /** That the database was set back, as the last comparison found it; null if it was not, or that is dealt with. */
  get lost(): LostHistory | null {
    return this.#lost;
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
    const { log, journal, repeatCommands } = this.#parts;
    this.#written = journal.takeLatest() ?? this.#written;
    const { row, known: entries } = await this.#read();
    this.#written = null;
    const installation = row.installation === null ? null : String(row.installation);
    const isFirst = begins || installation !== this.#installation;
    this.#installation = installation;
    const newest = row.newest === null ? null : { entry: Number(row.newest), at: Number(row.latest) };
    const last = isFirst && installation !== null ? await journal.newest(installation) : null;
    const asked = isFirst ? (last ? [last] : []) : entries;
    if (isFirst) log.info('panel-api started', { installation, ...newest });
    const known = asked.at(-1);
    const isLost = known !== undefined && (isFirst || Number(row.kept) < asked.length);
    // If it cannot be stored, the next comparison asks for the same entry.
    this.#known = known ?? newest;
    const isLeft = isLost && (await this.#noticeLost({ newest, known }, asked));
    this.#known = isLeft ? known : newest;
    this.#lost = isLeft ? { newest, known } : parseLost(String(row.lost));
    if (!isLeft && row.lost !== null) this.#sayLost(String(row.lost));
    await this.#checkName(row.named);
    const present = newest?.entry ?? 0;
    const seen = isFirst ? present : this.#seen;
    this.#seen = present;
    // Nothing waits for it: it needs tables that are ready.
    if (present > seen)
      repeatCommands(seen).catch((error) => log.warn('panel-api audit not repeated', causeFacts(error)));
  }

  /** Reads the newest entry, and how many of those that this process knows are there. */
  async #read() {
    const { moduleTables } = this.#parts;
    const { database, tables } = moduleTables;
    const [known, written] = [this.#known, this.#written];
    const isNew = written !== null && (written.entry !== known?.entry || written.at !== known.at);
    const asked = [known, isNew ? written : null]
      .filter((entry) => entry !== null)
      .toSorted((one, other) => one.entry - other.entry);
    const [row = {}] = await database.query('history.compare', (knex) => {
      const entries = () => knex(tables.auditLog);
      const newest = (column: string) => entries().select(column).orderBy('id', 'desc').limit(1);
      return knex.select(
        newest('id').as('newest'),
        newest('at').as('latest'),
        entries().count('*').where(isOneOf(asked)).as('kept'),
        selectText(moduleTables, INSTALLATION_ID).as('installation'),
        selectText(moduleTables, INSTALLATION_NAME).as('named'),
        selectText(moduleTables, LOST_HISTORY).as('lost'),
      );
    });
    return { row, known: asked };
  }

  /**
   * Stores that the history is lost, unless the entries are there, or an administrator has dealt with that already. Returns
   * whether it is lost.
   */
  async #noticeLost({ newest, known }: LostHistory, asked: readonly KnownEntry[]): Promise<boolean> {
    const { moduleTables, options, log } = this.#parts;
    const { database, tables } = moduleTables;
    // A transaction sees what was committed on any node of a cluster.
    const rows = await database.transaction('history.lost', (session) =>
      session.run((knex) =>
        knex(tables.auditLog)
          .select({ action: 'action' })
          .where(isOneOf(asked))
          // Its id is beyond all that were given out.
          .orWhere((later) => later.where({ action: 'database.restored' }).where('id', '>', known.entry)),
      ),
    );
    if (rows.length >= asked.length || rows.some(({ action }) => action === 'database.restored'))
      return false;
    const before = await storedText(moduleTables, LOST_HISTORY);
    const text = JSON.stringify({ newest, known, noticed: randomUUID() });
    // Another one, of the dump or of a restore before, is replaced.
    if (known.at > (parseLost(before ?? '')?.known.at ?? 0))
      await replaceText(moduleTables, LOST_HISTORY, text, before);
    const stored = await storedText(moduleTables, LOST_HISTORY);
    if (stored !== undefined) this.#sayLost(stored);
    // Another process may have been faster.
    if (stored !== text || !options.onTokenEvent) return true;
    const event = { type: 'database_older', newestAt: newest?.at ?? null, knownAt: known.at } as const;
    new Promise((resolve) => resolve(options.onTokenEvent?.(event))).catch((error) =>
      log.warn('panel-api token event failed', { type: event.type, token_id: null, ...causeFacts(error) }),
    );
    return true;
  }

  /** Each process says it once. */
  #sayLost(stored: string): void {
    const lost = parseLost(stored);
    if (!lost || this.#said === stored) return;
    this.#said = stored;
    const time = (entry: KnownEntry | null) => entry && rfc3339OfSeconds(entry.at);
    this.#parts.log.write('error', 'panel-api database is older than known', {
      newest: time(lost.newest),
      known: time(lost.known),
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

/** Reads that the history is lost; null if it is not. */
export async function readLost(moduleTables: ModuleTables): Promise<LostHistory | null> {
  return parseLost((await storedText(moduleTables, LOST_HISTORY)) ?? '');
}

function parseLost(text: string): LostHistory | null {
  return (parseJson(text) as LostHistory | undefined) ?? null;
}
