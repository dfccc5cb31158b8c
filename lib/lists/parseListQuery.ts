import { ApiError, refuseParameter } from '../errors/ApiError';
import { printable } from '../errors/printable';
import { keyName } from '../fields';
import { spellingsOf } from '../fields/domainNames';
import type { Operation } from '../fields/Operation';
import { EVERY_ROW, type Key, type Order, type SourceReport, type WantedRows } from '../sources/Source';
import { withoutTokens } from '../tokens/tokenFormat';
import { decodeCursor } from './cursor';
import { type FiguresQuery, parseFigures, summable } from './figures';
import { type QueryValues, readFilter, splitValues } from './filterValues';
import type { ServedList } from './findList';
import { listedName, parseRanges, rangeParameters } from './ranges';
import { parseSearch } from './search';

/** The rows of a page without `limit`. */
export const DEFAULT_LIMIT = 100;

/** Maximum rows of a page. */
export const MOST_ROWS = 1000;

export interface ListQuery extends WantedRows {
  /** The page; null for the whole list. */
  readonly page: { readonly limit: number; readonly after: Key | null } | null;
  /** The fields to return; null for all. */
  readonly fields: readonly string[] | null;
  /** The figures to return instead of items; null for items. */
  readonly figures: FiguresQuery | null;
  /** Words of filters that neither the declaration nor the mapping names, by field: each with how an answer shows it. */
  readonly unlisted: ReadonlyMap<string, ReadonlyMap<string, string>>;
}

/** The query without parameters. */
export const WHOLE_LIST: ListQuery = { ...EVERY_ROW, page: null, figures: null, unlisted: new Map() };

interface ParseParts extends ServedList {
  readonly tokenPrefix: string;
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

/** Parses the parameters of an object. Throws ApiError `query_invalid` that names the first unknown or wrong one. */
export function parseObjectQuery(
  parameters: URLSearchParams,
  { parameters: declared = {} }: Pick<Operation, 'parameters'>,
  tokenPrefix: string,
): Readonly<Record<string, string>> {
  const supported = Object.keys(declared);
  for (const name of new Set(parameters.keys())) {
    const { words } = (supported.includes(name) && declared[name]) || {};
    if (!words) throw new ApiError('query_invalid', { parameter: shownName(name, tokenPrefix), supported });
    const [word = '', ...others] = parameters.getAll(name);
    if (others.length > 0) refuseParameter(name, 'set only once');
    if (!words.includes(word)) throw new ApiError('query_invalid', { parameter: name, allowed: words });
  }
  return Object.fromEntries(parameters);
}

/** Parses the parameters of a list. Throws ApiError `query_invalid` that names the first unknown or wrong one. */
export function parseListQuery(parameters: URLSearchParams, parts: ParseParts): ListQuery {
  if (parameters.size === 0) return WHOLE_LIST;
  const { operation, report } = parts;
  const query = readValues(parameters, parts);
  const filters = new Map<string, ReadonlySet<string>>();
  const unlisted = new Map<string, ReadonlyMap<string, string>>();
  for (const name of report.filters) {
    const values = query.get(name);
    if (values === undefined) continue;
    const { kind, form } = operation.fields[name] ?? {};
    const schema = report.itemSchema.properties[name] ?? {};
    const asked = readFilter(name, values, schema);
    filters.set(name, form?.isDomain ? new Set([...asked].flatMap(spellingsOf)) : asked);
    const words = kind === 'word' && Array.isArray(schema.examples) ? schema.examples : [...asked];
    const others = [...asked].filter((word) => !words.includes(word));
    if (others.length > 0)
      unlisted.set(name, new Map(others.map((word) => [word, shownName(word, parts.tokenPrefix)])));
  }
  const order = parseOrder(query.get('order')?.[0], report);
  const search = parseSearch(query.get('search')?.[0], operation.fields, report);
  const rows = { filters, ranges: parseRanges(query, report), search, order };
  const figures = parseFigures(query, operation, report);
  const fields = parseFields(query.get('fields'), parts);
  const page = parsePage(query, parts, rows);
  return { ...rows, figures, page, fields, unlisted: page?.after ? new Map() : unlisted };
}

function parseOrder(text: string | undefined, { orders }: SourceReport): Order | null {
  if (text === undefined) return null;
  const order = orders.find((one) => one === text);
  if (order === undefined) throw new ApiError('query_invalid', { parameter: 'order', allowed: orders });
  return order;
}

/** Parameters with which clients of other APIs ask for a page. */
const OTHER_PAGES = /^(?:page|offset|skip|per_?page|page_?size)$/i;
const PAGES_EXPECTED = 'replaced by limit and cursor: an answer names the cursor of the next page';

function readValues(
  parameters: URLSearchParams,
  { operation, report, tokenPrefix }: ParseParts,
): QueryValues {
  const supported = parameterNames(operation, report);
  const several = new Set(['fields', 'sum', ...report.filters]);
  const query = new Map<string, string[]>();
  for (const [written, text] of parameters) {
    // Some clients write a parameter of several values as status[]=a or status[0]=a.
    const base = written.replace(/\[\d*\]$/, '');
    const name = several.has(base) ? base : listedName(written);
    if (!supported.includes(name))
      throw new ApiError('query_invalid', {
        parameter: shownName(written, tokenPrefix),
        ...(OTHER_PAGES.test(name) && { expected: PAGES_EXPECTED }),
        supported,
      });
    const values = query.get(name) ?? [];
    const names = name === 'updated_since' ? ', by this name or as updated_at_since' : '';
    if (values.length > 0 && !several.has(name)) refuseParameter(name, `set only once${names}`);
    values.push(...(several.has(name) ? splitValues(name, text) : [text]));
    query.set(name, values);
  }
  return query;
}

/** Returns a name or a word from the client as an answer may repeat it. */
export function shownName(name: string, tokenPrefix: string): string {
  return printable(withoutTokens(name, tokenPrefix), 64);
}

function parsePage(
  query: QueryValues,
  { operation, source, rowsOfToken }: ParseParts,
  rows: WantedRows,
): ListQuery['page'] {
  const [limit, cursor] = ['limit', 'cursor'].map((name) => query.get(name)?.[0]);
  if (limit === undefined && cursor === undefined) return null;
  const position = {
    ...rows,
    resource: operation.name,
    accounts: rowsOfToken?.tokenAccounts.binding ?? null,
  };
  const after = cursor === undefined ? null : decodeCursor(cursor, position);
  if (cursor !== undefined && !(after && source.accepts(after, rows.order)))
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
  names: readonly string[] | undefined,
  { operation, report, tokenPrefix }: ParseParts,
): readonly string[] | null {
  if (names === undefined) return null;
  const supported = Object.keys(report.itemSchema.properties);
  if (names.join('') === '')
    refuseParameter('fields', 'one or more field names of the list, separated by commas');
  const asked = new Set([...names, keyName(operation.fields)]);
  const unknown = [...asked].find((name) => !supported.includes(name));
  if (unknown !== undefined)
    throw new ApiError('query_invalid', {
      parameter: 'fields',
      field: shownName(unknown, tokenPrefix),
      supported,
    });
  return supported.filter((name) => asked.has(name));
}
