import type { Knex } from 'knex';
import { sharedRuns } from '../async/sharedRuns';
import { DatabaseFailure } from '../database/DatabaseFailure';
import { printable } from '../errors/printable';
import type { Fields } from '../fields';
import type { JsonSchema } from '../json/json';
import { reportOf } from '../lists/reportOf';
import { causeFacts } from '../log/PanelLog';
import { inPart } from '../sources/ConcatSource';
import { confirmedCodes, type Finding } from '../sources/findings';
import {
  emptyReport,
  readFirst,
  retryOnSchemaChange,
  type Source,
  type SourceReport,
  UnreadableRow,
} from '../sources/Source';
import type { SourceParts } from './KnownRows';
import { type CheckResult, type RunParts, runCheck, type TimedResult } from './runCheck';

interface ListResult extends CheckResult {
  readonly state: SourceReport['state'];
}

/** What a comparison of a list with the live database found. */
export interface ComparedList extends Pick<SourceReport, 'state' | 'missing' | 'warnings'> {
  readonly resource: string;
  readonly fields: readonly string[];
  /** How many rows were read, a thousand and some of each part at most unless all are; null if none could be. */
  readonly rows: number | null;
  /** Whether the list has no other rows. */
  readonly all_rows: boolean | null;
}

interface CheckParts extends SourceParts, RunParts {
  readonly options: RunParts['options'] & { readonly db: Knex; readonly readDb?: Knex };
}

/** How long the result of an inspection is kept, in milliseconds: it reads some thousand rows. */
const KEPT_MS = 600_000;

/** The checks of one list. They never reject. */
export class ListCheck {
  readonly #name: string;
  readonly #source: Source;
  readonly #parts: CheckParts;
  /** All who ask for it at a time share a check. */
  readonly #read = sharedRuns<null, ListResult>(() => readNow(this.#source, this.#parts));
  #inspection: Promise<ListResult> | undefined;
  /** How long the inspection is used, by `performance.now()`. */
  #keptUntil = 0;

  constructor(name: string, source: Source, parts: CheckParts) {
    this.#name = name;
    this.#source = source;
    this.#parts = parts;
  }

  /** Checks whether the list can be read now. */
  read(): Promise<TimedResult<ListResult>> {
    return this.#run(() => this.#read('', null));
  }

  /** Inspects the list, or returns what the last inspection in this process found less than ten minutes ago. */
  inspect(): Promise<TimedResult<ListResult>> {
    return this.#run(() => {
      if (this.#inspection && performance.now() < this.#keptUntil) return this.#inspection;
      const keep = (milliseconds: number) => {
        this.#keptUntil = performance.now() + milliseconds;
      };
      keep(Infinity);
      this.#inspection = resultOf(() => this.#inspect('many'));
      // A failure may be over soon.
      const isFailed = ({ status }: CheckResult) => status === 'fail';
      void this.#inspection.then(isFailed, () => true).then((failed) => keep(failed ? 0 : KEPT_MS));
      return this.#inspection;
    });
  }

  /**
   * Inspects the list now: many of its rows, or all. The sentences about it contain the database's error messages, which
   * may contain secrets: only the command may show them.
   */
  async compare(depth: keyof typeof FIRST_ROWS): Promise<ComparedList> {
    const { db, readDb = db } = this.#parts.options;
    const messages = new Map<string, string>();
    const { dialect } = this.#parts.checks;
    const collect = (error: Error & { sqlMessage?: string }, { sql }: { sql: string }) => {
      const failure = DatabaseFailure.from('', error);
      if (!dialect.isStatementFailure(failure)) return;
      // knex puts the statement before the message.
      const message = error.sqlMessage ?? error.message.replace(`${sql} - `, () => '');
      messages.set(failure.code, printable(message, 300));
    };
    readDb.on('query-error', collect);
    const { state, itemSchema, missing, warnings, rows } = await this.#inspect(depth).catch(failed);
    readDb.removeListener('query-error', collect);
    const said = [...messages]
      .filter(([code]) => missing.some((sentence) => sentence.includes(`(${code})`)))
      .map(([, message]) => `The database says: ${message}`);
    return {
      resource: this.#name,
      state,
      fields: state === 'served' ? Object.keys(itemSchema.properties) : [],
      missing: [...missing, ...said],
      warnings,
      rows: rows?.count ?? null,
      all_rows: rows?.isAll ?? null,
    };
  }

  #run(check: () => Promise<ListResult>): Promise<TimedResult<ListResult>> {
    return runCheck(`source:${this.#name}`, check, this.#parts);
  }

  /**
   * Inspects the source, and finds what its rows say about its descriptions. Rejects if the source does not answer or one
   * of these rows cannot be read.
   */
  async #inspect(depth: keyof typeof FIRST_ROWS): Promise<Inspection> {
    const report = await this.#source.inspect(depth);
    if (report.state !== 'served') return { ...report, rows: null };
    // Most processes inspect no rows.
    const { inspectRows } = require('./inspectRows') as typeof import('./inspectRows');
    const { fields = {} } = this.#parts.operations.find(({ name }) => name === this.#name) ?? {};
    const { plans = {} } = report;
    const found = await checkReferences(fields, this.#source, this.#parts);
    const types = found.filter(
      ({ field }) => !confirmedCodes(plans[field ?? '']?.description).includes('id_type'),
    );
    const warnings = [...report.warnings, ...types];
    const all = this.#source.parts ?? [this.#source];
    const list = { list: this.#name, fields, most: FIRST_ROWS[depth], names: new Map() };
    let rows = { count: 0, isAll: true };
    for (const [index, part] of all.entries()) {
      const found = await inspectRows(part, list, this.#parts);
      rows = { count: rows.count + found.count, isAll: rows.isAll && found.isAll };
      // No id of another type is an id of the list.
      const others = found.findings.filter(
        ({ code, field }) => code !== 'reference' || !types.some((one) => one.field === field),
      );
      for (const finding of others)
        warnings.push(all.length > 1 ? { ...finding, sentence: inPart(index, finding.sentence) } : finding);
    }
    return { ...report, rows, warnings };
  }
}

/** How many of the first rows of each part are read. Many of them also find a join that repeats rows. */
const FIRST_ROWS = { many: 1000, all: null };

/** What an inspection found, and how many rows it read; null if it read none. */
interface Inspection extends SourceReport {
  readonly rows: { readonly count: number; readonly isAll: boolean } | null;
}

/**
 * Checks whether a list can be read now: if its columns are known, with one statement for each table or query that it
 * is read from.
 */
function readNow(source: Source, parts: SourceParts): Promise<ListResult> {
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

/** The report of a source that cannot be inspected; if the panel's function threw, with the place in its code. */
function failed(error: unknown): Inspection {
  const facts = causeFacts(error);
  const why = Object.values(facts).join(', ');
  const report = reportOf(error) ?? emptyReport('failed', [`The source cannot be inspected: ${why}.`]);
  const isThrown =
    error instanceof UnreadableRow && error.cause !== undefined && facts.cause_at !== undefined;
  const cause = isThrown ? ` Cause: ${facts.cause} at ${facts.cause_at}.` : '';
  return { ...report, missing: report.missing.map((sentence) => sentence + cause), rows: null };
}

/** Names the fields whose ids have another type than the ids of the list that they refer to. */
async function checkReferences(
  fields: Fields,
  source: Source,
  { sources, checks: { run } }: SourceParts,
): Promise<readonly Finding[]> {
  const { itemSchema, plans = {} } = await source.report(run);
  const warnings: Finding[] = [];
  for (const [name, schema] of Object.entries(itemSchema.properties)) {
    const list = fields[name]?.refersTo;
    const report = list === undefined ? undefined : await sources.get(list)?.report(run);
    const [key] = Object.values(report?.itemSchema.properties ?? {});
    const [type, idType] = [typeOf(schema), key && typeOf(key)];
    if (!type || !idType || type === idType) continue;
    const [column, ...others] = plans[name]?.columns ?? [];
    const read = column && others.length === 0 ? ` (column ${column.name})` : '';
    const sentence =
      `The field ${name}${read} has the type ${type}, but the ids of ${list} have the type ${idType}: ` +
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
