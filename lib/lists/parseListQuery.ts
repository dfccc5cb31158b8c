import { ApiError } from '../errors/ApiError';
import { keyName } from '../fields';
import type { OperationFacts } from '../operations/OperationFacts';
import type { Filters, Key, SourceReport } from '../sources/Source';
import { printable } from '../text/printable';
import { parseTime } from '../time/parseTime';
import { decodeCursor } from './cursor';
import type { ListQuery } from './ListQuery';
import { DEFAULT_LIMIT, MOST_ROWS } from './limits';
import { parameterNames } from './parameterNames';
import { parseFilter } from './parseFilter';

/** How much of a parameter's name an answer repeats. */
export const LONGEST_NAME = 64;

/** What a list's parameters are read against. */
export interface ParseParts {
  readonly operation: OperationFacts;
  readonly report: SourceReport;
  /** What the token is kept to. */
  readonly own: Filters;
  readonly accountId: string | null;
  /** Whether a row of the list could stand there. */
  readonly accepts: (key: Key) => boolean;
}

/** Reads the parameters of a list. Throws ApiError `query_invalid`, naming the first that is unknown or wrong. */
export function parseListQuery(given: ReadonlyMap<string, string>, parts: ParseParts): ListQuery {
  const { report, own, accountId } = parts;
  const supported = parameterNames(report);
  for (const name of given.keys()) {
    if (!supported.includes(name)) throw wrong(printable(name, LONGEST_NAME), supported);
  }
  const filters = new Map(own);
  for (const name of report.filters) {
    const text = given.get(name);
    if (text === undefined) continue;
    const wanted = parseFilter(text, report.itemSchema.properties[name] ?? {}) ?? fail(name);
    const kept = own.get(name);
    filters.set(name, kept ? new Set([...wanted].filter((value) => kept.has(value))) : wanted);
  }
  const since = given.get('updated_since');
  const updatedSince = since === undefined ? null : (parseTime(since) ?? fail('updated_since'));
  const rows = { filters, updatedSince, accountId };
  return { ...rows, page: parsePage(given, parts, rows), fields: parseFields(given.get('fields'), parts) };
}

function parsePage(
  given: ReadonlyMap<string, string>,
  { operation, accepts }: ParseParts,
  rows: Pick<ListQuery, 'filters' | 'updatedSince' | 'accountId'>,
): ListQuery['page'] {
  const [limit, cursor] = [given.get('limit'), given.get('cursor')];
  if (limit === undefined && cursor === undefined) return null;
  const after = cursor === undefined ? null : decodeCursor(cursor, { ...rows, resource: operation.name });
  if (cursor !== undefined && !(after && accepts(after))) fail('cursor');
  return { limit: limit === undefined ? DEFAULT_LIMIT : parseLimit(limit), after };
}

function parseLimit(text: string): number {
  const limit = /^[1-9]\d{0,5}$/.test(text) ? Number(text) : 0;
  return limit >= 1 && limit <= MOST_ROWS ? limit : fail('limit');
}

function parseFields(text: string | undefined, { operation, report }: ParseParts): readonly string[] | null {
  if (text === undefined) return null;
  const served = Object.keys(report.itemSchema.properties);
  const asked = new Set([...text.split(','), keyName(operation.fields)]);
  if ([...asked].some((name) => !served.includes(name))) throw wrong('fields', served);
  return served.filter((name) => asked.has(name));
}

function fail(parameter: string): never {
  throw new ApiError('query_invalid', { parameter });
}

function wrong(parameter: string, supported: readonly string[]): ApiError {
  return new ApiError('query_invalid', { parameter, supported });
}
