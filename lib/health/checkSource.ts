import { Cancellation } from '../async/Cancellation';
import type { Database } from '../database/Database';
import type { JsonSchema } from '../json/json';
import type { Operation } from '../operations/Operation';
import { OutOfOrder } from '../sources/function/returnedRows';
import { EVERY_ROW, KeyNotUnique, type Source, type SourceReport, UnreadableRow } from '../sources/Source';
import type { CheckResult } from './Check';

/** The parts of a mount that checking a source takes. */
interface SourceParts {
  readonly database: Database;
  readonly operations: readonly Operation[];
  readonly options: { readonly deadlineMs: number };
  readonly sources: ReadonlyMap<string, Source>;
}

/** Checks whether a list can be served from the database as it is now, and names what is missing if not. */
export async function checkSource(
  resource: string,
  source: Source,
  parts: SourceParts,
): Promise<CheckResult> {
  const report = await source.inspect('some');
  const { state, missing } = report;
  if (state === 'off') return { status: 'pass', detail: 'The panel switched this resource off.' };
  if (state === 'missing') return { status: 'warn', detail: missing.join(' ') };
  const wrong = await readFirst(source, 1, parts).then(() => null, sayWrong);
  if (wrong !== null) return { status: 'fail', detail: wrong };
  const warnings = [...report.warnings, ...(await checkReferences(resource, report, parts))];
  return warnings.length > 0 ? { status: 'warn', detail: warnings.join(' ') } : { status: 'pass' };
}

/** Reads the first rows of a source. Rejects if it does not answer or its rows cannot be read. */
export async function readFirst(
  source: Source,
  rows: number,
  { database, options }: Pick<SourceParts, 'database' | 'options'>,
): Promise<void> {
  const reading = database.reading('checks');
  const end = Cancellation.after(options.deadlineMs);
  const chunks = source.chunks({ ...EVERY_ROW, limit: rows, end }, (name, statement) =>
    reading.query(name, statement),
  );
  await chunks.next();
  await chunks.return();
}

/** Says in a sentence what is wrong with the rows of a source; throws any other failure again. */
export function sayWrong(error: unknown): string {
  if (error instanceof KeyNotUnique) return `${error.message} The columns of its key must tell rows apart.`;
  if (error instanceof OutOfOrder || error instanceof UnreadableRow) return error.message;
  throw error;
}

/** Names the fields whose ids are of another type than the ids of the list to which they refer. */
export async function checkReferences(
  resource: string,
  { itemSchema, columns = {} }: SourceReport,
  { operations, sources }: Pick<SourceParts, 'operations' | 'sources'>,
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
