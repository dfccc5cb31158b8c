import { constants, existsSync } from 'node:fs';
import { appendFile, open } from 'node:fs/promises';
import { withTimeout } from '../async/withTimeout';
import { hasCode } from '../database/DatabaseFailure';
import { parseJson } from '../json/json';
import { causeFacts, type PanelLog } from '../log/PanelLog';
import { LAST_SECOND } from '../time/time';

/** The message of the lines of the log that repeat the audit trail. */
export const AUDIT_MESSAGE = 'panel-api audit';

/** An entry of the audit trail as a line of the log, which a dump of the database does not roll back. */
export interface AuditLine extends Partial<TokenLine> {
  /** The id of the installation. */
  readonly installation: string;
  /** The id of the entry. */
  readonly entry: number;
  /** Seconds since 1970, by the database's clock. */
  readonly at: number;
  readonly action: string;
  readonly actor: string;
  readonly origin: string;
  readonly token_id: number | null;
  readonly details: Readonly<Record<string, unknown>>;
  /** Present if the answer to COMMIT was lost, so that the entry may not be stored. */
  readonly uncertain?: true;
}

/** What a line says of a token: what it is known by, and its rights after the change, as its row stores them. */
export interface TokenLine {
  readonly token_name: string;
  /** Its first characters. */
  readonly token_prefix: string;
  readonly rights: StoredRights;
}

/** What a token may do, and until when. */
export interface StoredRights {
  readonly created_at: number;
  readonly scopes: string;
  readonly accounts: string | null;
  readonly allowed_addresses: string | null;
  readonly rate_limit: number | null;
  readonly expires_at: number | null;
  readonly revoked_at: number | null;
}

export interface JournalOptions {
  /**
   * The path of a file to which each entry of the audit trail is appended as a line of JSON. The module creates it with
   * mode 600, and never shortens it. Default: none.
   */
  readonly journal?: string;
}

/** How much of the end of the file is read for its last entry. The longest line, of a token with 100 accounts, is shorter. */
const END_BYTES = 2 ** 20;

/** Writes each entry of the audit trail to the log and, if the panel wants it, to a file. A line that fails is lost. */
export class Journal {
  readonly #log: PanelLog;
  readonly #path: string | undefined;
  /** Lines are written one after another. */
  #writing: Promise<unknown> = Promise.resolve();
  #latest: Pick<AuditLine, 'entry' | 'at'> | null = null;

  constructor(log: PanelLog, { journal }: JournalOptions) {
    this.#log = log;
    this.#path = journal;
  }

  /** Returns the newest entry written since the last call; null if there is none. */
  takeLatest() {
    const latest = this.#latest;
    this.#latest = null;
    return latest;
  }

  /** Resolves when the line is in the file or lost, or after half a second. Never rejects. */
  async write(line: AuditLine): Promise<void> {
    const { entry, at, uncertain } = line;
    if (!uncertain && entry > (this.#latest?.entry ?? 0)) this.#latest = { entry, at };
    this.#log.info(AUDIT_MESSAGE, line);
    const path = this.#path;
    if (path === undefined) return;
    // The line before may be cut, also one of another process.
    const text = `\n${JSON.stringify({ message: AUDIT_MESSAGE, ...line })}\n`;
    this.#writing = this.#writing
      .then(() => appendFile(path, text, { mode: 0o600, flag: APPEND }))
      .catch((error) =>
        this.#log.warn('panel-api journal not written', {
          ...causeFacts(error),
          ...(hasCode(error) && { code: error.code }),
        }),
      );
    await withTimeout(this.#writing, PATIENCE_MS).catch(() => undefined);
  }

  /** Returns the last entry of this installation in the file; null without one. Rejects if it cannot be read. */
  async newest(installation: string): Promise<Pick<AuditLine, 'entry' | 'at'> | null> {
    if (this.#path === undefined || !existsSync(this.#path)) return null;
    const file = await open(this.#path, READ);
    try {
      const { size } = await file.stat();
      const buffer = Buffer.alloc(Math.min(size, END_BYTES));
      await file.read({ buffer, position: size - buffer.length });
      const lines = buffer.toString().split('\n').map(parseAuditLine);
      const last = lines.findLast((line) => line?.installation === installation && !line.uncertain);
      return last ? { entry: last.entry, at: last.at } : null;
    } finally {
      await file.close();
    }
  }
}

// Neither waits for the other end of a pipe, nor follows a link.
const READ = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW;
const APPEND =
  constants.O_APPEND | constants.O_CREAT | constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW;

/** How long a change waits for its line, in milliseconds: the disk may not answer. */
const PATIENCE_MS = 500;

/** Returns the entry in a line of a log in JSON, as winston and pino write it; null if the line is another one or cut. */
export function parseAuditLine(text: string): AuditLine | null {
  const line = parseJson(text) as (AuditLine & Readonly<Record<'message' | 'msg', unknown>>) | undefined;
  if (typeof line !== 'object' || line === null || (line.message ?? line.msg) !== AUDIT_MESSAGE) return null;
  const { installation, entry, at, action, actor, token_id, token_name, token_prefix, rights, details } =
    line;
  const isNumber = (value: number, most: number) => Number.isInteger(value) && value > 0 && value <= most;
  const isEntry =
    [installation, action, actor].every(isText) &&
    [token_name, token_prefix].every((text) => text === undefined || isText(text)) &&
    isNumber(entry, Number.MAX_SAFE_INTEGER - 1) &&
    isNumber(at, LAST_SECOND) &&
    typeof details === 'object' &&
    details !== null &&
    (token_id === null || isNumber(token_id, 2 ** 31 - 1)) &&
    (rights === undefined || isRights(rights));
  return isEntry ? line : null;
}

function isText(value: unknown): boolean {
  return typeof value === 'string';
}

function isRights(rights: StoredRights): boolean {
  if (typeof rights !== 'object' || rights === null) return false;
  const { created_at, scopes, accounts, allowed_addresses, rate_limit, expires_at, revoked_at } = rights;
  const orNull = (value: unknown, holds: (value: unknown) => boolean) => value === null || holds(value);
  return (
    Number.isSafeInteger(created_at) &&
    isText(scopes) &&
    [accounts, allowed_addresses].every((text) => orNull(text, isText)) &&
    [rate_limit, expires_at, revoked_at].every((number) => orNull(number, Number.isSafeInteger))
  );
}
