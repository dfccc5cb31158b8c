import { Cancellation } from '../async/Cancellation';
import type { Database } from '../database/Database';
import type { Run } from '../database/Statement';
import type { JsonSchema } from '../json/json';
import type { ListParts } from '../lists/served';
import { OutOfOrder } from '../sources/function/returnedRows';
import {
  CHECKS,
  EVERY_ROW,
  KeyNotUnique,
  type Source,
  type SourceReport,
  UnreadableRow,
} from '../sources/Source';
import type { CheckResult } from './Check';

interface SourceParts extends ListParts {
  readonly readDatabase: Database;
  readonly options: { readonly deadlineMs: number };
}

/** Checks whether a list can be served from the current database, and names what is missing. */
export async function checkSource(
  resource: string,
  source: Source,
  parts: SourceParts,
): Promise<CheckResult> {
  try {
    const { state, missing, warnings } = await inspectSource(resource, source, 'some', parts);
    if (state === 'off') return { status: 'pass', detail: 'The panel has disabled this resource.' };
    if (state === 'missing') return { status: 'warn', detail: missing.join(' ') };
    return warnings.length > 0 ? { status: 'warn', detail: warnings.join(' ') } : { status: 'pass' };
  } catch (error) {
    const wrong = sayWrong(error);
    if (wrong === null) throw error;
    return { status: 'fail', detail: wrong };
  }
}

/** How many rows are read: one shows whether they can be read, a thousand also find a join that duplicates rows. */
const FIRST_ROWS = { some: 1, all: 1000 };

/** What an inspection found, and how many rows it read; null if it read none. */
interface Inspection extends SourceReport {
  readonly rows: { readonly count: number; readonly isAll: boolean } | null;
}

/**
 * Inspects a source, and warns of ids whose types do not match those of other lists. Rejects if the source does not
 * answer or its first rows cannot be read.
 */
export async function inspectSource(
  resource: string,
  source: Source,
  depth: 'some' | 'all',
  parts: SourceParts,
): Promise<Inspection> {
  const report = await source.inspect(depth);
  if (report.state !== 'served') return { ...report, rows: null };
  const reading = parts.readDatabase.reading(CHECKS);
  const end = Cancellation.after(parts.options.deadlineMs);
  const query = { ...EVERY_ROW, limit: FIRST_ROWS[depth], end };
  const chunks = source.chunks(query, reading.run);
  const rows = { count: 0, isAll: true };
  for await (const { items, last } of chunks) {
    rows.count += items.length;
    rows.isAll = last || rows.count < query.limit;
    if (last || !rows.isAll) break;
  }
  const references = await checkReferences(resource, report, parts, reading.run);
  return { ...report, rows, warnings: [...report.warnings, ...references] };
}

/** Describes a fault in a source's rows in a sentence; null for any other error. */
export function sayWrong(error: unknown): string | null {
  if (error instanceof KeyNotUnique) return `${error.message} The columns of the key must identify each row.`;
  return error instanceof OutOfOrder || error instanceof UnreadableRow ? error.message : null;
}

/** Names the fields whose ids have another type than the ids of the list that they refer to. */
async function checkReferences(
  resource: string,
  { itemSchema, columns = {} }: SourceReport,
  { operations, sources }: ListParts,
  run: Run,
): Promise<readonly string[]> {
  const { fields = {} } = operations.find(({ name }) => name === resource) ?? {};
  const warnings: string[] = [];
  for (const [name, schema] of Object.entries(itemSchema.properties)) {
    const list = fields[name]?.refersTo;
    const report = list === undefined ? undefined : await sources.get(list)?.report(run);
    const [key] = Object.values(report?.itemSchema.properties ?? {});
    const [own, theirs] = [typeOf(schema), key && typeOf(key)];
    if (!own || !theirs || own === theirs) continue;
    const column = columns[name] === undefined ? '' : ` (column ${columns[name]})`;
    warnings.push(
      `The field ${name}${column} has the type ${own}, but the ids of ${list} have the type ${theirs}: ` +
        'use the same type for both. `integer: true` reads whole numbers from a text or decimal column.',
    );
  }
  return warnings;
}

/** The type of an id; undefined if it may have several. */
function typeOf({ type }: JsonSchema): unknown {
  const types = [type].flat().filter((one) => one !== 'null');
  return types.length === 1 ? types[0] : undefined;
}
