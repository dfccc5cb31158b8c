import type { Field, Fields } from '../fields';
import { type Moment, presentMoment } from '../fields/Moment';
import { rawText } from '../fields/rawText';
import { type Integer, readInteger } from '../fields/readInteger';
import { unlessAborted } from '../time/unlessAborted';
import type { Column } from './Column';
import { CHANGED } from './changedField';
import { itemSchema } from './itemSchema';
import { KeyNotUnique } from './KeyNotUnique';
import { ListIds } from './ListIds';
import { OutOfOrder } from './OutOfOrder';
import { plainResult, takesLists } from './plainResult';
import type { PlannedField } from './plan/RowPlan';
import { rowReader } from './rowReader';
import type { Chunk, Key, Row, RowsQuery, Source, SourceReport } from './Source';
import type { ProviderQuery, ProviderSourceOptions } from './SourceOptions';

interface ProviderSourceParts {
  readonly resource: string;
  readonly fields: Fields;
  readonly options: ProviderSourceOptions;
  readonly ids: ListIds;
}

type Id = Integer | string;

/** A row that the panel gave, and its own id. */
interface Provided {
  readonly id: Id;
  readonly row: Row;
}

const CHUNK_ROWS = 500;

/** Reads a list from a function of the panel's: only the fields that it says it supplies. */
export class ProviderSource implements Source {
  readonly statements = 0;
  readonly #parts: ProviderSourceParts;
  readonly #planned: readonly PlannedField[];
  readonly #report: SourceReport;
  readonly #read: ReturnType<typeof rowReader>;
  readonly #key: string;
  readonly #integers: boolean;

  constructor(parts: ProviderSourceParts) {
    this.#parts = parts;
    const { fields, options } = parts;
    const [key = ''] = Object.keys(fields);
    this.#key = key;
    // A field of whole numbers says so in its schema; one of either kind takes the panel's word.
    this.#integers = fields[key]?.schema.type === 'integer' || options.ids === 'integer';
    this.#planned = this.#plan();
    const served = this.#planned.map(({ name }) => name);
    const column: Column = { name: key, type: this.#integers ? 'bigint' : 'text' };
    this.#report = {
      state: 'served',
      missing: [],
      warnings: [],
      itemSchema: itemSchema(fields, served, new Map([[key, column]])),
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

  async *chunks(query: RowsQuery): AsyncGenerator<Chunk, void, undefined> {
    const asked = this.#asked(query);
    // Ids of other parts alone are asked for.
    if (Object.values(asked.filters).some((wanted) => wanted?.length === 0)) return;
    const after = query.after ? this.#id(query.after[0]) : null;
    const moment = presentMoment();
    let chunk: Provided[] = [];
    let read = 0;
    for await (const provided of this.#provided(asked)) {
      read += 1;
      if (after === null || compare(provided.id, after) > 0) chunk.push(provided);
      // One of no rows lets others have their turn, too.
      if (read % CHUNK_ROWS > 0) continue;
      yield this.#chunkOf(chunk, moment, false);
      chunk = [];
    }
    yield this.#chunkOf(chunk, moment, true);
  }

  #chunkOf(provided: readonly Provided[], moment: Moment, last: boolean): Chunk {
    return {
      items: provided.map(({ row }) => this.#read(row, moment)),
      keyOf: (index) => [String(provided[index]?.id)],
      last,
    };
  }

  /** The rows in the order of their ids, however the panel gives them. */
  async *#provided(query: ProviderQuery): AsyncGenerator<Provided, void, undefined> {
    const { options, resource } = this.#parts;
    const giving = Promise.resolve(options.rows(query));
    const given = await unlessAborted(giving, query.signal).catch((error) => {
      // What comes after all may hold something open.
      giving.then(leaveUnread).catch(() => undefined);
      throw error;
    });
    const rows = Array.isArray(given)
      ? given.map((row) => this.#identified(row)).sort((one, other) => compare(one.id, other.id))
      : this.#iterated(given, query.signal);
    let before: Id | undefined;
    for await (const provided of rows) {
      const order = before === undefined ? -1 : compare(before, provided.id);
      if (order === 0) throw new KeyNotUnique(resource);
      if (order > 0) throw new OutOfOrder(resource);
      before = provided.id;
      yield provided;
    }
  }

  async *#iterated(rows: Iterable<Row> | AsyncIterable<Row>, signal: AbortSignal): AsyncGenerator<Provided> {
    const iterator = Symbol.asyncIterator in rows ? rows[Symbol.asyncIterator]() : rows[Symbol.iterator]();
    let ended = false;
    try {
      for (;;) {
        const next = await unlessAborted(Promise.resolve(iterator.next()), signal);
        ended = next.done === true;
        if (ended) return;
        yield this.#identified(next.value);
      }
    } finally {
      // One that hangs would keep us waiting for ever.
      if (!ended) Promise.resolve(iterator.return?.()).catch(() => undefined);
    }
  }

  #identified(row: Row): Provided {
    return { id: this.#id(plainResult(row?.[this.#key], false)), row };
  }

  #id(value: unknown): Id {
    return this.#idOrNull(value) ?? '';
  }

  #idOrNull(value: unknown): Id | null {
    return this.#integers ? readInteger(value) : rawText(plainResult(value, false)) || null;
  }

  #asked({ filters, updatedSince, accountId, after, limit, signal }: RowsQuery): ProviderQuery {
    const own = [...filters].map(([name, wanted]) => [
      name,
      [...ListIds.toPanel(wanted, this.#partOf(name))],
    ]);
    // The accounts themselves are their own.
    const owner = 'account_id' in this.#parts.fields ? 'account_id' : this.#key;
    const account = accountId === null ? [] : [...ListIds.toPanel(new Set([accountId]), this.#partOf(owner))];
    return {
      filters: Object.fromEntries(own),
      updatedSince: updatedSince === null ? null : new Date(updatedSince * 1000),
      accountId: account[0] ?? null,
      after: after ? this.#id(after[0]) : null,
      limit,
      signal,
    };
  }

  #plan(): readonly PlannedField[] {
    const { fields, options } = this.#parts;
    const supplied = new Set<string>(options.fields);
    return Object.entries(fields)
      .filter(
        ([name, { derivation }]) =>
          supplied.has(name) || (derivation?.from.every((input) => supplied.has(input)) ?? false),
      )
      .map(([name, field]) => {
        const read = name === this.#key ? (value: unknown) => this.#idOrNull(value) : field.reader();
        const part = this.#partOf(name);
        const given = supplied.has(name);
        const list = takesLists(field);
        const value = (row: Row) => ListIds.toList(read(plainResult(row[name], list)), part);
        return { name, field, read: given ? value : () => null };
      });
  }

  #partOf(name: string): number | null {
    const field: Field | undefined = this.#parts.fields[name];
    return field ? this.#parts.ids.partOf(name, field) : null;
  }
}

async function leaveUnread(rows: Iterable<Row> | AsyncIterable<Row>): Promise<void> {
  if (Symbol.asyncIterator in rows) await rows[Symbol.asyncIterator]().return?.();
  else rows[Symbol.iterator]().return?.();
}

function compare(one: Id, other: Id): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
