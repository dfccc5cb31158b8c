import { ApiError, refuseParameter } from '../errors/ApiError';
import { printable } from '../errors/printable';
import { keyName } from '../fields';
import type { JsonSchema } from '../json/json';
import type { Operation } from '../operations/Operation';
import type { Filters, Key, Order, Ranges, Search, SourceReport } from '../sources/Source';
import { withoutTokens } from '../tokens/tokenFormat';
import { decodeCursor } from './cursor';
import { type FiguresQuery, parseFigures, summable } from './figures';
import { parseRanges, rangeParameters } from './ranges';
import { parseSearch } from './search';

/** The rows of a page without `limit`. */
export const DEFAULT_LIMIT = 100;

/** Maximum rows of a page. */
export const MOST_ROWS = 1000;

/** Maximum values of a filter. */
export const MOST_VALUES = 100;

/** The checked query of a list. */
export interface ListQuery {
  /** The rows to include; for a token of one account, only that account's. */
  readonly filters: Filters;
  readonly ranges: Ranges;
  readonly search: Search | null;
  /** The account that the token is limited to. */
  readonly accountId: string | null;
  /** The order of the rows; null for that by key. */
  readonly order: Order | null;
  /** The page; null for the whole list. */
  readonly page: { readonly limit: number; readonly after: Key | null } | null;
  /** The fields to return; null for all. */
  readonly fields: readonly string[] | null;
  /** The figures to return instead of items; null for items. */
  readonly figures: FiguresQuery | null;
}

/** What the parameters of a list are checked against. */
interface ParseParts {
  readonly operation: Operation;
  readonly report: SourceReport;
  /** The filter that limits the token to its account. */
  readonly own: Filters;
  readonly accountId: string | null;
  /** The prefix of the mount's tokens. */
  readonly tokenPrefix: string;
  /** Whether a row of the list could have this key in this order. */
  readonly accepts: (key: Key, order: Order | null) => boolean;
}

/** The names of the parameters that the list has in this installation. */
export function parameterNames(
  operation: Pick<Operation, 'fields'>,
  report: SourceReport,
): readonly string[] {
  const figures = ['count', ...(summable(operation, report).length > 0 ? ['sum'] : [])];
  const ranges = rangeParameters(report).flatMap(({ names }) => names);
  const search = report.searchable.length > 0 ? ['search'] : [];
  return ['limit', 'cursor', 'order', 'fields', ...search, ...figures, ...ranges, ...report.filters];
}

/** Throws ApiError `query_invalid` if there is any parameter. */
export function refuseParameters(parameters: URLSearchParams, tokenPrefix: string): void {
  const [name] = parameters.keys();
  if (name === undefined) return;
  throw new ApiError('query_invalid', { parameter: shownName(name, tokenPrefix), supported: [] });
}

/** Parses the parameters of a list. Throws ApiError `query_invalid` that names the first unknown or wrong one. */
export function parseListQuery(parameters: URLSearchParams, parts: ParseParts): ListQuery {
  const { operation, report, own, accountId } = parts;
  const query = singleTexts(parameters, parts);
  const filters = new Map(own);
  for (const name of report.filters) {
    const text = query.get(name);
    if (text === undefined) continue;
    const wanted = parseFilter(name, text, report.itemSchema.properties[name] ?? {});
    const kept = own.get(name);
    filters.set(name, kept ? new Set([...wanted].filter((value) => kept.has(value))) : wanted);
  }
  const order = parseOrder(query.get('order'), report);
  const search = parseSearch(query.get('search'), report);
  const rows = { filters, ranges: parseRanges(query, report), search, accountId, order };
  const figures = parseFigures(query, operation, report);
  const fields = parseFields(query.get('fields'), parts);
  return { ...rows, figures, page: parsePage(query, parts, rows), fields };
}

function parseOrder(text: string | undefined, { orders }: SourceReport): Order | null {
  if (text === undefined) return null;
  const order = orders.find((one) => one === text);
  if (order === undefined) throw new ApiError('query_invalid', { parameter: 'order', allowed: orders });
  return order;
}

/**
 * Returns each parameter as one text. A parameter with several values may be repeated instead of separated by commas.
 */
function singleTexts(
  parameters: URLSearchParams,
  { operation, report, tokenPrefix }: ParseParts,
): ReadonlyMap<string, string> {
  const supported = parameterNames(operation, report);
  const several = new Set(['fields', 'sum', ...report.filters]);
  const single = new Map<string, string>();
  for (const name of parameters.keys()) {
    if (single.has(name)) continue;
    if (!supported.includes(name))
      throw new ApiError('query_invalid', { parameter: shownName(name, tokenPrefix), supported });
    const texts = parameters.getAll(name);
    if (texts.length > 1 && !several.has(name)) refuseParameter(name, 'set only once');
    single.set(name, texts.join());
  }
  return single;
}

/** Returns a name from the client as an answer may repeat it. */
export function shownName(name: string, tokenPrefix: string): string {
  return printable(withoutTokens(name, tokenPrefix), 64);
}

function parsePage(
  query: ReadonlyMap<string, string>,
  { operation, accepts }: ParseParts,
  rows: Pick<ListQuery, 'filters' | 'ranges' | 'search' | 'accountId' | 'order'>,
): ListQuery['page'] {
  const [limit, cursor] = [query.get('limit'), query.get('cursor')];
  if (limit === undefined && cursor === undefined) return null;
  const after = cursor === undefined ? null : decodeCursor(cursor, { ...rows, resource: operation.name });
  if (cursor !== undefined && !(after && accepts(after, rows.order)))
    refuseParameter(
      'cursor',
      'the next_cursor of a page of the same list, with the same filters, order and account',
    );
  return { limit: limit === undefined ? DEFAULT_LIMIT : parseLimit(limit), after };
}

function parseLimit(text: string): number {
  const limit = /^[1-9]\d{0,5}$/.test(text) ? Number(text) : 0;
  if (limit >= 1 && limit <= MOST_ROWS) return limit;
  return refuseParameter('limit', `a whole number from 1 to ${MOST_ROWS.toLocaleString('en')}`);
}

function parseFields(
  text: string | undefined,
  { operation, report, tokenPrefix }: ParseParts,
): readonly string[] | null {
  if (text === undefined) return null;
  const supported = Object.keys(report.itemSchema.properties);
  if (text === '') refuseParameter('fields', 'one or more field names of the list, separated by commas');
  const asked = new Set([...text.split(','), keyName(operation.fields)]);
  const unknown = [...asked].find((name) => !supported.includes(name));
  if (unknown !== undefined)
    throw new ApiError('query_invalid', {
      parameter: 'fields',
      field: shownName(unknown, tokenPrefix),
      supported,
    });
  return supported.filter((name) => asked.has(name));
}

// No database has a text with NUL, and PostgreSQL refuses to search for it.
const UNFINDABLE = /\0/;
const LONGEST = 1024;

/**
 * Parses the values of a filter, separated by commas, as an item with this schema contains them. Throws ApiError
 * `query_invalid` if a value is not valid for the field, or not one of its words if these are a closed set.
 */
function parseFilter(parameter: string, text: string, schema: JsonSchema): ReadonlySet<string> {
  const { expected, read } = valuesOf([schema.type].flat());
  const values = text.split(',').map(read);
  const found = new Set(values.filter((value) => value !== undefined));
  const allowed = Array.isArray(schema.enum) ? schema.enum.filter((word) => word !== null) : null;
  if (allowed && [...found].some((value) => !allowed.includes(value)))
    throw new ApiError('query_invalid', { parameter, allowed });
  if (values.length > MOST_VALUES || values.includes(undefined)) refuseParameter(parameter, expected);
  return found;
}

/** How clients write a field's values: a description, and the parser, which returns undefined for an invalid value. */
interface Values {
  readonly expected: string;
  readonly read: (text: string) => string | undefined;
}

const FLAGS: Values = {
  expected: 'true or false',
  read: (text) => (text === 'true' || text === 'false' ? text : undefined),
};

const TEXTS: Values = {
  expected: `1 to ${MOST_VALUES} values separated by commas, each of 1 to ${LONGEST.toLocaleString('en')} characters and without NUL`,
  read: (text) => (text === '' || text.length > LONGEST || UNFINDABLE.test(text) ? undefined : text),
};

const INTEGERS: Values = {
  expected: `1 to ${MOST_VALUES} whole numbers separated by commas`,
  read: (text) => (/^-?\d{1,40}$/.test(text) ? BigInt(text).toString() : undefined),
};

function valuesOf(types: readonly unknown[]): Values {
  if (types.includes('boolean')) return FLAGS;
  return types.includes('string') ? TEXTS : INTEGERS;
}
