import { randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { AuditAction, AuditLog, Author } from '../audit/AuditLog';
import type { ModuleTables } from '../database/migrations/Migrations';
import type { Session } from '../database/Session';
import { InvalidInput } from '../errors/InvalidInput';
import { declaredSettings } from '../settings/declaredSettings';
import {
  INSTALLATION_ID,
  INSTALLATION_NAME,
  LOST_HISTORY,
  replaceText,
  storedText,
} from '../settings/settingsTable';
import { rfc3339OfSeconds } from '../time/time';
import { changesOf, type RequestToken, type TokenRecord } from '../tokens/TokenRecord';
import type { Tokens } from '../tokens/Tokens';
import { type LostHistory, parseLost } from './History';
import { type LoggedEntry, linesOf } from './loggedEntries';
import { type Lines, type LostLines, readLostLines } from './lostLines';
import { lostRights, narrowedTo, type Rights } from './lostRights';
import { rangesOf } from './ranges';
import { type RestoreWarning, restoreWarnings } from './restoreWarnings';
import { ENTRY_IDS, skipIds, TOKEN_IDS } from './skipIds';

export type { LostHistory } from './History';
export { linesOf } from './loggedEntries';

/** A token whose end or whose narrowing is to be done again. */
export interface PlannedChange {
  readonly token: TokenRecord;
  /** The properties to change, as the audit trail names them; null if the token is to be revoked. */
  readonly changes: Readonly<Record<string, unknown>> | null;
  /** What it had at last of the rights that were changed. */
  readonly rights: Partial<Rights>;
}

/** What happened after the dump that was restored, and what is to be done again. */
export interface RestorePlan extends LostLines {
  readonly changes: readonly PlannedChange[];
  /** The ids of the tokens to revoke. */
  readonly revoked: readonly number[];
  /** The ids of the tokens to narrow. */
  readonly narrowed: readonly number[];
  readonly warnings: readonly RestoreWarning[];
  /** What the plan is made from, for the entries of the audit trail to write. */
  readonly sources: readonly Readonly<Record<string, string>>[];
}

/** A plan without what follows from its changes. */
type Found = Omit<RestorePlan, 'revoked' | 'narrowed'>;

/** What a plan is made from: by default, from the journal. */
interface RestoreSource {
  /** The lines of a log. */
  readonly lines?: Lines | undefined;
  /** Instead of a log, the time of the dump, in seconds since 1970. */
  readonly since?: number | undefined;
  /** With the time, the tokens that are not revoked. */
  readonly kept?: readonly number[] | undefined;
  /** The size of the largest journal that is read, in bytes. */
  readonly mostBytes?: number | undefined;
}

interface RestoresParts extends ModuleTables {
  readonly audit: AuditLog;
  readonly options: { readonly installation?: string | undefined; readonly journal?: string | undefined };
  readonly tokens: Tokens;
}

/** Does again what a restored database forgot, and tells a copy of a database from its original. */
export class Restores {
  readonly #parts: RestoresParts;

  constructor(parts: RestoresParts) {
    this.#parts = parts;
  }

  /** Returns that the database was set back; null if it was not, or an administrator has dealt with it. */
  async lost(): Promise<LostHistory | null> {
    return parseLost(await storedText(this.#parts, LOST_HISTORY));
  }

  /** Returns whose database this is, if it is that of another installation; else null. */
  async otherOwner(): Promise<string | null> {
    const { installation } = this.#parts.options;
    const owner = installation && (await storedText(this.#parts, INSTALLATION_NAME));
    return owner === undefined || owner === installation ? null : owner;
  }

  /**
   * Plans what is to be done again. Throws InvalidInput, for example if the lines have no entry of this installation. With
   * the time of the dump, that is to revoke all active tokens that existed then, except those that are kept.
   */
  async plan({ lines, since, kept = [], mostBytes }: RestoreSource): Promise<RestorePlan> {
    if (since !== undefined && lines)
      throw new InvalidInput('since', 'Use either a log or the time of the dump.');
    if (since === undefined && kept.length > 0)
      throw new InvalidInput('keep', 'Tokens are kept only with the time of the dump.');
    const found =
      since === undefined
        ? await this.#planLines(lines ?? (await this.#journal(mostBytes)))
        : await this.#planSince(since, kept);
    const idsOf = (isNarrowed: boolean) =>
      found.changes.filter(({ changes }) => (changes !== null) === isNarrowed).map(({ token }) => token.id);
    return { ...found, revoked: idsOf(false), narrowed: idsOf(true) };
  }

  async #planLines(lines: Lines): Promise<Found> {
    const found = await readLostLines(this.#parts, lines);
    const isOn = (await storedText(this.#parts, declaredSettings.enabled.name)) === 'true';
    return {
      ...found,
      changes: await this.#changesOf(found.lost),
      warnings: restoreWarnings({ ...found, known: await this.lost(), isOn }),
      sources: rangesOf(found.lost.map(({ entry }) => entry)).map((entries) => ({ entries })),
    };
  }

  async #changesOf(lost: readonly LoggedEntry[]): Promise<readonly PlannedChange[]> {
    const entries = new Map<string, LoggedEntry[]>();
    for (const entry of lost) {
      if (!entry.token) continue;
      const known = entries.get(identityOf(entry.token));
      if (known) known.push(entry);
      else entries.set(identityOf(entry.token), [entry]);
    }
    return (await this.#parts.tokens.list()).flatMap((token): readonly PlannedChange[] => {
      const its = entries.get(identityOf(token));
      if (!its || token.state !== 'active') return [];
      const rights = lostRights(its.filter(({ uncertain }) => !uncertain));
      const isRevoked = its.some((entry) => entry.token?.state === 'revoked');
      const narrowed = isRevoked ? null : narrowedTo(token, rights);
      const changes = narrowed && changesOf(token, { ...token, ...narrowed });
      return changes && Object.keys(changes).length === 0 ? [] : [{ token, changes, rights }];
    });
  }

  async #journal(mostBytes = Infinity): Promise<Lines> {
    const { journal } = this.#parts.options;
    if (journal === undefined)
      throw new InvalidInput('lines', 'There is no journal: give the lines of a log.');
    const { size } = await stat(journal).catch(() => ({ size: 0 }));
    if (size > mostBytes)
      throw new InvalidInput('journal', 'The journal is too large for a page: use panel-api restored.');
    return linesOf(createReadStream(journal), journal);
  }

  async #planSince(since: number, kept: readonly number[]): Promise<Found> {
    if (!Number.isSafeInteger(since))
      throw new InvalidInput('since', 'The time of the dump is no date and time.');
    const records = (await this.#parts.tokens.list()).filter(
      ({ state, createdAt }) => state === 'active' && createdAt <= since,
    );
    const unknown = kept.find((id) => records.every((record) => record.id !== id));
    if (unknown !== undefined)
      throw new InvalidInput(
        'keep',
        `Token ${unknown} is not active, or was created later: it cannot be kept.`,
      );
    const ended = records.filter(({ id }) => !kept.includes(id));
    return {
      lost: [],
      changes: ended.map((token) => ({ token, changes: null, rights: {} })),
      unread: 0,
      warnings: [],
      sources: rangesOf(kept).map((some) => ({ since: rfc3339OfSeconds(since), kept: some })),
      largest: null,
    };
  }

  /**
   * Carries a plan out, each token in a transaction of its own, and then writes the entry `database.restored`, with which
   * the tokens are served again. If it fails, it can be called again.
   */
  async carryOut(plan: RestorePlan, author: Author): Promise<void> {
    const { database, tables, tokens } = this.#parts;
    const { largest } = plan;
    for (const { token, rights, changes } of plan.changes)
      await (changes ? this.#narrow(token.id, rights, author) : tokens.revoke(token.id, author));
    const known = (await this.lost())?.known.entry;
    await database.transaction('restore.end', async (session) => {
      await skipIds(session, tables.tokens, TOKEN_IDS, largest?.tokens);
      // An entry with a higher id than the known one is the decision that the other processes look for.
      await skipIds(session, tables.auditLog, ENTRY_IDS, largest?.auditLog, known);
      const numbers = { revoked: plan.revoked.length, narrowed: plan.narrowed.length };
      for (const source of plan.sources)
        await this.#decide(session, author, 'database.restored', [LOST_HISTORY], { ...source, ...numbers });
    });
  }

  async #narrow(id: number, rights: Partial<Rights>, author: Author): Promise<void> {
    const { tokens } = this.#parts;
    const check = (now: TokenRecord) => {
      const narrowed = narrowedTo(now, rights);
      if (!narrowed) throw new InvalidInput('scopes', 'It has nothing left to read.');
      return narrowed;
    };
    await tokens.narrow(id, check, author).catch(async (error) => {
      if (!(error instanceof InvalidInput)) throw error;
      // A change since has left it nothing, or it has ended.
      await tokens.revoke(id, author);
    });
  }

  /**
   * Makes the database that of a copy of the panel: ends all its tokens, and gives it an id of its own. Returns the number of
   * the tokens. Throws InvalidInput if the database has the name of the option `installation`.
   */
  async makeCopy(author: Author): Promise<number> {
    const { database, options, tokens } = this.#parts;
    const owner = await storedText(this.#parts, INSTALLATION_NAME);
    if (owner !== undefined && owner === options.installation) throw new InvalidInput('copy', OWN_DATABASE);
    const original = await storedText(this.#parts, INSTALLATION_ID);
    // First, so that no line of these changes has the id of the original.
    await replaceText(this.#parts, INSTALLATION_ID, randomBytes(16).toString('hex'), original);
    const live = (await tokens.list()).filter(({ state }) => state === 'active');
    for (const { id } of live) await tokens.revoke(id, author);
    const revoked = live.length;
    await database.transaction('restore.copy', (session) =>
      this.#decide(session, author, 'database.copied', [INSTALLATION_NAME, LOST_HISTORY], { revoked }),
    );
    return revoked;
  }

  /** Lets the installation keep its database under another name; without the option, the next process stores its own. */
  async acceptMove(author: Author): Promise<void> {
    const { database, options } = this.#parts;
    await database.transaction('restore.move', (session) =>
      this.#decide(session, author, 'database.moved', [INSTALLATION_NAME], {}),
    );
    if (options.installation !== undefined)
      await replaceText(this.#parts, INSTALLATION_NAME, options.installation);
  }

  /** Writes what an administrator has decided, and forgets what was stored until then. */
  async #decide(
    session: Session,
    author: Author,
    action: AuditAction,
    forgotten: readonly string[],
    details: Readonly<Record<string, unknown>>,
  ): Promise<void> {
    const { audit, tables } = this.#parts;
    await session.run((knex) => knex(tables.settings).whereIn('name', forgotten).delete());
    const [row] = await session.rows(`SELECT ${session.dialect.now} AS clock`);
    await audit.append(session, author, { at: Number(row?.clock), action, tokenId: null, details });
  }
}

/** An id alone may name two tokens. */
function identityOf({ id, prefix, createdAt }: RequestToken): string {
  return `${id} ${prefix} ${createdAt}`;
}

const OWN_DATABASE =
  'The database is that of this installation. If it is a copy, run panel-api copied without the option installation.';
