import { Readable } from 'node:stream';
import type { AuditEntry } from '../../lib/audit/AuditLog';
import { causeFacts } from '../../lib/log/PanelLog';
import { rfc3339OfSeconds } from '../../lib/time/time';
import type { PageHandler, SectionRequest } from '../SectionRequest';
import { auditFilter } from './audit';

const READ_AT_ONCE = 500;

/** The entries that the filter asks for, all of them, as a table for a spreadsheet. */
export const auditCsv: PageHandler = async (request) => ({
  type: 'text/csv; charset=utf-8',
  fileName: 'audit-trail.csv',
  body: Readable.from(csv(await begun(request))),
});

/** The same as JSON. */
export const auditJson: PageHandler = async (request) => ({
  type: 'application/json; charset=utf-8',
  fileName: 'audit-trail.json',
  body: Readable.from(json(await begun(request))),
});

type Batches = AsyncIterable<readonly AuditEntry[]>;

async function* csv(batches: Batches): AsyncGenerator<string> {
  yield csvRow(['id', 'at', 'actor', 'action', 'origin', 'token_id', 'details']);
  for await (const entries of batches) {
    yield entries
      .map(({ id, at, actor, action, origin, tokenId, details }) =>
        csvRow([id, rfc3339OfSeconds(at), actor, action, origin, tokenId, JSON.stringify(details)]),
      )
      .join('');
  }
}

async function* json(batches: Batches): AsyncGenerator<string> {
  let mark = '[';
  for await (const entries of batches) {
    for (const { id, at, actor, action, origin, tokenId, details } of entries) {
      yield `${mark}\n${JSON.stringify({ id, at: rfc3339OfSeconds(at), actor, action, origin, token_id: tokenId, details })}`;
      mark = ',';
    }
  }
  yield mark === '[' ? '[]\n' : '\n]\n';
}

/** Reads the first entries at once, so that a database that does not answer gives a page that says so. */
async function begun(request: SectionRequest): Promise<Batches> {
  const batches = read(request);
  const first = await batches.next();
  return (async function* () {
    if (first.done) return;
    yield first.value;
    try {
      yield* batches;
    } catch (error) {
      // Nobody may take half of the trail for the whole.
      request.installation.log.warn('panel-api section failed', { code: 'download', ...causeFacts(error) });
      request.ctx.res.destroy();
    }
  })();
}

async function* read(request: SectionRequest): AsyncGenerator<readonly AuditEntry[], void, undefined> {
  const filter = auditFilter(request);
  let before: number | undefined;
  for (;;) {
    const from = before === undefined ? {} : { before };
    const entries = await request.installation.audit.list({ ...filter, ...from, limit: READ_AT_ONCE });
    yield entries;
    before = entries.at(-1)?.id;
    if (entries.length < READ_AT_ONCE) return;
  }
}

// What a spreadsheet takes for the beginning of a formula; the last four are those of East Asian keyboards.
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;

/** A line of CSV (RFC 4180). A spreadsheet would carry out what begins like a formula, so that gets a quote before it. */
function csvRow(values: readonly (string | number | null)[]): string {
  return `${values.map(csvValue).join(',')}\r\n`;
}

function csvValue(value: string | number | null): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const safe = FORMULA.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
