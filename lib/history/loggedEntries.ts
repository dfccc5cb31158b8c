import { constants, existsSync } from 'node:fs';
import { open } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { InvalidInput } from '../errors/InvalidInput';
import { parseJson } from '../json/json';
import { LAST_SECOND } from '../time/time';
import type { RequestToken } from '../tokens/TokenRecord';
import { requestToken, TOKEN_COLUMNS } from '../tokens/tokenRows';
import { AUDIT_MESSAGE, type AuditLine } from './Journal';

/** An entry of the audit trail as a log has it. */
export interface LoggedEntry extends AuditLine {
  /** The token that it is about, as it was after the change. */
  readonly token: RequestToken | null;
}

/** How many ids are left at least: a line of a log may be wrong. */
const LEFT_IDS = 1_000_000;

/** The last id that a token of a log may have: the column is a 32-bit integer. */
export const LAST_TOKEN = 2 ** 31 - LEFT_IDS;

/** The last id that an entry of a log may have. */
export const LAST_ENTRY = 2 ** 53 - LEFT_IDS;

/** A longer line is cut, in characters. The longest entry, of a token with 100 accounts, is shorter. */
export const LONGEST_LINE = 2 ** 20;

/** Returns the entry in a line of a log in JSON, as winston and pino write it; null if the line is another one or cut. */
export function parseEntry(text: string): LoggedEntry | null {
  if (text.length > LONGEST_LINE) return null;
  const line = parseJson(text) as (AuditLine & Readonly<Record<'message' | 'msg', unknown>>) | undefined;
  if (typeof line !== 'object' || line === null || (line.message ?? line.msg) !== AUDIT_MESSAGE) return null;
  const { installation, entry, at, action, actor, token_id, token_name, token_prefix, rights, details } =
    line;
  const areTexts = (...values: readonly unknown[]) => values.every((value) => typeof value === 'string');
  const isNumber = (value: number, most: number) => Number.isInteger(value) && value > 0 && value <= most;
  const isEntry =
    areTexts(installation, action, actor) &&
    isNumber(entry, LAST_ENTRY) &&
    isNumber(at, LAST_SECOND) &&
    typeof details === 'object' &&
    details !== null;
  if (!isEntry) return null;
  if (token_id === null) return { ...line, token: null };
  if (!isNumber(token_id, LAST_TOKEN) || !areTexts(token_name, token_prefix, rights?.scopes)) return null;
  try {
    return { ...line, token: tokenOf(line) };
  } catch {
    return null;
  }
}

/** Throws an error if the token is unreadable. */
function tokenOf({ token_id, token_name, token_prefix, rights }: AuditLine): RequestToken {
  const others = { id: token_id, name: token_name, prefix: token_prefix, rotated_at: null, created_by: '' };
  const stored: Readonly<Record<string, unknown>> = { ...rights, ...others };
  const row = Object.entries(TOKEN_COLUMNS).map(([name, column]) => [name, stored[column]]);
  return requestToken({ ...Object.fromEntries(row), clock: 0 });
}

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

/** Returns the last entry of this installation in a journal; null without one. Rejects if it cannot be read. */
export async function newestEntry(journal: string | undefined, installation: string) {
  if (journal === undefined || !existsSync(journal)) return null;
  const file = await open(journal, READ);
  try {
    const { size } = await file.stat();
    const buffer = Buffer.alloc(Math.min(size, LONGEST_LINE));
    await file.read({ buffer, position: size - buffer.length });
    const entries = buffer.toString().split('\n').map(parseEntry);
    const last = entries.findLast((entry) => entry?.installation === installation && !entry.uncertain);
    return last ? { entry: last.entry, at: last.at } : null;
  } finally {
    await file.close();
  }
}

// Neither waits for the other end of a pipe, nor follows a link.
const READ = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW;
