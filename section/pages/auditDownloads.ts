import { Readable } from 'node:stream';
import { type AuditEntry, entryJson } from '../../lib/audit/AuditLog';
import { printableJson } from '../../lib/json/json';
import { causeFacts } from '../../lib/log/PanelLog';
import { BYTE_ORDER_MARK, csvRow } from '../csv';
import type { PageHandler } from '../Page';
import type { SectionRequest } from '../SectionRequest';
import { auditFilter } from './audit';

/** All entries that match the filter, as CSV for a spreadsheet. */
export const auditCsv: PageHandler = async (request) => ({
  type: 'text/csv; charset=utf-8',
  fileName: 'audit-trail.csv',
  body: Readable.from(csv(await startReading(request))),
});

/** The same entries as JSON. */
export const auditJson: PageHandler = async (request) => ({
  type: 'application/json; charset=utf-8',
  fileName: 'audit-trail.json',
  body: Readable.from(json(await startReading(request))),
});

type Batches = AsyncIterable<readonly AuditEntry[]>;

/** Reads the first entries before answering, so that the page can report a database that does not respond. */
async function startReading(request: SectionRequest): Promise<Batches> {
  const batches = readBatches(request);
  const first = await batches.next();
  return (async function* () {
    if (first.done) return;
    yield first.value;
    try {
      yield* batches;
    } catch (error) {
      // A part of the trail must not pass for the whole, so the connection is closed.
      request.installation.log.warn('panel-api section failed', { code: 'download', ...causeFacts(error) });
      request.ctx.res.destroy();
    }
  })();
}

const BATCH_SIZE = 500;

async function* readBatches(request: SectionRequest): AsyncGenerator<readonly AuditEntry[], void, undefined> {
  const filter = auditFilter(request);
  let before: number | undefined;
  for (;;) {
    const from = before === undefined ? {} : { before };
    const entries = await request.installation.audit.list({ ...filter, ...from, limit: BATCH_SIZE });
    yield entries;
    before = entries.at(-1)?.id;
    if (entries.length < BATCH_SIZE) return;
  }
}

async function* json(batches: Batches): AsyncGenerator<string> {
  let mark = '[';
  for await (const entries of batches) {
    for (const entry of entries) {
      yield `${mark}\n${printableJson(entryJson(entry))}`;
      mark = ',';
    }
  }
  yield mark === '[' ? '[]\n' : '\n]\n';
}

async function* csv(batches: Batches): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK;
  yield csvRow(['id', 'at', 'actor', 'action', 'origin', 'address', 'token_id', 'details']);
  for await (const entries of batches) {
    yield entries
      .map(entryJson)
      .map(({ details, ...entry }) => csvRow([...Object.values(entry), csvJson(details)]))
      .join('');
  }
}

/** JSON without the character at which a spreadsheet may split it, so that no cell begins within it. */
function csvJson(value: unknown): string {
  return printableJson(value).replaceAll(';', '\\u003b');
}
