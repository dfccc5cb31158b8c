import type { AuditLog } from '../audit/AuditLog';
import type { ModuleTables } from '../database/migrations/Migrations';
import { InvalidInput } from '../errors/InvalidInput';
import { INSTALLATION_ID, storedText } from '../settings/settingsTable';
import type { AuditLine } from './Journal';
import { LONGEST_LINE, type LoggedEntry, parseEntry } from './loggedEntries';
import { parseRanges } from './ranges';

export type Lines = Iterable<string> | AsyncIterable<string>;

/** What the lines of a log say that the database does not know. */
export interface LostLines {
  /** The entries that the database has lost, in the order of their ids: clocks may be wrong. */
  readonly lost: readonly LoggedEntry[];
  /** How many lines cannot be read: those that look like entries, and those that are too long. */
  readonly unread: number;
  /** The largest ids that were given out; null if no log says so. */
  readonly largest: { readonly tokens: number; readonly auditLog: number } | null;
}

/** How many entries one statement looks for. */
const CHUNK = 500;

const LOOKS_LIKE_ENTRY = /"panel-api audit"/;

/**
 * Reads the entries of this installation that the database has lost, except those that were dealt with before. It keeps no
 * others. Throws InvalidInput if the lines have no entry of this installation.
 */
export async function readLostLines(
  parts: ModuleTables & { readonly audit: AuditLog },
  lines: Lines,
): Promise<LostLines> {
  const installation = await storedText(parts, INSTALLATION_ID);
  const restores = await parts.audit.list({ action: 'database.restored', limit: 10_000 });
  const done = restores.flatMap(({ details }) => parseRanges(String(details.entries ?? '')));
  const lost = new Map<string, LoggedEntry>();
  const largest = { tokens: 0, auditLog: 0 };
  let [unread, foreign, chunk] = [0, 0, [] as LoggedEntry[]];
  const keepLost = async () => {
    const stored = await storedOf(parts, chunk);
    for (const line of chunk) {
      const key = keyOf(line);
      const isDone = done.some(([first, last]) => first <= line.entry && line.entry <= last);
      if (!stored.has(key) && !isDone && !(line.uncertain && lost.has(key))) lost.set(key, line);
      largest.tokens = Math.max(largest.tokens, line.token_id ?? 0);
      largest.auditLog = Math.max(largest.auditLog, line.entry);
    }
    chunk = [];
  };
  for await (const text of lines) {
    const line = parseEntry(text);
    if (line && line.installation === installation) chunk.push(line);
    else if (line) foreign += 1;
    else unread += Number(text.length > LONGEST_LINE || LOOKS_LIKE_ENTRY.test(text));
    if (chunk.length === CHUNK) await keepLost();
  }
  await keepLost();
  if (largest.auditLog === 0)
    throw new InvalidInput('lines', foreign > 0 ? FOREIGN_LOG : 'The log has no entry of the audit trail.');
  const inOrder = [...lost.values()].toSorted((one, other) => one.entry - other.entry || one.at - other.at);
  return { lost: inOrder, unread, largest };
}

const FOREIGN_LOG = 'The log is of another installation: none of its entries has the id of this one.';

/** An id alone may name two entries. */
function keyOf({ entry, at, action, token_id }: Pick<AuditLine, 'entry' | 'at' | 'action' | 'token_id'>) {
  return [entry, at, action, token_id].join(' ');
}

async function storedOf({ database, tables }: ModuleTables, lines: readonly AuditLine[]) {
  const ids = lines.map(({ entry }) => entry);
  const rows = await database.query('restore.entries', (knex) =>
    knex(tables.auditLog).select('at', 'action', 'token_id', { entry: 'id' }).whereIn('id', ids),
  );
  return new Set(rows.map((row) => keyOf(row as Parameters<typeof keyOf>[0])));
}
