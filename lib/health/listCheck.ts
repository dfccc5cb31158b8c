import { sharedRuns } from '../async/sharedRuns';
import { ApiError } from '../errors/ApiError';
import type { ErrorCode } from '../errors/errorCodes';
import type { Fields } from '../fields';
import type { JsonSchema } from '../json/json';
import { inPart } from '../sources/concatSource';
import type { Finding } from '../sources/findings';
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
import { inspectRows } from './inspectRows';
import type { SourceParts } from './rules/references';
import { type CheckResult, type RunParts, runCheck } from './runCheck';

interface ListResult extends CheckResult {
  readonly state: SourceReport['state'];
}

/** How long the result of an inspection is kept, in milliseconds: it reads some thousand rows. */
const KEPT_MS = 600_000;

export type ListCheck = ReturnType<typeof createListCheck>;

/** Creates the checks of one list, which all who ask for them share. They never reject. */
export function createListCheck(name: string, source: Source, parts: SourceParts & RunParts) {
  const readings = sharedRuns(() => checkReading(source, parts));
  let inspection: Promise<ListResult> | undefined;
  /** How long the inspection is used, by `performance.now()`. */
  let keptUntil = 0;
  const run = (check: () => Promise<ListResult>) => runCheck(`source:${name}`, check, parts);
  return {
    /** Checks whether the list can be read now. */
    read: () => run(() => readings('', null)),
    /** Inspects the list, or returns what the last inspection in this process found less than ten minutes ago. */
    inspect: () =>
      run(() => {
        if (inspection && performance.now() < keptUntil) return inspection;
        const keep = (milliseconds: number) => {
          keptUntil = performance.now() + milliseconds;
        };
        keep(Infinity);
        inspection = resultOf(() => inspectSource(name, source, 'many', parts));
        // A failure may be over soon.
        inspection.then(
          ({ status }) => keep(status === 'fail' ? 0 : KEPT_MS),
          () => keep(0),
        );
        return inspection;
      }),
  };
}

/**
 * Checks whether a list can be read now: if its columns are known, with one statement for each table or query that it
 * is read from.
 */
function checkReading(source: Source, parts: SourceParts): Promise<ListResult> {
  const read = async () => {
    const report = await source.report(parts.checks.run);
    // The first row of a list does not show whether its last part can be read.
    const parted = report.state === 'served' ? (source.parts ?? [source]) : [];
    for (const part of parted) await readFirst(part, 1, parts.checks);
    return report;
  };
  return resultOf(() => retryOnSchemaChange(read));
}

async function resultOf(inspect: () => Promise<SourceReport>): Promise<ListResult> {
  const { state, missing, warnings } = await inspect().catch((error): SourceReport => {
    const report = reportOf(error);
    if (report) return report;
    throw error;
  });
  if (state === 'off') return { state, status: 'pass', detail: 'The panel has disabled this resource.' };
  if (state === 'served' && warnings.length === 0) return { state, status: 'pass' };
  const detail = (state === 'served' ? warnings.map(({ sentence }) => sentence) : missing).join(' ');
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
  if (error instanceof KeyNotUnique)
    return emptyReport('failed', [`${error.message} The columns of the key must identify each row.`]);
  const isInRows = error instanceof OutOfOrder || error instanceof UnreadableRow;
  return isInRows ? emptyReport('failed', [error.message]) : null;
}

/** How many of the first rows of each part are read. Many of them also find a join that repeats rows. */
const FIRST_ROWS = { many: 1000, all: null };

/** What an inspection found, and how many rows it read; null if it read none. */
export interface Inspection extends SourceReport {
  readonly rows: { readonly count: number; readonly isAll: boolean } | null;
}

/**
 * Inspects a source, and finds what its rows say about its descriptions. Rejects if the source does not answer or one of
 * these rows cannot be read.
 */
export async function inspectSource(
  resource: string,
  source: Source,
  depth: keyof typeof FIRST_ROWS,
  parts: SourceParts,
): Promise<Inspection> {
  const report = await source.inspect(depth);
  if (report.state !== 'served') return { ...report, rows: null };
  const { fields = {} } = parts.operations.find(({ name }) => name === resource) ?? {};
  const types = await checkReferences(fields, source, parts);
  const warnings = [...report.warnings, ...types];
  const all = source.parts ?? [source];
  const list = { list: resource, fields, most: FIRST_ROWS[depth] };
  let rows = { count: 0, isAll: true };
  for (const [index, part] of all.entries()) {
    const found = await inspectRows(part, list, parts);
    rows = { count: rows.count + found.count, isAll: rows.isAll && found.isAll };
    // No id of another type is an id of the list.
    const own = found.findings.filter(
      ({ code, field }) => code !== 'reference' || !types.some((one) => one.field === field),
    );
    for (const finding of own)
      warnings.push(all.length > 1 ? { ...finding, sentence: inPart(index, finding.sentence) } : finding);
  }
  return { ...report, rows, warnings };
}

/** Names the fields whose ids have another type than the ids of the list that they refer to. */
async function checkReferences(
  fields: Fields,
  source: Source,
  { sources, checks: { run } }: SourceParts,
): Promise<readonly Finding[]> {
  const { itemSchema, readings = {} } = await source.report(run);
  const warnings: Finding[] = [];
  for (const [name, schema] of Object.entries(itemSchema.properties)) {
    const list = fields[name]?.refersTo;
    const report = list === undefined ? undefined : await sources.get(list)?.report(run);
    const [key] = Object.values(report?.itemSchema.properties ?? {});
    const [own, theirs] = [typeOf(schema), key && typeOf(key)];
    if (!own || !theirs || own === theirs) continue;
    const [column, ...others] = readings[name]?.columns ?? [];
    const read = column && others.length === 0 ? ` (column ${column.name})` : '';
    const sentence =
      `The field ${name}${read} has the type ${own}, but the ids of ${list} have the type ${theirs}: ` +
      'use the same type for both. `integer: true` reads whole numbers from a text or decimal column.';
    warnings.push({ code: 'id_type', field: name, sentence });
  }
  return warnings;
}

/** The type of an id; undefined if it may have several. */
function typeOf({ type }: JsonSchema): unknown {
  const types = [type].flat().filter((one) => one !== 'null');
  return types.length === 1 ? types[0] : undefined;
}
