import type { Column } from '../../database/columns';
import { refuseParameter } from '../../errors/ApiError';
import { createReadContext, type Field, HAVE_RANGES, type Id, keyName } from '../../fields';
import { hasSpellings } from '../../fields/domainNames';
import { rawText, readInteger } from '../../fields/raw';
import { HOUR_SECONDS } from '../../time/time';
import { LONG_CHUNK, lengthOf, ROWS_PER_TURN } from '../chunks';
import { isOneOf } from '../filters';
import type { FieldReading } from '../findings';
import { FRACTION, plainResult, resultReader } from '../mapping/results';
import { rowReader } from '../rowReader';
import { type Chunk, itemSchema, type Row, type RowsQuery, type Source, type SourceReport } from '../Source';
import type { FunctionQuery, FunctionSourceOptions, SourceParts } from '../SourceOptions';
import { compareIds, type IdentifiedRow, returnedRows } from './returnedRows';

interface FunctionSourceParts extends SourceParts<FunctionSourceOptions> {
  /** The field that contains a row's account. */
  readonly owner: string | undefined;
}

const CHUNK_ROWS = 500;

/** The most rows that a list of a function may have to be read backwards: they are held in memory. */
const MOST_REVERSED = 100_000;

const TOO_MANY = `left out: a list of a function is read backwards only if it has at most ${MOST_REVERSED.toLocaleString('en')} rows`;

/** Reads a list from a function of the panel, and only the fields that it declares. */
export function functionSource({ resource, fields, options, ids, owner, log }: FunctionSourceParts): Source {
  const supplied = new Set<string>(options.fields);
  const key = keyName(fields);
  // A field of whole numbers says so in its schema. The option decides for ids of either type.
  const integers = fields[key]?.schema.type === 'integer' || options.ids === 'integer';

  const idOf = (value: unknown): Id | null => {
    const plain = plainResult(value, 'id', () => undefined);
    if (!integers) return rawText(plain) || null;
    return typeof plain === 'string' && FRACTION.test(plain) ? null : readInteger(plain);
  };
  // Throws for an id that cannot be read.
  const readKey = resultReader(key, fields[key] as Field);

  const planned = Object.entries(fields)
    .filter(([name, field]) => supplied.has(name) || field.derivation?.from.every((one) => supplied.has(one)))
    .map(([name, field]) => {
      if (!supplied.has(name)) return { name, field, read: () => null };
      const say = (type: string) =>
        log.warnOnce('panel-api value not read', { list: resource, field: name, type }, HOUR_SECONDS * 1000);
      const read = name === key ? idOf : resultReader(name, field, say);
      const { reader, toPanel } = ids(name, field);
      return { name, field, cell: name, toPanel, read: reader(read) };
    });
  const readRow = rowReader(planned);

  // As in a table, a field that the module computes has no range, unless its inputs have.
  const hasRange = (name: string) => {
    const { kind, derivation } = fields[name] as Field;
    const isComputed = derivation && (!derivation.inputRange || supplied.has(name));
    return HAVE_RANGES.has(kind) && !isComputed;
  };
  const served = planned.map(({ name }) => name);
  const readings = options.fields.map((name): readonly [string, FieldReading] => {
    const description = { confirm: options.confirm?.includes(name) };
    return [name, { columns: [], cells: [name], description }];
  });
  const keyColumn: Column = { name: key, type: integers ? 'bigint' : 'text' };
  const report: SourceReport = {
    state: 'served',
    missing: [],
    warnings: [],
    itemSchema: itemSchema(fields, served, new Map([[key, { column: keyColumn }]])),
    readings: Object.fromEntries(readings),
    filters: served.filter((name) => fields[name]?.filterable),
    searchable: served.filter((name) => fields[name]?.searchable && !fields[name].derivation),
    ranges: served.filter(hasRange),
    orders: ['desc'],
  };

  /** The id after which a query continues. */
  const placeOf = ({ after }: RowsQuery): Id | null => (after ? (idOf(after[0]) ?? '') : null);

  const askedFor = (query: RowsQuery): FunctionQuery => {
    const { filters, ranges, search, accountIds, limit, end } = query;
    const own: Record<string, readonly string[]> = Object.fromEntries(
      [...filters].map(([name, wanted]) => {
        const field = planned.find((one) => one.name === name);
        return [name, [...(field?.toPanel?.(wanted) ?? wanted)]];
      }),
    );
    const timeOf = (seconds: number | bigint) => new Date(Number(seconds) * 1000);
    const bounds = [...ranges].map(([name, { from, to }]) => [
      name,
      fields[name]?.kind === 'time'
        ? { ...(from !== null && { since: timeOf(from) }), ...(to !== null && { before: timeOf(to) }) }
        : { ...(from !== null && { min: from }), ...(to !== null && { max: to }) },
    ]);
    return {
      filters: own,
      ranges: Object.fromEntries(bounds.filter(([name]) => supplied.has(String(name)))),
      // A function compares with one spelling of a name.
      search: search && !(search.domains.length > 0 && hasSpellings(search.text)) ? search.text : null,
      accountId: accountIds?.size !== 1 || owner === undefined ? null : (own[owner]?.[0] ?? null),
      after: placeOf(query),
      limit,
      signal: end.signal,
    };
  };

  /** Yields the rows that the function returned; null for each whose ids do not match the filters. */
  const returned = (query: RowsQuery): AsyncIterable<IdentifiedRow | null> => {
    const asked = askedFor(query);
    const tested = planned.filter(({ name, field }) => field.kind === 'id' && query.filters.has(name));
    const matches = (row: Row) =>
      tested.every(({ name, read }) => isOneOf(read(row?.[name]), query.filters.get(name)));
    const identified = (row: Row) => (matches(row) ? { id: idOf(readKey(row?.[key])) ?? '', row } : null);
    // Such a filter contains only ids of other parts.
    const isOfOthers = Object.values(asked.filters).some((wanted) => wanted?.length === 0);
    return returnedRows(isOfOthers ? [] : options.rows(asked), identified, asked.signal, resource);
  };

  /** Yields the rows of one call. Returns how many rows the function returned, and the last id that was read. */
  async function* forwards(
    query: RowsQuery,
  ): AsyncGenerator<Chunk, { rows: number; last: Id | null }, undefined> {
    let last = placeOf(query);
    let rows = 0;
    const context = createReadContext();
    let chunk: IdentifiedItem[] = [];
    let length = 0;
    for await (const own of returned(query)) {
      rows += 1;
      if (own && (last === null || compareIds(own.id, last) > 0)) {
        last = own.id;
        const item = readRow(own.row, context);
        chunk.push({ ...own, item });
        length += lengthOf(item);
      }
      // A chunk without rows gives other requests their turn too.
      if (rows % CHUNK_ROWS > 0 && length < LONG_CHUNK) continue;
      yield chunkOf(chunk);
      chunk = [];
      length = 0;
    }
    yield chunkOf(chunk);
    return { rows, last };
  }

  /** Yields the rows backwards. A function returns them in the order of their ids, so all of them are read first. */
  async function* backwards(query: RowsQuery): AsyncGenerator<Chunk, void, undefined> {
    const before = placeOf(query);
    const rows: IdentifiedRow[] = [];
    let [read, owned] = [0, 0];
    for await (const own of returned({ ...query, after: null, limit: null })) {
      read += 1;
      if (own) owned += 1;
      if (owned > MOST_REVERSED) refuseParameter('order', TOO_MANY);
      if (own && (before === null || compareIds(own.id, before) < 0)) rows.push(own);
      // Other requests have their turn.
      if (read % CHUNK_ROWS === 0) yield chunkOf([]);
    }
    const context = createReadContext();
    for (let end = rows.length; end > 0; end -= ROWS_PER_TURN) {
      const part = rows.slice(Math.max(0, end - ROWS_PER_TURN), end).reverse();
      yield chunkOf(part.map((own) => ({ ...own, item: readRow(own.row, context) })));
    }
  }

  return {
    statements: 0,
    inspect: async () => report,
    report: async () => report,
    accepts: (after) => after.length === 1 && (!integers || readInteger(after[0]) !== null),
    groups: async () => null,
    /**
     * A function that applies `limit` may ignore the filters or `after`. So if it returns `limit` rows, there may be
     * more, and it is called again for all rows after these.
     */
    async *chunks(query) {
      if (query.order) return yield* backwards(query);
      const { rows, last } = yield* forwards(query);
      if (query.limit === null || rows < query.limit) return;
      yield* forwards({ ...query, after: last === null ? null : [String(last)], limit: null });
    },
  };
}

interface IdentifiedItem extends IdentifiedRow {
  readonly item: Row;
}

function chunkOf(identified: readonly IdentifiedItem[]): Chunk {
  return {
    items: identified.map(({ item }) => item),
    raws: identified.map(({ row }) => row),
    keyOf: (index) => [String(identified[index]?.id)],
    last: false,
  };
}
