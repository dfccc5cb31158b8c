import type { Column } from '../../database/columns';
import { ApiError } from '../../errors/ApiError';
import { type Field, type Fields, keyName } from '../../fields';
import { createReadContext, HAVE_RANGES } from '../../fields/Field';
import { rawText, readInteger } from '../../fields/raw';
import type { Id } from '../../fields/scalars';
import { LONG_CHUNK, lengthOf, ROWS_PER_TURN } from '../chunks';
import type { ListIds } from '../ids';
import type { PlannedField } from '../mapping/FieldPlan';
import { idResult, resultReader } from '../mapping/results';
import { rowReader } from '../rowReader';
import {
  type Chunk,
  itemSchema,
  type Key,
  type Ranges,
  type Row,
  type RowsQuery,
  type Source,
  type SourceReport,
} from '../Source';
import type { FunctionQuery, FunctionSourceOptions } from '../SourceOptions';
import { compareIds, type IdentifiedRow, returnedRows } from './returnedRows';

interface FunctionSourceParts {
  readonly resource: string;
  readonly fields: Fields;
  readonly options: FunctionSourceOptions;
  readonly ids: ListIds;
  /** The field that contains a row's account. */
  readonly owner: string | undefined;
}

/** A field, and the mapping of filtered ids to those in the panel's rows. */
interface SuppliedField extends PlannedField, Pick<ReturnType<ListIds>, 'toPanel'> {}

const CHUNK_ROWS = 500;

/** The most rows that a list of a function may have to be read backwards: they are held in memory. */
const MOST_REVERSED = 100_000;

/** Reads a list from a function of the panel, and only the fields that it declares. */
export class FunctionSource implements Source {
  readonly statements = 0;
  readonly #parts: FunctionSourceParts;
  readonly #planned: readonly SuppliedField[];
  readonly #report: SourceReport;
  readonly #read: ReturnType<typeof rowReader>;
  readonly #key: string;
  readonly #integers: boolean;

  constructor(parts: FunctionSourceParts) {
    this.#parts = parts;
    const { fields, options } = parts;
    const key = keyName(fields);
    this.#key = key;
    // A field of whole numbers says so in its schema. The option decides for ids of either type.
    this.#integers = fields[key]?.schema.type === 'integer' || options.ids === 'integer';
    this.#planned = this.#plan();
    const served = this.#planned.map(({ name }) => name);
    const column: Column = { name: key, type: this.#integers ? 'bigint' : 'text' };
    this.#report = {
      state: 'served',
      missing: [],
      warnings: [],
      itemSchema: itemSchema(fields, served, new Map([[key, { column }]])),
      filters: served.filter((name) => fields[name]?.filterable),
      searchable: served.filter((name) => fields[name]?.searchable && !fields[name].derivation),
      ranges: served.filter((name) => this.#hasRange(name)),
      orders: ['desc'],
    };
    this.#read = rowReader(this.#planned);
  }

  async inspect(): Promise<SourceReport> {
    return this.#report;
  }

  async report(): Promise<SourceReport> {
    return this.#report;
  }

  accepts(key: Key): boolean {
    return key.length === 1 && (!this.#integers || readInteger(key[0]) !== null);
  }

  async groups(): Promise<null> {
    return null;
  }

  /**
   * A function that applies `limit` may ignore the filters or `after`. So if it returns `limit` rows, there may be
   * more, and it is called again for all rows after these.
   */
  async *chunks(query: RowsQuery): AsyncGenerator<Chunk, void, undefined> {
    if (query.order) {
      yield* this.#reversed(query);
      return;
    }
    const { rows, last } = yield* this.#rows(query);
    if (query.limit === null || rows < query.limit) return;
    yield* this.#rows({ ...query, after: last === null ? null : [String(last)], limit: null });
  }

  /** Yields the rows of one call. Returns how many rows the function returned, and the last id that was read. */
  async *#rows(query: RowsQuery): AsyncGenerator<Chunk, { rows: number; last: Id | null }, undefined> {
    let last = this.#place(query);
    let rows = 0;
    const context = createReadContext();
    let chunk: IdentifiedItem[] = [];
    let length = 0;
    for await (const own of this.#returned(query)) {
      rows += 1;
      if (own && (last === null || compareIds(own.id, last) > 0)) {
        last = own.id;
        const item = this.#read(own.row, context);
        chunk.push({ id: own.id, item });
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
  async *#reversed(query: RowsQuery): AsyncGenerator<Chunk, void, undefined> {
    const before = this.#place(query);
    const rows: IdentifiedRow[] = [];
    let [read, owned] = [0, 0];
    for await (const own of this.#returned({ ...query, after: null, limit: null })) {
      read += 1;
      if (own) owned += 1;
      if (owned > MOST_REVERSED) throw new ApiError('query_invalid', TOO_MANY);
      if (own && (before === null || compareIds(own.id, before) < 0)) rows.push(own);
      // Other requests have their turn.
      if (read % CHUNK_ROWS === 0) yield chunkOf([]);
    }
    const context = createReadContext();
    for (let end = rows.length; end > 0; end -= ROWS_PER_TURN) {
      const part = rows.slice(Math.max(0, end - ROWS_PER_TURN), end).reverse();
      yield chunkOf(part.map(({ id, row }) => ({ id, item: this.#read(row, context) })));
    }
  }

  /** The id after which a query continues. */
  #place({ after }: RowsQuery): Id | null {
    return after ? (this.#id(after[0]) ?? '') : null;
  }

  /** Yields the rows that the function returned; null for each of another account than that of a limited token. */
  #returned(query: RowsQuery): AsyncIterable<IdentifiedRow | null> {
    const { owner: ownerName, options, resource } = this.#parts;
    const { accountId } = query;
    const asked = this.#asked(query);
    const owner = this.#planned.find(({ name }) => name === ownerName);
    const isOwn = (row: Row) =>
      accountId === null || !owner || String(owner.read(row[owner.name])) === accountId;
    const identified = (row: Row) => (isOwn(row) ? { id: this.#id(row?.[this.#key]) ?? '', row } : null);
    // Such a filter contains only ids of other parts.
    const isOfOthers = Object.values(asked.filters).some((wanted) => wanted?.length === 0);
    return returnedRows(isOfOthers ? [] : options.rows(asked), identified, asked.signal, resource);
  }

  #id(value: unknown): Id | null {
    const plain = idResult(value);
    return this.#integers ? readInteger(plain) : rawText(plain) || null;
  }

  #asked(query: RowsQuery): FunctionQuery {
    const { filters, ranges, search, accountId, limit, end } = query;
    const { owner } = this.#parts;
    const toPanel = (name: string, wanted: ReadonlySet<string>) =>
      this.#planned.find((field) => field.name === name)?.toPanel(wanted) ?? wanted;
    const own: Record<string, readonly string[]> = Object.fromEntries(
      [...filters].map(([name, wanted]) => [name, [...toPanel(name, wanted)]]),
    );
    return {
      filters: own,
      ranges: this.#askedRanges(ranges),
      search: search?.text ?? null,
      accountId: accountId === null || owner === undefined ? null : (own[owner]?.[0] ?? null),
      after: this.#place(query),
      limit,
      signal: end.signal,
    };
  }

  #askedRanges(ranges: Ranges): FunctionQuery['ranges'] {
    const { fields, options } = this.#parts;
    const supplied = [...ranges].filter(([name]) => options.fields.includes(name));
    const asked = supplied.map(([name, { from, to }]) => {
      const timeOf = (seconds: number | bigint) => new Date(Number(seconds) * 1000);
      const range =
        fields[name]?.kind === 'time'
          ? { ...(from !== null && { since: timeOf(from) }), ...(to !== null && { before: timeOf(to) }) }
          : { ...(from !== null && { min: from }), ...(to !== null && { max: to }) };
      return [name, range] as const;
    });
    return Object.fromEntries(asked);
  }

  // As in a table, a field that the module computes has none, unless its inputs have.
  #hasRange(name: string): boolean {
    const { fields, options } = this.#parts;
    const { kind, derivation } = fields[name] as Field;
    const isComputed = derivation && (!derivation.inputRange || options.fields.includes(name));
    return HAVE_RANGES.has(kind) && !isComputed;
  }

  #plan(): readonly SuppliedField[] {
    const { fields, options, ids } = this.#parts;
    const supplied = new Set<string>(options.fields);
    const isRead = ([name, { derivation }]: [string, Field]) =>
      supplied.has(name) || derivation?.from.every((input) => supplied.has(input));
    return Object.entries(fields)
      .filter(isRead)
      .map(([name, field]) => {
        const read = name === this.#key ? (value: unknown) => this.#id(value) : resultReader(field);
        const { toList, toPanel } = ids(name, field);
        const value = (given: unknown) => toList(read(given));
        return { name, field, cell: name, toPanel, read: supplied.has(name) ? value : () => null };
      });
  }
}

const TOO_MANY = {
  parameter: 'order',
  expected: `left out: a list of a function is read backwards only if it has at most ${MOST_REVERSED.toLocaleString('en')} rows`,
};

interface IdentifiedItem {
  readonly id: Id;
  readonly item: Row;
}

function chunkOf(identified: readonly IdentifiedItem[]): Chunk {
  return {
    items: identified.map(({ item }) => item),
    keyOf: (index) => [String(identified[index]?.id)],
    last: false,
  };
}
