import type { Database } from '../database/Database';
import type { Run } from '../database/Statement';
import { ApiError } from '../errors/ApiError';
import type { ErrorCode } from '../errors/errorCodes';
import type { JsonSchema } from '../json/json';
import type { ListParts } from '../lists/served';
import { OutOfOrder } from '../sources/function/returnedRows';
import {
  emptyReport,
  KeyNotUnique,
  readFirst,
  retryOnSchemaChange,
  type Source,
  type SourceReport,
  UnreadableRow,
} from '../sources/Source';
import type { CheckResult } from './Check';

export interface SourceParts extends ListParts {
  /** The database of the lists, in the slots of CHECKS. */
  readonly checks: Database;
}

/** The result of the check of a list. */
export interface ListResult extends CheckResult {
  readonly state: SourceReport['state'];
}

/**
 * Checks whether a list can be read now: if its columns are known, with one statement for each table or query that it
 * is read from.
 */
export function checkReading(source: Source, parts: SourceParts): Promise<ListResult> {
  const read = async () => {
    const report = await source.report(parts.checks.run);
    // The first row of a list does not show whether its last part can be read.
    const parted = report.state === 'served' ? (source.parts ?? [source]) : [];
    for (const part of parted) await readFirst(part, 1, parts.checks);
    return report;
  };
  return resultOf(() => retryOnSchemaChange(read));
}

/** Checks what only many rows show, too, such as words that no rule covers. */
export function checkSource(resource: string, source: Source, parts: SourceParts): Promise<ListResult> {
  return resultOf(() => inspectSource(resource, source, 'some', parts));
}

async function resultOf(inspect: () => Promise<SourceReport>): Promise<ListResult> {
  const { state, missing, warnings } = await inspect().catch((error): SourceReport => {
    const report = reportOf(error);
    if (report) return report;
    throw error;
  });
  if (state === 'off') return { state, status: 'pass', detail: 'The panel has disabled this resource.' };
  if (state === 'served' && warnings.length === 0) return { state, status: 'pass' };
  const detail = (state === 'served' ? warnings : missing).join(' ');
  return { state, status: state === 'failed' ? 'fail' : 'warn', detail };
}

/** What an error of a list means here. Its cause is the module's own. */
const STATES: { readonly [K in ErrorCode]?: 'missing' | 'failed' } = {
  resource_unavailable: 'missing',
  unavailable: 'failed',
};

/** Returns the report of a list that could not be read; null if that is no fault of the list. */
export function reportOf(error: unknown): SourceReport | null {
  const { code, cause } = error instanceof ApiError ? error : {};
  const state = code && STATES[code];
  if (state) return emptyReport(state, cause instanceof Error ? [cause.message] : []);
  const wrong = sayWrong(error);
  return wrong === null ? null : emptyReport('failed', [wrong]);
}

/** How many rows are read: one shows whether they can be read, a thousand also find a join that duplicates rows. */
const FIRST_ROWS = { some: 1, all: 1000 };

/** What an inspection found, and how many rows it read; null if it read none. */
export interface Inspection extends SourceReport {
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
  const { rows, isAll } = await readFirst(source, FIRST_ROWS[depth], parts.checks);
  const references = await checkReferences(resource, report, parts, parts.checks.run);
  const warnings = [...report.warnings, ...references];
  return { ...report, rows: { count: rows.length, isAll }, warnings };
}

/** Describes a fault in a source's rows in a sentence; null for any other error. */
function sayWrong(error: unknown): string | null {
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
