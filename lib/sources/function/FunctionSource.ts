import type { Column } from '../../database/columns';
import { type Field, type Fields, keyName } from '../../fields';
import { createReadContext } from '../../fields/Field';
import { rawText, readInteger } from '../../fields/raw';
import type { Id } from '../../fields/scalars';
import { LONG_CHUNK, lengthOf } from '../chunks';
import type { ListIds } from '../ids';
import { plainResult, resultReader } from '../mapping/computed';
import type { PlannedField } from '../mapping/FieldPlan';
import { rowReader } from '../rowReader';
import {
  CHANGED,
  type Chunk,
  itemSchema,
  type Key,
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
      updatedSince: served.includes(CHANGED),
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

  async count(): Promise<null> {
    return null;
  }

  /**
   * A function that applies `limit` may ignore the filters or `after`. So if it returns `limit` rows, there may be
   * more, and it is called again for all rows after these.
   */
  async *chunks(query: RowsQuery): AsyncGenerator<Chunk, void, undefined> {
    const { rows, last } = yield* this.#rows(query);
    if (query.limit === null || rows < query.limit) return;
    yield* this.#rows({ ...query, after: last === null ? null : [String(last)], limit: null });
  }

  /** Yields the rows of one call. Returns how many rows the function returned, and the last id. */
  async *#rows(query: RowsQuery): AsyncGenerator<Chunk, { rows: number; last: Id | null }, undefined> {
    let last = query.after ? (this.#id(query.after[0]) ?? '') : null;
    let rows = 0;
    const asked = this.#asked(query);
    // The filter contains only ids of other parts.
    if (Object.values(asked.filters).some((wanted) => wanted?.length === 0)) return { rows, last };
    const context = createReadContext();
    const isWanted = this.#ownTest(query.accountId);
    let chunk: IdentifiedItem[] = [];
    let length = 0;
    const { options, resource } = this.#parts;
    const given = options.rows(asked);
    const identified = (row: Row): IdentifiedRow => ({ id: this.#id(row?.[this.#key]) ?? '', row });
    for await (const returned of returnedRows(given, identified, query.end.signal, resource)) {
      rows += 1;
      if (last === null || compareIds(returned.id, last) > 0) {
        last = returned.id;
        if (isWanted(returned.row)) {
          const item = this.#read(returned.row, context);
          chunk.push({ id: returned.id, item });
          length += lengthOf(item);
        }
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

  // A fault in another account's row must not fail the request of a limited token.
  #ownTest(accountId: string | null): (row: Row) => boolean {
    const owner = this.#planned.find(({ name }) => name === this.#parts.owner);
    return accountId === null || !owner ? () => true : (row) => String(owner.read(row)) === accountId;
  }

  #id(value: unknown): Id | null {
    const plain = plainResult(value);
    return this.#integers ? readInteger(plain) : rawText(plain) || null;
  }

  #asked({ filters, updatedSince, accountId, after, limit, end }: RowsQuery): FunctionQuery {
    const { owner } = this.#parts;
    const toPanel = (name: string, wanted: ReadonlySet<string>) =>
      this.#planned.find((field) => field.name === name)?.toPanel(wanted) ?? wanted;
    const own: Record<string, readonly string[]> = Object.fromEntries(
      [...filters].map(([name, wanted]) => [name, [...toPanel(name, wanted)]]),
    );
    return {
      filters: own,
      updatedSince: updatedSince === null ? null : new Date(updatedSince * 1000),
      accountId: accountId === null || owner === undefined ? null : (own[owner]?.[0] ?? null),
      after: after ? (this.#id(after[0]) ?? '') : null,
      limit,
      signal: end.signal,
    };
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
        const value = (row: Row) => toList(read(row[name]));
        return { name, field, toPanel, read: supplied.has(name) ? value : () => null };
      });
  }
}

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
