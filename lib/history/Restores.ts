import { randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import type { AuditAction, Author } from '../audit/AuditLog';
import type { AuditLine } from '../audit/Journal';
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
import { changeToken } from '../tokens/changeToken';
import { changesOf, type TokenRecord } from '../tokens/TokenRecord';
import type { Tokens } from '../tokens/Tokens';
import type { TokensParts } from '../tokens/tokenRows';
import { type LostHistory, readLost } from './History';
import { LONGEST_LINE, readLostLines } from './lostLines';
import { lostRights, narrowedTo } from './lostRights';
import { dividedDetails, rangesOf } from './ranges';
import { type RestoreWarning, restoreWarnings } from './restoreWarnings';
import { ENTRY_IDS, skipIds, TOKEN_IDS } from './skipIds';

/** A token whose end or whose narrowing is to be done again. */
export interface PlannedChange {
  readonly token: TokenRecord;
  /** The properties to change, as the audit trail names them; null if the token is to be revoked. */
  readonly changes: Readonly<Record<string, unknown>> | null;
  /** What it had at last of the rights that were changed. */
  readonly rights: ReturnType<typeof lostRights>;
}

/** What happened after the dump that was restored, and what is to be done again. */
export interface RestorePlan {
  /** The entries that the database has lost, in the order of their ids. */
  readonly lost: readonly AuditLine[];
  readonly changes: readonly PlannedChange[];
  /** How many lines look like entries but cannot be read, because they are cut. */
  readonly unread: number;
  readonly warnings: readonly RestoreWarning[];
  /** What the plan is made from, for the audit trail: lists with commas. */
  readonly sources: Readonly<Record<string, string>>;
  /** The largest ids of tokens and entries that were given out; null if no log says so. */
  readonly largest: { readonly tokens: number; readonly auditLog: number } | null;
}

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

type Lines = Iterable<string> | AsyncIterable<string>;

interface RestoresParts extends TokensParts {
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
    return readLost(this.#parts);
  }

  /** Returns whose database this is, if it is that of another installation; else null. */
  async otherOwner(): Promise<string | null> {
    const { installation } = this.#parts.options;
    const owner = installation && (await storedText(this.#parts, INSTALLATION_NAME));
    return owner === undefined || owner === installation ? null : owner;
  }

  /** Plans what is to be done again. Throws InvalidInput. */
  async plan({ lines, since, kept = [], mostBytes }: RestoreSource): Promise<RestorePlan> {
    if (since !== undefined && lines)
      throw new InvalidInput('since', 'Use either a log or the time of the dump.');
    if (since !== undefined) return this.planSince(since, kept);
    if (kept.length > 0) throw new InvalidInput('keep', 'Tokens are kept only with the time of the dump.');
    return this.planFrom(lines ?? (await this.#journal(mostBytes)));
  }

  /** Plans what the lines of a log call for. Throws InvalidInput if they have no entry of this installation. */
  async planFrom(lines: Lines): Promise<RestorePlan> {
    const { lost, unread, largest } = await readLostLines(this.#parts, lines);
    const isOn = (await storedText(this.#parts, declaredSettings.enabled.name)) === 'true';
    return {
      lost,
      changes: await this.#changesOf(lost),
      unread,
      warnings: restoreWarnings({ lost, unread, known: await this.lost(), isOn }),
      sources: { entries: rangesOf(lost.map(({ entry }) => entry)) },
      largest,
    };
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

  /** Plans to revoke all active tokens that existed at a time, in seconds since 1970, except some. */
  async planSince(since: number, kept: readonly number[]): Promise<RestorePlan> {
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
    return {
      lost: [],
      changes: records
        .filter(({ id }) => !kept.includes(id))
        .map((token) => ({ token, changes: null, rights: {} })),
      unread: 0,
      warnings: [],
      sources: { since: rfc3339OfSeconds(since), kept: kept.join(', ') },
      largest: null,
    };
  }

  /**
   * Carries a plan out, each token in a transaction of its own, and then writes the entry `database.restored`, with which
   * the tokens are served again. If it fails, it can be called again.
   */
  async carryOut({ changes, sources, largest }: RestorePlan, author: Author): Promise<void> {
    const { database, tables, tokens } = this.#parts;
    for (const { token, rights, changes: its } of changes)
      await (its ? this.#narrow(token.id, rights, author) : tokens.revoke(token.id, author));
    const idsOf = (some: readonly PlannedChange[]) => rangesOf(some.map(({ token }) => token.id));
    const known = (await this.lost())?.known.entry;
    await database.transaction('restore.end', async (session) => {
      await skipIds(session, tables.tokens, TOKEN_IDS, largest?.tokens);
      // An entry with a higher id than the known one is the decision that the other processes look for.
      await skipIds(session, tables.auditLog, ENTRY_IDS, largest?.auditLog, known);
      const details = {
        ...sources,
        revoked: idsOf(changes.filter((one) => one.changes === null)),
        narrowed: idsOf(changes.filter((one) => one.changes !== null)),
      };
      for (const part of dividedDetails(details))
        await this.#decide(session, author, 'database.restored', [LOST_HISTORY], part);
    });
  }

  async #narrow(id: number, rights: PlannedChange['rights'], author: Author): Promise<void> {
    const parts = { ...this.#parts, author, life: await this.#parts.readLife() };
    let narrowed: ReturnType<typeof narrowedTo> = {};
    const check = (now: TokenRecord) => {
      narrowed = narrowedTo(now, rights);
      return narrowed ?? {};
    };
    await parts.database
      .transaction('restore.token', (session) =>
        changeToken({ ...parts, session }, id, { action: 'token.changed', given: {}, check }),
      )
      .catch((error) => {
        // It has ended meanwhile.
        if (!(error instanceof InvalidInput)) throw error;
      });
    if (narrowed === null) await parts.tokens.revoke(id, author);
  }

  /**
   * Makes the database that of a copy of the panel: ends all its tokens, and gives it an id of its own. Returns the number of
   * the tokens. Throws InvalidInput if the database has the name of the option `installation`.
   */
  async makeCopy(author: Author): Promise<number> {
    const { database, options, tables, tokens } = this.#parts;
    const owner = await storedText(this.#parts, INSTALLATION_NAME);
    if (owner !== undefined && owner === options.installation) throw new InvalidInput('copy', OWN_DATABASE);
    const value = randomBytes(16).toString('hex');
    // First, so that no line of these changes has the id of the original.
    await database.query<unknown>('restore.copy', (knex) =>
      knex(tables.settings).where({ name: INSTALLATION_ID }).update({ value }),
    );
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

  async #changesOf(lost: readonly AuditLine[]): Promise<readonly PlannedChange[]> {
    // An id alone may name two tokens.
    const entries = new Map<string, AuditLine[]>();
    for (const line of lost) {
      const identity = `${line.token_id} ${line.token_prefix} ${line.rights?.created_at}`;
      const known = entries.get(identity);
      if (known) known.push(line);
      else entries.set(identity, [line]);
    }
    return (await this.#parts.tokens.list()).flatMap((token): readonly PlannedChange[] => {
      const lines = entries.get(`${token.id} ${token.prefix} ${token.createdAt}`);
      if (!lines || token.state !== 'active') return [];
      const rights = lostRights(lines.filter(({ uncertain }) => !uncertain));
      const isRevoked = lines.some((line) => line.rights?.revoked_at !== null);
      const narrowed = isRevoked ? null : narrowedTo(token, rights);
      const changes = narrowed && changesOf(token, { ...token, ...narrowed });
      return changes && Object.keys(changes).length === 0 ? [] : [{ token, changes, rights }];
    });
  }
}

const OWN_DATABASE =
  'The database is that of this installation. If it is a copy, run panel-api copied without the option installation.';

/** The lines of a log, of which it keeps no more than what is read of a line. Throws InvalidInput if it cannot be read. */
export async function* linesOf(input: Readable, name: string): AsyncGenerator<string> {
  const decoder = new StringDecoder();
  let line = '';
  try {
    for await (const chunk of input) {
      const [end = '', ...others] = decoder.write(Buffer.from(chunk)).split('\n');
      if (line.length <= LONGEST_LINE) line += end;
      for (const other of others) {
        yield line;
        line = other;
      }
    }
    if (line !== '') yield line;
  } catch {
    throw new InvalidInput('lines', `The log ${name} cannot be read.`);
  }
}
