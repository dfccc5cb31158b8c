import { ApiError } from '../errors/ApiError';
import { printable } from '../errors/printable';
import { keyName } from '../fields';
import type { OperationFacts } from '../operations/OperationFacts';
import type { Filters, Key, SourceReport } from '../sources/Source';
import { parseTime } from '../time/time';
import { withoutTokens } from '../tokens/tokenFormat';
import { decodeCursor } from './cursor';
import type { ListQuery } from './ListQuery';
import { DEFAULT_LIMIT, MOST_ROWS } from './limits';
import { parameterNames } from './parameterNames';
import { parseFilter } from './parseFilter';

/** The parameters of a query: what each name was given, once or several times. */
export type Given = ReadonlyMap<string, readonly string[]>;

/** A client's name of a parameter or a field as an answer repeats it. */
export function shownName(name: string): string {
  return printable(withoutTokens(name), 64);
}

/** What a list's parameters are read against. */
interface ParseParts {
  readonly operation: OperationFacts;
  readonly report: SourceReport;
  /** What the token is kept to. */
  readonly own: Filters;
  readonly accountId: string | null;
  /** Whether a row of the list could stand there. */
  readonly accepts: (key: Key) => boolean;
}

/** Reads the parameters of a list. Throws ApiError `query_invalid`, naming the first that is unknown or wrong and why. */
export function parseListQuery(given: Given, parts: ParseParts): ListQuery {
  const { report, own, accountId } = parts;
  const query = singleTexts(given, report);
  const filters = new Map(own);
  for (const name of report.filters) {
    const text = query.get(name);
    if (text === undefined) continue;
    const wanted = parseFilter(name, text, report.itemSchema.properties[name] ?? {});
    const kept = own.get(name);
    filters.set(name, kept ? new Set([...wanted].filter((value) => kept.has(value))) : wanted);
  }
  const since = query.get('updated_since');
  const updatedSince = since === undefined ? null : (parseTime(since) ?? refuse('updated_since', A_TIME));
  const rows = { filters, updatedSince, accountId };
  return { ...rows, page: parsePage(query, parts, rows), fields: parseFields(query.get('fields'), parts) };
}

const A_TIME = 'a time such as 2026-06-12T00:00:00Z, or a day such as 2026-06-12';

/** Each parameter as one text: those that take several values may be repeated, which means the same as commas. */
function singleTexts(given: Given, report: SourceReport): ReadonlyMap<string, string> {
  const supported = parameterNames(report);
  const several = new Set(['fields', ...report.filters]);
  for (const [name, texts] of given) {
    if (!supported.includes(name))
      throw new ApiError('query_invalid', { parameter: shownName(name), supported });
    if (texts.length > 1 && !several.has(name)) refuse(name, 'given once');
  }
  return new Map([...given].map(([name, texts]) => [name, texts.join()]));
}

function parsePage(
  query: ReadonlyMap<string, string>,
  { operation, accepts }: ParseParts,
  rows: Pick<ListQuery, 'filters' | 'updatedSince' | 'accountId'>,
): ListQuery['page'] {
  const [limit, cursor] = [query.get('limit'), query.get('cursor')];
  if (limit === undefined && cursor === undefined) return null;
  const after = cursor === undefined ? null : decodeCursor(cursor, { ...rows, resource: operation.name });
  if (cursor !== undefined && !(after && accepts(after)))
    refuse('cursor', 'the next_cursor of a page of this very list, with the same filters and account');
  return { limit: limit === undefined ? DEFAULT_LIMIT : parseLimit(limit), after };
}

function parseLimit(text: string): number {
  const limit = /^[1-9]\d{0,5}$/.test(text) ? Number(text) : 0;
  if (limit >= 1 && limit <= MOST_ROWS) return limit;
  return refuse('limit', `a whole number from 1 to ${MOST_ROWS.toLocaleString('en')}`);
}

function parseFields(text: string | undefined, { operation, report }: ParseParts): readonly string[] | null {
  if (text === undefined) return null;
  const supported = Object.keys(report.itemSchema.properties);
  if (text === '') refuse('fields', 'one or more fields of the list, separated by commas');
  const asked = new Set([...text.split(','), keyName(operation.fields)]);
  const unknown = [...asked].find((name) => !supported.includes(name));
  if (unknown !== undefined)
    throw new ApiError('query_invalid', { parameter: 'fields', field: shownName(unknown), supported });
  return supported.filter((name) => asked.has(name));
}

function refuse(parameter: string, expected: string): never {
  throw new ApiError('query_invalid', { parameter, expected });
}
