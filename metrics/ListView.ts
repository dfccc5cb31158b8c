import type { Cancellation } from '../lib/async/Cancellation';
import type { Run } from '../lib/database/Statement';
import { MOST_READ } from '../lib/lists/figures';
import type { FoundList } from '../lib/lists/findList';
import { ListReader } from '../lib/lists/ListReader';
import type { Tally } from '../lib/lists/RowsReader';
import type { ListOperation } from '../lib/operations/Operation';
import { EVERY_ROW, type Filters, type Ranges } from '../lib/sources/Source';

interface ListViewParts {
  readonly endpoint: ListOperation;
  readonly list: FoundList;
  readonly end: Cancellation;
  readonly run: Run;
}

/** Which rows are counted, and by what. */
interface Asked {
  /** The fields by whose values the rows are told apart, as far as the list has them. */
  readonly fields: readonly string[];
  /** The field of which the latest time is wanted, if the list has it. */
  readonly time?: string;
  readonly filters?: Filters;
  readonly ranges?: Ranges;
}

/** Too many rows are different, so that the database cannot count them in one statement. */
export class TooManyRows extends Error {
  override readonly name = 'TooManyRows';
}

/** The most rows of a table that are read one by one. */
const MOST_OF_TABLE = 10_000;

/** A list as a token may read it, for the metrics: it is counted, and nearly never read. */
export class ListView {
  readonly endpoint: ListOperation;
  readonly #parts: ListViewParts;

  constructor(parts: ListViewParts) {
    this.endpoint = parts.endpoint;
    this.#parts = parts;
  }

  /** Whether the list has the field in this panel. */
  has(field: string): boolean {
    return field in this.#parts.list.report.itemSchema.properties;
  }

  /** The words that the field can have, as far as they are known. */
  words(field: string): readonly string[] {
    const schema = this.#parts.list.report.itemSchema.properties[field];
    if (!schema) return [];
    const words = (schema.enum ?? this.endpoint.fields[field]?.words ?? []) as readonly unknown[];
    return words.filter((word) => typeof word === 'string' && word !== 'unknown') as readonly string[];
  }

  /** Counts the rows. Throws TooManyRows. */
  async tally({
    fields,
    time,
    filters = EVERY_ROW.filters,
    ranges = EVERY_ROW.ranges,
  }: Asked): Promise<readonly Tally[]> {
    const { endpoint, list, end, run } = this.#parts;
    const { source, own } = list;
    const served = fields.filter((name) => this.has(name));
    const latest = time !== undefined && this.has(time) ? time : null;
    const tested = [...filters.keys(), ...(own ? [own.field] : []), ...ranges.keys()];
    const query = {
      ...EVERY_ROW,
      filters,
      ranges,
      fields: [...served, ...(latest === null ? [] : [latest]), ...tested],
      page: null,
      figures: null,
    };
    const reader = new ListReader({ resource: endpoint.name, source, query, own, end });
    const most = source.statements === 0 ? MOST_READ : MOST_OF_TABLE;
    const rows = await reader.read(run, (all) => all.tally({ fields: served, latest }, most));
    if (!rows) throw new TooManyRows();
    return rows;
  }
}
