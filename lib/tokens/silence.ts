import { integerIn } from '../database/DatabaseFailure';
import type { ModuleTables } from '../database/migrations/Migrations';
import { DAY_SECONDS, dayOf } from '../time/time';
import { daysDuring, usedDays } from '../usage/usageTable';

/** The days that show how a token is usually used: that of its last use, and those before it. */
const USUAL_DAYS = 28;

/** How many unused days are a silence at least. */
const SHORTEST_SILENCE = 2;

/** How many days are read: of what is used once a month, the last two uses, also after the 54 days of its silence. */
const MOST_DAYS = 120;

/** How a token was used, together with all others of its line of rotations. Days are in UTC, counted since 1970. */
export interface LineUse {
  readonly created: number;
  readonly last: number;
  /** The days of which there are counts. */
  readonly days: readonly number[];
}

/**
 * Whether a token is silent: its integration has stopped. `panelDays` are the days before today on which any token of the
 * panel was used, the newest first; no other day is counted. A token is silent if all of this is true:
 *
 * - At least two whole days have passed since the day of its last use.
 * - They are more than twice the longest run of unused days among the 28 days that end with its last use.
 * - It was used on the first of these 28 days, or before. If the counts of the 27 days before them are no longer kept: it
 *   was created by then, and was used before the day of its last use. Days without counts count as unused.
 */
export function isSilent({ created, last, days }: LineUse, panelDays: readonly number[]): boolean {
  const silence = panelDays.filter((day) => day > last).length;
  const before = panelDays.filter((day) => day < last);
  const others = USUAL_DAYS - 1;
  const isKept = before.length >= 2 * others;
  const oldest = before[others - 1] ?? Number.NEGATIVE_INFINITY;
  const isKnown = days.some((day) => day <= oldest || (!isKept && day < last && created <= last - others));
  const used = new Set(days);
  const usual = Array.from({ length: others }, (_, back) => used.has(before[back] ?? Number.NaN));
  const runs = usual.map((isUsed) => (isUsed ? ' ' : '.')).join('');
  const longest = Math.max(...runs.split(' ').map((run) => run.length));
  return isKnown && silence >= SHORTEST_SILENCE && silence > 2 * longest;
}

/**
 * Returns the ids of the silent tokens. `isHead` is the SQL condition of the tokens that may be named: of a line of
 * rotations, the newest of them is.
 */
export async function findSilent(given: ModuleTables, isHead: string): Promise<readonly number[]> {
  // It reads every token, so the statements of requests go first.
  const parts = { ...given, database: given.database.inSlotsOf('tokens') };
  const { database, tables } = parts;
  const panelDays = await usedDays(parts, MOST_DAYS);
  const latest = panelDays[SHORTEST_SILENCE - 1];
  if (latest === undefined) return [];
  const line = 'COALESCE(lineage, id)';
  const before = (day = 0) => `last.last_used_at < ${day * DAY_SECONDS}`;
  const isUsed = `SELECT 1 FROM ${database.knex.ref(tables.usage)} counts WHERE counts.token_id = id AND counts.day`;
  // A token that has replaced another may not have been used yet. On a Monday, all that is used on working days alone has
  // been unused for two days: it was so the week before.
  // No counts are read of a token that was last used before all of these days.
  const isQuiet = `${isHead} AND (${before(latest)} OR (lineage IS NOT NULL AND last.last_used_at IS NULL))
    AND (COALESCE(lineage, rotated_at) IS NOT NULL OR (NOT ${before(panelDays.at(-1))}
      AND (${before(panelDays[SHORTEST_SILENCE])} OR EXISTS (${isUsed} = ${panelDays[7] ?? 0}))))`;
  const found = await database.query('tokens.silent', (knex) => {
    const tokens = () => knex(tables.tokens).leftJoin({ last: tables.rateLimits }, 'last.token_id', 'id');
    return tokens()
      .select({ id: 'id', line: knex.raw(line), created: 'created_at', used: 'last.last_used_at' })
      .select({ head: knex.raw(`CASE WHEN ${isQuiet} THEN id ELSE 0 END`) })
      .whereRaw(`${line} IN ?`, [tokens().select(knex.raw(line)).whereRaw(isQuiet)]);
  });
  const rows = found.map((row) => {
    const number = (name: string) => integerIn('tokens.silent', row[name] ?? 0);
    const [created, last] = [dayOf(number('created')), dayOf(number('used'))];
    return { id: number('id'), line: number('line'), head: number('head'), created, last };
  });
  const ids = rows.map(({ id }) => id);
  const counted = await daysDuring(parts, { first: panelDays.at(-1) ?? latest, last: latest }, ids);
  const lines = new Map<number, typeof rows>();
  for (const row of rows) lines.set(row.line, [...(lines.get(row.line) ?? []), row]);
  return [...lines.values()].flatMap((members) => {
    const days = members.flatMap(({ id }) => counted.get(id) ?? []);
    const last = Math.max(...members.map((one) => one.last), ...days);
    const created = Math.min(...members.map((one) => one.created));
    const head = Math.max(...members.map((one) => one.head));
    return isSilent({ created, last, days }, panelDays) ? [head] : [];
  });
}
