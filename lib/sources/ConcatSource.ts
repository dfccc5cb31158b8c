import type { Run } from '../database/Statement';
import { type Fields, keyName } from '../fields';
import type { JsonSchema } from '../json/json';
import {
  type Chunk,
  type Depth,
  EVERY_ROW,
  type Group,
  type GroupsQuery,
  type Key,
  type Looks,
  type Order,
  type Row,
  type RowsQuery,
  requireServed,
  type Source,
  type SourceReport,
} from './Source';

/** Several sources as one list, one after another. The key of a row begins with its part. */
export class ConcatSource implements Source {
  readonly statements: number;
  readonly parts: readonly Source[];
  readonly #fields: Fields;
  readonly #uniqueLooks: Looks | null;

  /** `uniqueLooks` checks that the parts have no id in common; null if they may. */
  constructor(fields: Fields, parts: readonly Source[], uniqueLooks: Looks | null) {
    this.#uniqueLooks = uniqueLooks;
    this.#fields = fields;
    this.parts = parts;
    const statements = parts.reduce((sum, part) => sum + part.statements, 0);
    // Parts are read one after another, so no single statement reads the whole list.
    this.statements = statements === 0 ? 0 : Math.max(2, statements);
  }

  async inspect(depth: Depth): Promise<SourceReport> {
    const report = this.#joined(await Promise.all(this.parts.map((part) => part.inspect(depth))));
    const looks = depth === 'none' || report.state !== 'served' ? null : this.#uniqueLooks;
    if (!looks) return report;
    // Unreadable rows are reported when they are read.
    const shared = await this.#sharedIds(depth === 'all' ? 500 : 20, looks).catch(() => []);
    return { ...report, warnings: [...report.warnings, ...shared] };
  }

  /** Warns of each part with an id among the first rows of another part. */
  async #sharedIds(rows: number, { run, end: newEnd }: Looks): Promise<readonly string[]> {
    const key = keyName(this.#fields);
    const end = newEnd();
    const firsts: ReadonlySet<string>[] = [];
    for (const part of this.parts) firsts.push(await firstIds(part, key, rows, { run, end }));
    const pairs = new Set<string>();
    for (const [index, part] of this.parts.entries()) {
      const among = new Set(firsts.flatMap((ids, other) => (other === index ? [] : [...ids])));
      const [id] = await firstIds(part, key, 1, { run, end, among });
      if (id === undefined) continue;
      const other = firsts.findIndex((ids, position) => position !== index && ids.has(id));
      pairs.add(`${Math.min(index, other)} and ${Math.max(index, other)}`);
    }
    return [...pairs].map(
      (pair) => `Parts ${pair} contain rows with the same id: remove \`uniqueIds\` from all parts.`,
    );
  }

  async report(run?: Run): Promise<SourceReport> {
    return this.#joined(await this.#reports(run));
  }

  // One after another, because a caller with its own `run` has one slot at the database.
  async #reports(run?: Run): Promise<readonly SourceReport[]> {
    const reports: SourceReport[] = [];
    for (const part of this.parts) reports.push(await part.report(run));
    return reports;
  }

  async #servedReports(run: Run): Promise<readonly SourceReport[]> {
    const reports = await this.#reports(run);
    requireServed(this.#joined(reports));
    return reports;
  }

  accepts([part = '', ...key]: Key, order: Order | null): boolean {
    return /^\d$/.test(part) && (this.parts[Number(part)]?.accepts(key, order) ?? false);
  }

  async groups(query: GroupsQuery, run: Run): Promise<readonly Group[] | null> {
    const all: Group[] = [];
    for (const [index, report] of (await this.#servedReports(run)).entries()) {
      if (!canHold(report, query)) continue;
      const supplied = (name: string) => name in report.itemSchema.properties;
      const own = { ...query, fields: query.fields.filter(supplied), sums: query.sums.filter(supplied) };
      const groups = await this.parts[index]?.groups(own, run);
      if (!groups) return null;
      all.push(...groups);
    }
    return all;
  }

  async *chunks(query: RowsQuery, run: Run): AsyncGenerator<Chunk, void, undefined> {
    const reports = await this.#servedReports(run);
    const names = Object.keys(this.#joined(reports).itemSchema.properties);
    const inOrder = [...this.parts.entries()];
    if (query.order) inOrder.reverse();
    const [first, ...key] = query.after ?? [];
    const rest =
      first === undefined ? inOrder : inOrder.slice(inOrder.findIndex(([index]) => index === Number(first)));
    for (const [index, part] of rest) {
      const report = reports[index];
      if (!report || !canHold(report, query)) continue;
      const after = index === Number(first) ? key : null;
      for await (const chunk of part.chunks({ ...query, after }, run)) {
        yield {
          items: this.#filled(chunk.items, names),
          keyOf: (item) => [String(index), ...chunk.keyOf(item)],
          last: false,
        };
      }
    }
  }

  /** Adds the fields that only other parts supply to a part's items, in the declared order. */
  #filled(items: readonly Row[], names: readonly string[]): readonly Row[] {
    const [first = {}] = items;
    if (names.every((name) => name in first)) return items;
    const blank = names.map(
      (name) => [name, Array.isArray(this.#fields[name]?.fallback) ? [] : null] as const,
    );
    return items.map((item) => Object.fromEntries(blank.map(([name, none]) => [name, item[name] ?? none])));
  }

  #joined(reports: readonly SourceReport[]): SourceReport {
    const sentences = (name: 'missing' | 'warnings') =>
      reports.flatMap((report, index) => report[name].map((sentence) => `Part ${index}: ${sentence}`));
    const missing = sentences('missing');
    const worst =
      reports.find(({ state }) => state === 'failed') ?? reports.find(({ state }) => state !== 'served');
    const names = Object.keys(this.#fields).filter((name) =>
      reports.some(({ itemSchema }) => name in itemSchema.properties),
    );
    const properties = names.map((name) => [name, joinedSchema(reports, name)] as const);
    return {
      state: worst?.state ?? 'served',
      missing,
      failure: worst?.failure,
      warnings: sentences('warnings'),
      itemSchema: {
        type: 'object',
        properties: Object.fromEntries(properties),
        required: names,
        additionalProperties: false,
      },
      filters: names.filter((name) => reports.every((report) => canAnswer(report, report.filters, name))),
      searchable: names.filter((name) =>
        reports.every((report) => canAnswer(report, report.searchable, name)),
      ),
      ranges: names.filter((name) => reports.every((report) => canAnswer(report, report.ranges, name))),
      // One part follows another, so that only their keys have an order.
      orders: ['desc'],
    };
  }
}

/** Returns the ids of a part's first rows; with `among`, of the first rows with one of these ids. */
async function firstIds(
  part: Source,
  key: string,
  rows: number,
  { run, end, among }: { readonly run: Run; readonly among?: ReadonlySet<string> } & Pick<RowsQuery, 'end'>,
): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  const filters = new Map(among ? [[key, among]] : []);
  for await (const { items } of part.chunks({ ...EVERY_ROW, filters, limit: rows, end }, run)) {
    end.signal.throwIfAborted();
    for (const item of items) {
      const id = String(item[key]);
      if (!among || among.has(id)) found.add(id);
    }
    if (found.size >= rows) break;
  }
  return found;
}

/** Whether a part has the field among those, or no row with a value of it. */
function canAnswer({ itemSchema }: SourceReport, fields: readonly string[], name: string): boolean {
  return fields.includes(name) || !(name in itemSchema.properties);
}

function canHold(
  { itemSchema }: SourceReport,
  { filters, ranges, search }: GroupsQuery | RowsQuery,
): boolean {
  const has = (name: string) => name in itemSchema.properties;
  return [...filters.keys(), ...ranges.keys()].every(has) && (search === null || search.fields.some(has));
}

/**
 * Returns the schema of a field that some parts supply. They may differ in the type of an id and in the words. The
 * words are a closed set only if they are in every part.
 */
function joinedSchema(reports: readonly SourceReport[], name: string): JsonSchema {
  const schemas = reports.flatMap<JsonSchema>(({ itemSchema }) => itemSchema.properties[name] ?? []);
  const types = new Set(schemas.flatMap((schema: JsonSchema) => schema.type ?? []));
  const words = schemas.map((schema: JsonSchema) => schema.enum);
  const { enum: _words, format, ...schema }: JsonSchema = schemas[0] ?? {};
  const isShared = format !== undefined && schemas.every((one: JsonSchema) => one.format === format);
  return {
    ...schema,
    ...(isShared ? { format } : {}),
    ...(types.size > 1 ? { type: [...types] } : {}),
    ...(words.every(Array.isArray) ? { enum: [...new Set(words.flat())] } : {}),
  };
}
