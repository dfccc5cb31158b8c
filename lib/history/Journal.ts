import { constants } from 'node:fs';
import { appendFile } from 'node:fs/promises';
import type { Knex } from 'knex';
import { withTimeout } from '../async/withTimeout';
import { type AuditEntry, readDetails } from '../audit/AuditLog';
import { hasCode } from '../database/DatabaseFailure';
import type { ModuleTables } from '../database/migrations/Migrations';
import type { Session } from '../database/Session';
import type { Rows } from '../database/Statement';
import { causeFacts, type PanelLog } from '../log/PanelLog';
import { INSTALLATION_ID, selectText } from '../settings/settingsTable';
import type { RequestToken } from '../tokens/TokenRecord';
import { requestToken, storedRights, TOKEN_COLUMNS } from '../tokens/tokenRows';

/** The message of the lines of the log that repeat the audit trail. */
export const AUDIT_MESSAGE = 'panel-api audit';

/** An entry of the audit trail as a line of the log, which a dump of the database does not roll back. */
export interface AuditLine extends Pick<AuditEntry, 'at' | 'actor' | 'details'>, Partial<TokenLine> {
  /** The id of the installation. */
  readonly installation: string;
  /** The id of the entry. */
  readonly entry: number;
  /** An action of this version or a later one. */
  readonly action: string;
  readonly origin: string;
  readonly token_id: number | null;
  /** Present if the answer to COMMIT was lost, so that the entry may not be stored. */
  readonly uncertain?: true;
}

/** What a line says of a token. */
interface TokenLine {
  readonly token_name: string;
  /** Its first characters. */
  readonly token_prefix: string;
  /** What it may do, and until when, after the change: these columns of its row. */
  readonly rights: Readonly<Record<string, unknown>>;
}

export interface JournalOptions {
  /**
   * The path of a file to which each entry of the audit trail is appended as a line of JSON. The module creates it with
   * mode 600, and never shortens it. Default: none.
   */
  readonly journal?: string;
}

interface JournalParts extends ModuleTables {
  readonly log: PanelLog;
  readonly options: JournalOptions;
}

/**
 * Writes each entry of the audit trail to the log and, if the panel wants it, to a file. A line that fails is lost. @internal
 */
export class Journal {
  readonly #parts: JournalParts;
  /** Lines are written one after another. */
  #writing: Promise<unknown> = Promise.resolve();
  #latest: Pick<AuditLine, 'entry' | 'at'> | null = null;

  constructor(parts: JournalParts) {
    this.#parts = parts;
  }

  /** Returns the newest entry written since the last call; null if there is none. */
  takeLatest() {
    const latest = this.#latest;
    this.#latest = null;
    return latest;
  }

  /** Writes the line of an entry, of which these columns are given, when the transaction that has inserted it is committed. */
  async append(session: Session, columns: object): Promise<void> {
    const run: Session['run'] = (statement) => session.run(statement);
    // Drivers return the new id in different ways. What the change has locked lets no other entry be like it.
    const same = Object.fromEntries(Object.entries(columns).map(([name, value]) => [`e.${name}`, value]));
    const [line] = await this.#read(run, (entries) => entries.where(same).orderBy('e.id', 'desc').limit(1));
    if (line)
      session.afterCommit((isCertain) => this.#write(isCertain ? line : { ...line, uncertain: true }));
  }

  /** Writes the lines of the entries after this one that the command made: it has no log of its own. */
  async repeatCommands(after: number): Promise<void> {
    const run: Session['run'] = (statement) => this.#parts.database.query('audit.repeat', statement);
    const lines = await this.#read(run, (entries) =>
      entries.where('e.id', '>', after).where({ 'e.origin': 'cli' }).orderBy('e.id'),
    );
    for (const line of lines) await this.#write(line);
  }

  async #read(
    run: Session['run'],
    narrow: (entries: Knex.QueryBuilder) => Knex.QueryBuilder,
  ): Promise<readonly AuditLine[]> {
    const { tables } = this.#parts;
    const ofToken = Object.entries(TOKEN_COLUMNS).map(([name, column]) => [name, `t.${column}`]);
    const rows: Rows = await run((knex) =>
      narrow(
        knex({ e: tables.auditLog })
          .leftJoin({ t: tables.tokens }, 't.id', 'e.token_id')
          .select('e.at', 'e.action', 'e.actor', 'e.origin', 'e.details')
          .select({ entry: 'e.id', about: 'e.token_id' })
          .select(Object.fromEntries(ofToken))
          .select(selectText(this.#parts, INSTALLATION_ID).as('installation')),
      ),
    );
    // Without an id, no restore could tell it from that of another installation.
    const known = rows.filter(({ installation }) => installation !== null);
    return known.map(({ installation, entry, at, action, actor, origin, about, details, ...token }) => ({
      installation: String(installation),
      entry: Number(entry),
      at: Number(at),
      action: String(action),
      actor: String(actor),
      origin: String(origin),
      token_id: about === null ? null : Number(about),
      details: readDetails(details),
      ...(token.id !== null && tokenLine(requestToken({ ...token, clock: 0 }))),
    }));
  }

  /** Resolves when the line is in the file or lost, or after half a second. Never rejects. */
  async #write(line: AuditLine): Promise<void> {
    const { log, options } = this.#parts;
    const { entry, at, uncertain } = line;
    if (!uncertain && entry > (this.#latest?.entry ?? 0)) this.#latest = { entry, at };
    log.info(AUDIT_MESSAGE, line);
    const path = options.journal;
    if (path === undefined) return;
    // The line before may be cut, also one of another process.
    const text = `\n${JSON.stringify({ message: AUDIT_MESSAGE, ...line })}\n`;
    this.#writing = this.#writing
      .then(() => appendFile(path, text, { mode: 0o600, flag: APPEND }))
      .catch((error) =>
        log.warn('panel-api journal not written', {
          ...causeFacts(error),
          ...(hasCode(error) && { code: error.code }),
        }),
      );
    await withTimeout(this.#writing, PATIENCE_MS).catch(() => undefined);
  }
}

function tokenLine(token: RequestToken): TokenLine {
  const { name, prefix, createdAt, revokedAt } = token;
  const rights = { ...storedRights(token), created_at: createdAt, revoked_at: revokedAt };
  return { token_name: name, token_prefix: prefix, rights };
}

// Neither waits for the other end of a pipe, nor follows a link.
const APPEND =
  constants.O_APPEND | constants.O_CREAT | constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW;

/** How long a change waits for its line, in milliseconds: the disk may not answer. */
const PATIENCE_MS = 500;
