import type { Knex } from 'knex';
import { Cancellation } from '../async/Cancellation';
import { withTimeout } from '../async/withTimeout';
import type { CheckResult } from '../checks/Check';
import { CHECK_STATUSES } from '../checks/Check';
import type { Database } from '../database/Database';
import { DatabaseFailure } from '../database/DatabaseFailure';
import type { Migrations } from '../database/migrations/Migrations';
import { ForeignTable } from '../database/migrations/tables';
import type { JsonSchema } from '../json/JsonSchema';
import type { Operation } from '../operations/Operation';
import { OutOfOrder } from '../sources/function/providedRows';
import { KeyNotUnique, type Source, type SourceReport, UnreadableRow } from '../sources/Source';

interface TimedResult extends CheckResult {
  readonly duration_ms: number;
}

/**
 * Runs a check, at most `patienceMs` long. What goes wrong in it is a failure whose cause stays on the server, where
 * `tell` hears of it.
 */
export async function runCheck(
  check: () => CheckResult | Promise<CheckResult>,
  patienceMs: number,
  tell: (error: unknown) => void,
): Promise<TimedResult> {
  const startedAt = performance.now();
  const late = () => new Error('The check took too long.');
  const result = await withTimeout(Promise.resolve().then(check).then(sound), patienceMs, late).catch(
    (error) => {
      tell(error);
      return failure(error);
    },
  );
  return { ...result, duration_ms: Math.round(performance.now() - startedAt) };
}

// A panel's own check may give anything.
function sound({ status, detail }: CheckResult): CheckResult {
  if (!CHECK_STATUSES.includes(status)) throw new TypeError('A check gave no status.');
  return typeof detail === 'string' ? { status, detail } : { status };
}

function failure(error: unknown): CheckResult {
  const detail =
    error instanceof DatabaseFailure ? `The database failed (${error.code}).` : 'The check failed.';
  return { status: 'fail', detail };
}

/** Whether all of the module's migrations were applied. */
export async function checkMigrations(migrations: Migrations): Promise<CheckResult> {
  const pending = await migrations.pending().catch(sentenceOf);
  if (typeof pending === 'string') return { status: 'fail', detail: pending };
  if (pending.length === 0) return { status: 'pass' };
  return { status: 'fail', detail: `Not applied: ${pending.join(', ')}.` };
}

function sentenceOf(error: unknown): string {
  if (error instanceof ForeignTable) return error.message;
  throw error;
}

/** The parts of a mount that are looked at. */
export interface CheckParts {
  readonly database: Database;
  readonly operations: readonly Operation[];
  readonly options: { readonly deadlineMs: number };
  readonly sources: ReadonlyMap<string, Source>;
}

/** Whether a list can be served from what is there now, and exactly what is missing if not. */
export async function checkSource(resource: string, source: Source, parts: CheckParts): Promise<CheckResult> {
  const report = await source.inspect('some');
  const { state, missing } = report;
  if (state === 'off') return { status: 'pass', detail: 'The panel switched this resource off.' };
  if (state === 'missing') return { status: 'warn', detail: missing.join(' ') };
  const wrong = await readFirst(source, 1, parts).then(() => null, sayWrong);
  if (wrong !== null) return { status: 'fail', detail: wrong };
  const warnings = [...report.warnings, ...(await checkReferences(resource, report, parts))];
  return warnings.length > 0 ? { status: 'warn', detail: warnings.join(' ') } : { status: 'pass' };
}

/** What is wrong with the rows of a source, in a sentence; any other failure is thrown on. */
export function sayWrong(error: unknown): string {
  if (error instanceof KeyNotUnique) return `${error.message} The columns of its key must tell rows apart.`;
  if (error instanceof OutOfOrder || error instanceof UnreadableRow) return error.message;
  throw error;
}

/** Says which fields hold ids of another type than the list has to which they refer. */
export async function checkReferences(
  resource: string,
  { itemSchema, columns = {} }: SourceReport,
  { operations, sources }: Pick<CheckParts, 'operations' | 'sources'>,
): Promise<readonly string[]> {
  const { fields = {} } = operations.find(({ name }) => name === resource) ?? {};
  const warnings: string[] = [];
  for (const [name, schema] of Object.entries(itemSchema.properties)) {
    const list = fields[name]?.refersTo;
    const report = list === undefined ? undefined : await sources.get(list)?.report();
    const [key] = Object.values(report?.itemSchema.properties ?? {});
    const [own, theirs] = [typeOf(schema), key && typeOf(key)];
    if (!own || !theirs || own === theirs) continue;
    const column = columns[name] === undefined ? '' : ` (column ${columns[name]})`;
    warnings.push(
      `The field ${name}${column} is of the type ${own}, but the ids of ${list} are of the type ${theirs}: ` +
        'give both one type; integer: true reads whole numbers from a column of texts or decimals.',
    );
  }
  return warnings;
}

/** The only type of an id; undefined if it may be of several. */
function typeOf({ type }: JsonSchema): unknown {
  const types = [type].flat().filter((one) => one !== 'null');
  return types.length === 1 ? types[0] : undefined;
}

/** How soon after a network that lost packets is back the API is to answer again, in milliseconds. */
const PROMISED_MS = 2000;

/** A limit of the driver's own that is not set. */
const DRIVER_LIMITS_MS = { mysql2: 10_000, pg: Infinity } as const;

/** Why the API may answer late after a network that lost packets is back, by the settings of the panel's handle. */
export function poolWarnings({ client }: Knex): readonly string[] {
  if (!(client.driverName in DRIVER_LIMITS_MS)) return [];
  const driver = client.driverName as keyof typeof DRIVER_LIMITS_MS;
  // A function that gives the settings is not called for this.
  const settings = client.connectionSettings ?? {};
  const set = driver === 'pg' ? settings.connectionTimeoutMillis : settings.connectTimeout;
  const limit = Math.min(
    client.pool?.createTimeoutMillis ?? Infinity,
    Number(set) || DRIVER_LIMITS_MS[driver],
  );
  if (limit <= PROMISED_MS) return [];
  return [
    `The handle waits up to ${limit / 1000} s for a new connection: after a network that lost packets the API may answer that much later, and not within ${PROMISED_MS / 1000} s. Set pool.createTimeoutMillis to ${PROMISED_MS} at most.`,
  ];
}

/** Reads the first rows of a source, to see whether it answers and its rows can be read. */
export async function readFirst(
  source: Source,
  rows: number,
  { database, options }: Pick<CheckParts, 'database' | 'options'>,
): Promise<void> {
  const reading = database.reading('checks');
  const end = Cancellation.after(options.deadlineMs);
  const chunks = source.chunks(
    { filters: new Map(), updatedSince: null, accountId: null, after: null, limit: rows, end },
    (name, statement) => reading.query(name, statement),
  );
  await chunks.next();
  await chunks.return();
}
