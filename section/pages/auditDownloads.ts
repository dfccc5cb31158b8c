import { type AuditEntry, entryJson } from '../../lib/audit/AuditLog';
import { printableJson } from '../../lib/json/json';
import { causeFacts } from '../../lib/log/PanelLog';
import { BYTE_ORDER_MARK, csvRow } from '../csv';
import type { PageHandler } from '../Page';
import type { SectionRequest } from '../SectionRequest';
import { auditFilter } from './audit';

const download =
  (fileName: string, write: (batches: Batches) => AsyncGenerator<string>): PageHandler =>
  async (request) => ({ fileName, body: write(await startReading(request)) });

export const auditCsv = download('audit-trail.csv', csv);
export const auditJson = download('audit-trail.json', json);

type Batches = AsyncIterable<readonly AuditEntry[]>;

const BATCH_SIZE = 500;

/** Reads the first entries before answering, so that the page can report a database that does not respond. */
async function startReading(request: SectionRequest): Promise<Batches> {
  const { audit } = request.api;
  const filter = auditFilter(request);
  let entries = await audit.list({ ...filter, limit: BATCH_SIZE });
  return (async function* () {
    yield entries;
    try {
      for (let last = entries.at(-1); last && entries.length === BATCH_SIZE; last = entries.at(-1)) {
        entries = await audit.list({ ...filter, before: last.id, limit: BATCH_SIZE });
        yield entries;
      }
    } catch (error) {
      // A part of the trail must not pass for the whole, so the connection is closed.
      request.parts.log.warn('panel-api section failed', { code: 'download', ...causeFacts(error) });
      request.ctx.res.destroy();
    }
  })();
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
