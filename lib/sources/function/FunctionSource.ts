import { ALWAYS } from '../../database/columns';
import { refuseParameter } from '../../errors/ApiError';
import { createReadContext, type Field, HAVE_RANGES, type Id, keyName, type ReadContext } from '../../fields';
import { hasSpellings } from '../../fields/domainNames';
import { rawText, readInteger } from '../../fields/raw';
import { HOUR_SECONDS } from '../../time/time';
import { LONG_CHUNK, lengthOf, ROWS_PER_TURN } from '../chunks';
import { isOneOf } from '../filters';
import type { FieldPlan } from '../mapping/FieldPlan';
import { FRACTION, plainResult, resultReader } from '../mapping/results';
import { rowReader } from '../rowReader';
import {
  type Chunk,
  type Key,
  type Row,
  type RowsQuery,
  type Source,
  type SourceReport,
  servedFields,
} from '../Source';
import type { FunctionQuery, FunctionSourceOptions, SourceParts } from '../SourceOptions';
import { compareIds, type IdentifiedRow, returnedRows } from './returnedRows';

interface FunctionSourceParts extends SourceParts<FunctionSourceOptions> {
  /** The field that contains a row's account. */
  readonly owner: string | undefined;
}

const CHUNK_ROWS = 500;

/** The most rows that a list of a function may have to be read backwards: they are kept in memory. */
const MOST_REVERSED = 100_000;

const TOO_MANY = `left out: a list of a function is read backwards only if it has at most ${MOST_REVERSED.toLocaleString('en')} rows`;

/** Reads a list from a function of the panel, and only the fields that it declares. */
export class FunctionSource implements Source {
  readonly statements = 0;
  readonly #parts: FunctionSourceParts;
  /** Whether ids are whole numbers. A field of them says so in its schema. The option decides for ids of either type. */
  readonly #hasIntegers: boolean;
  readonly #plans: readonly FieldPlan[];
  readonly #readRow: (row: Row, context: ReadContext) => Row;
  readonly #report: SourceReport;

  constructor(parts: FunctionSourceParts) {
    const { fields, options } = parts;
    this.#parts = parts;
    this.#hasIntegers = fields[keyName(fields)]?.schema.type === 'integer' || options.ids === 'integer';
    this.#plans = planFields(parts, this.#hasIntegers, (value) => this.#idOf(value));
    this.#readRow = rowReader(this.#plans);
    const served = servedFields(this.#plans);
    this.#report = { state: 'served', missing: [], warnings: [], ...served, orders: ['desc'] };
  }

  async report(): Promise<SourceReport> {
    return this.#report;
  }

  inspect(): Promise<SourceReport> {
    return this.report();
  }

  accepts(key: Key): boolean {
    return key.length === 1 && this.#idOf(key[0]) !== null;
  }

  async groups(): Promise<null> {
    return null;
  }

  /**
   * A function that applies `limit` may ignore the filters or `after`. So if it returns `limit` rows, there may be
   * more, and it is called again for all rows after these.
   */
  async *chunks(query: RowsQuery): AsyncGenerator<Chunk, void, undefined> {
    if (query.order) return yield* this.#backwards(query);
    const { rows, last } = yield* this.#forwards(query);
    if (query.limit === null || rows < query.limit) return;
    yield* this.#forwards({ ...query, after: last === null ? null : [String(last)], limit: null });
  }

  #idOf(value: unknown): Id | null {
    const plain = plainResult(value, 'id', () => undefined);
    if (!this.#hasIntegers) return rawText(plain) || null;
    return typeof plain === 'string' && FRACTION.test(plain) ? null : readInteger(plain);
  }

  /** The id after which a query continues. */
  #positionOf({ after }: RowsQuery): Id | null {
    return after ? (this.#idOf(after[0]) ?? '') : null;
  }

  #queryOf(query: RowsQuery): FunctionQuery {
    const { search, accountIds, limit, end } = query;
    const { fields, options, ids, owner } = this.#parts;
    const filters: Record<string, readonly string[]> = Object.fromEntries(
      [...query.filters].map(([name, values]) => [
        name,
        [...ids(name, fields[name] as Field).toPanel(values)],
      ]),
    );
    const timeOf = (seconds: number | bigint) => new Date(Number(seconds) * 1000);
    const ranges = [...query.ranges]
      .filter(([name]) => options.fields.includes(name))
      .map(([name, { from, to }]) => [
        name,
        fields[name]?.kind === 'time'
          ? { ...(from !== null && { since: timeOf(from) }), ...(to !== null && { before: timeOf(to) }) }
          : { ...(from !== null && { min: from }), ...(to !== null && { max: to }) },
      ]);
    return {
      filters,
      ranges: Object.fromEntries(ranges),
      // A function compares with one spelling of a name.
      search: search && !(search.domains.length > 0 && hasSpellings(search.text)) ? search.text : null,
      accountId: accountIds?.size !== 1 || owner === undefined ? null : (filters[owner]?.[0] ?? null),
      after: this.#positionOf(query),
      limit,
      signal: end.signal,
    };
  }

  /** Yields the rows that the function returned; null for each whose ids do not match the filters. */
  #returned(query: RowsQuery): AsyncIterable<IdentifiedRow | null> {
    const { resource, fields, options } = this.#parts;
    const asked = this.#queryOf(query);
    const tested = this.#plans.filter(({ name, field }) => field.kind === 'id' && query.filters.has(name));
    const matches = (row: Row) =>
      tested.every(({ name, read }) => isOneOf(read(row?.[name]), query.filters.get(name)));
    const key = keyName(fields);
    // Throws for an id that cannot be read.
    const readKey = resultReader(key, fields[key] as Field);
    const identified = (row: Row) =>
      matches(row) ? { id: this.#idOf(readKey(row?.[key])) ?? '', row } : null;
    // Such a filter contains only ids of other parts.
    const isOfOthers = Object.values(asked.filters).some((wanted) => wanted?.length === 0);
    return returnedRows(isOfOthers ? [] : options.rows(asked), identified, asked.signal, resource);
  }

  /** Yields the rows of one call. Returns how many rows the function returned, and the last id that was read. */
  async *#forwards(query: RowsQuery): AsyncGenerator<Chunk, { rows: number; last: Id | null }, undefined> {
    let last = this.#positionOf(query);
    let rows = 0;
    const context = createReadContext();
    let chunk: IdentifiedItem[] = [];
    let length = 0;
    for await (const one of this.#returned(query)) {
      rows += 1;
      if (one && (last === null || compareIds(one.id, last) > 0)) {
        last = one.id;
        const item = this.#readRow(one.row, context);
        chunk.push({ ...one, item });
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
  async *#backwards(query: RowsQuery): AsyncGenerator<Chunk, void, undefined> {
    const before = this.#positionOf(query);
    const rows: IdentifiedRow[] = [];
    let [read, matching] = [0, 0];
    for await (const one of this.#returned({ ...query, after: null, limit: null })) {
      read += 1;
      if (one) matching += 1;
      if (matching > MOST_REVERSED) refuseParameter('order', TOO_MANY);
      if (one && (before === null || compareIds(one.id, before) < 0)) rows.push(one);
      // Other requests have their turn.
      if (read % CHUNK_ROWS === 0) yield chunkOf([]);
    }
    const context = createReadContext();
    for (let end = rows.length; end > 0; end -= ROWS_PER_TURN) {
      const part = rows.slice(Math.max(0, end - ROWS_PER_TURN), end).reverse();
      yield chunkOf(part.map((one) => ({ ...one, item: this.#readRow(one.row, context) })));
    }
  }
}

function planFields(
  { resource, fields, options, ids, log }: FunctionSourceParts,
  hasIntegers: boolean,
  idOf: (value: unknown) => Id | null,
): readonly FieldPlan[] {
  const supplied = new Set<string>(options.fields);
  const { confirm } = options;
  const always = () => ALWAYS;
  const isServed = (name: string, { derivation }: Field) =>
    supplied.has(name) || derivation?.from.every((one) => supplied.has(one));
  return Object.entries(fields).flatMap(([name, field]): FieldPlan | [] => {
    if (!isServed(name, field)) return [];
    const { derivation } = field;
    // As in a table, a field that the module computes has no range, unless its inputs have.
    const isComputed = derivation && (!derivation.inputRange || supplied.has(name));
    const plan = {
      name,
      field,
      columns: [],
      pushDown: field.filterable && always,
      search: field.searchable && !derivation ? always : undefined,
      range: HAVE_RANGES.has(field.kind) && !isComputed ? always : undefined,
    };
    if (!supplied.has(name)) return { ...plan, cells: [], read: () => null };
    const say = (type: string) =>
      log.warnOnce('panel-api value not read', { list: resource, field: name, type }, HOUR_SECONDS * 1000);
    const isKey = name === keyName(fields);
    return {
      ...plan,
      ...(isKey && { column: { name, type: hasIntegers ? 'bigint' : 'text' } }),
      description: { confirm: Array.isArray(confirm) ? confirm.includes(name) : Object(confirm)[name] },
      cells: [name],
      cell: name,
      read: ids(name, field).reader(isKey ? idOf : resultReader(name, field, say)),
    };
  });
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
