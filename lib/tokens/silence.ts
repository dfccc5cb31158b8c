import { integerIn } from '../database/DatabaseFailure';
import type { ModuleTables } from '../database/migrations/Migrations';
import { DAY_SECONDS, dayOf } from '../time/time';
import { daysDuring, MOST_PER_STATEMENT, usedDays } from '../usage/usageTable';

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
  const silence = panelDays.findIndex((day) => day <= last);
  const start = silence + Number(panelDays[silence] === last);
  const others = USUAL_DAYS - 1;
  const isKept = panelDays.length - start >= 2 * others;
  const oldest = panelDays[start + others - 1] ?? Number.NEGATIVE_INFINITY;
  const isKnown = days.some((day) => day <= oldest || (!isKept && day < last && created <= last - others));
  let [run, longest] = [0, 0];
  for (let at = start; at < start + others; at += 1) {
    run = days.includes(panelDays[at] ?? Number.NaN) ? 0 : run + 1;
    longest = Math.max(longest, run);
  }
  return isKnown && silence >= SHORTEST_SILENCE && silence > 2 * longest;
}

/** A line of rotations, with the id of the token that is named if it is silent. */
type Line = Omit<LineUse, 'days'> & { readonly head: number; readonly ids: readonly number[] };

/**
 * Returns the ids of the silent tokens. `isHead` is the SQL condition of the tokens that may be named: of a line of
 * rotations, the newest of them is.
 */
export async function findSilent(given: ModuleTables, isHead: string): Promise<readonly number[]> {
  // It reads every token, so the statements of requests go first.
  const parts = { ...given, database: given.database.inSlotsOf('tokens') };
  const panelDays = await usedDays(parts, MOST_DAYS);
  // With fewer days, none is silent.
  if (panelDays.length < USUAL_DAYS) return [];
  const lines = await quietLines(parts, isHead, panelDays);
  const silent: number[] = [];
  for (let from = 0; from < lines.length; from += MOST_PER_STATEMENT)
    silent.push(...(await silentOf(parts, lines.slice(from, from + MOST_PER_STATEMENT), panelDays)));
  return silent;
}

/** The lines that may be silent by their last uses, that of the earliest first. */
async function quietLines({ database, tables }: ModuleTables, isHead: string, panelDays: readonly number[]) {
  const line = 'COALESCE(lineage, id)';
  const before = (day = 0) => `last.last_used_at < ${day * DAY_SECONDS}`;
  const isUsed = `SELECT 1 FROM ${database.knex.ref(tables.usage)} counts WHERE counts.token_id = id AND counts.day`;
  // A token that has replaced another may not have been used yet. On a Monday, all that is used on working days alone has
  // been unused for two days: it was so the week before.
  // No counts are read of a token that was last used before all of these days.
  const isQuiet = `${isHead} AND (${before(panelDays[SHORTEST_SILENCE - 1])} OR (lineage IS NOT NULL AND last.last_used_at IS NULL))
    AND (COALESCE(lineage, rotated_at) IS NOT NULL OR (NOT ${before(panelDays.at(-1))}
      AND (${before(panelDays[SHORTEST_SILENCE])} OR EXISTS (${isUsed} = ${panelDays[7] ?? 0}))))`;
  const rows = await database.query('tokens.silent', (knex) => {
    const tokens = () => knex(tables.tokens).leftJoin({ last: tables.rateLimits }, 'last.token_id', 'id');
    return tokens()
      .select({ id: 'id', line: knex.raw(line), created: 'created_at', used: 'last.last_used_at' })
      .select({ head: knex.raw(`CASE WHEN ${isHead} THEN id ELSE 0 END`) })
      .whereRaw(`${line} IN ?`, [tokens().select(knex.raw(line)).whereRaw(isQuiet)]);
  });
  const lines = new Map<number, Line>();
  for (const row of rows) {
    const number = (name: string) => integerIn('tokens.silent', row[name] ?? 0);
    const [created, last] = [dayOf(number('created')), dayOf(number('used'))];
    const others = lines.get(number('line')) ?? { created, last, head: 0, ids: [] };
    lines.set(number('line'), {
      created: Math.min(created, others.created),
      last: Math.max(last, others.last),
      head: Math.max(number('head'), others.head),
      ids: [...others.ids, number('id')],
    });
  }
  return [...lines.values()].toSorted((one, other) => one.last - other.last);
}

/** Returns the heads of the silent ones of these lines, the first of which has the earliest last use. */
async function silentOf(parts: ModuleTables, lines: readonly Line[], panelDays: readonly number[]) {
  const [latest = 0, first = 0] = [panelDays[SHORTEST_SILENCE - 1], panelDays.at(-1)];
  // Its usual days, and a week before them: what is used every week was used then.
  const start = panelDays.filter((day) => day < (lines[0]?.last ?? 0))[USUAL_DAYS + 5] ?? first + 1;
  const idsOf = (some: readonly Line[]) => some.flatMap(({ ids }) => ids);
  const recent = await daysDuring(parts, { first: start, last: latest }, idsOf(lines));
  const judge = (line: Line, more: readonly number[] = []) => {
    const days = line.ids.flatMap((id) => recent.get(id) ?? []).concat(more);
    return isSilent({ ...line, last: Math.max(line.last, ...days), days }, panelDays);
  };
  const silent = new Set(lines.filter((line) => judge(line)));
  // Those of which only an earlier use is missing.
  const open = lines.filter((line) => !silent.has(line) && judge(line, [first]));
  const earlier = await daysDuring(parts, { first, last: start - 1 }, idsOf(open));
  const ofLine = ({ ids }: Line) => ids.flatMap((id) => earlier.get(id) ?? []);
  return [...silent, ...open.filter((line) => judge(line, ofLine(line)))].map(({ head }) => head);
}
