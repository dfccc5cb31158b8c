import { Cancellation } from '../async/Cancellation';
import type { Database } from '../database/Database';
import type { Run } from '../database/Statement';
import { type Fields, keyName } from '../fields';
import { closedSchema, type JsonSchema } from '../json/json';
import type { Finding } from './findings';
import {
  type Chunk,
  type Conditions,
  type Depth,
  type Group,
  type GroupsQuery,
  type Key,
  type Order,
  type Row,
  type RowsQuery,
  readFirst,
  requireServed,
  type Source,
  type SourceReport,
} from './Source';

/** Several sources as one list, one after another. The key of a row begins with its part. */
export class ConcatSource implements Source {
  readonly statements: number;
  readonly parts: readonly Source[];
  readonly #fields: Fields;
  readonly #unique: Database | null;

  /** `unique` is the database to check that the parts have no id in common; null if they may. */
  constructor(fields: Fields, parts: readonly Source[], unique: Database | null) {
    const statements = parts.reduce((sum, part) => sum + part.statements, 0);
    // Parts are read one after another, so no single statement reads the whole list.
    this.statements = statements === 0 ? 0 : Math.max(2, statements);
    this.parts = parts;
    this.#fields = fields;
    this.#unique = unique;
  }

  async inspect(depth: Depth): Promise<SourceReport> {
    const report = joined(this.#fields, await Promise.all(this.parts.map((part) => part.inspect(depth))));
    const checks = depth === 'none' || report.state !== 'served' ? null : this.#unique;
    if (!checks) return report;
    // Unreadable rows are reported when they are read.
    const shared = await this.#sharedIds(checks).catch(() => []);
    return { ...report, warnings: [...report.warnings, ...shared] };
  }

  async report(run?: Run): Promise<SourceReport> {
    return joined(this.#fields, await this.#reports(run));
  }

  accepts([part = '', ...key]: Key, order: Order | null): boolean {
    return /^\d$/.test(part) && (this.parts[Number(part)]?.accepts(key, order) ?? false);
  }

  async groups(query: GroupsQuery, run: Run): Promise<readonly Group[] | null> {
    const all: Group[] = [];
    for (const { part, supplied } of (await this.#served(query, run)).serving) {
      const supply = (names: readonly string[]) => names.filter(supplied);
      const [fields, sums, latest] = [supply(query.fields), supply(query.sums), supply(query.latest)];
      const groups = await part.groups({ ...query, fields, sums, latest }, run);
      if (!groups) return null;
      all.push(...groups);
    }
    return all;
  }

  async *chunks(query: RowsQuery, run: Run): AsyncGenerator<Chunk, void, undefined> {
    const { report, serving } = await this.#served(query, run);
    // Fields that only other parts supply are added to a part's items, in the declared order.
    const blank = Object.keys(report.itemSchema.properties).map(
      (name) => [name, Array.isArray(this.#fields[name]?.fallback) ? [] : null] as const,
    );
    const [first, ...key] = query.after ?? [];
    const from = first === undefined ? null : Number(first);
    for (const { part, index, supplied } of query.order ? serving.toReversed() : serving) {
      if (from !== null && (query.order ? index > from : index < from)) continue;
      const isWhole = blank.every(([name]) => supplied(name));
      const whole = (item: Row) =>
        Object.fromEntries(blank.map(([name, none]) => [name, item[name] ?? none]));
      for await (const chunk of part.chunks({ ...query, after: index === from ? key : null }, run))
        yield {
          items: isWhole ? chunk.items : chunk.items.map(whole),
          keyOf: (item) => [String(index), ...chunk.keyOf(item)],
          last: false,
        };
    }
  }

  /** Returns the report of the list, and the parts that can have a row of the query. */
  async #served(query: Conditions, run: Run) {
    const reports = await this.#reports(run);
    const report = joined(this.#fields, reports);
    requireServed(report);
    const asked = [...query.filters.keys(), ...query.ranges.keys()];
    const serving = this.parts
      .map((part, index) => ({ part, index, supplied: suppliedBy(reports[index]) }))
      .filter(({ supplied }) => asked.every(supplied) && (query.search?.fields.some(supplied) ?? true));
    return { report, serving };
  }

  // One after another, because a caller with its own `run` has one slot at the database.
  async #reports(run?: Run): Promise<readonly SourceReport[]> {
    const reports: SourceReport[] = [];
    for (const part of this.parts) reports.push(await part.report(run));
    return reports;
  }

  /** Warns of each part with an id among the first rows of another part. */
  async #sharedIds(checks: Database): Promise<readonly Finding[]> {
    const key = keyName(this.#fields);
    const end = Cancellation.after(checks.deadlineMs);
    const pairs = new Set<string>();
    for (const [index, part] of this.parts.entries()) {
      const { rows } = await readFirst(part, 500, checks, new Map(), end);
      const filters = new Map([[key, new Set(rows.map((row) => String(row[key])))]]);
      for (const [other, another] of this.parts.entries()) {
        if (other === index || rows.length === 0) continue;
        const shared = await readFirst(another, 1, checks, filters, end);
        if (shared.rows.length > 0) pairs.add(`${Math.min(index, other)} and ${Math.max(index, other)}`);
      }
    }
    return [...pairs].map((pair) => ({
      code: 'shared_ids',
      field: key,
      sentence: `Parts ${pair} contain rows with the same id: remove \`uniqueIds\` from all parts.`,
    }));
  }
}

function joined(fields: Fields, reports: readonly SourceReport[]): SourceReport {
  const worst =
    reports.find(({ state }) => state === 'failed') ?? reports.find(({ state }) => state !== 'served');
  const names = Object.keys(fields).filter((name) =>
    reports.some(({ itemSchema }) => name in itemSchema.properties),
  );
  // A part without the field has no row with a value of it.
  const answered = (ability: 'filters' | 'searchable' | 'ranges') =>
    names.filter((name) =>
      reports.every((report) => report[ability].includes(name) || !suppliedBy(report)(name)),
    );
  return {
    state: worst?.state ?? 'served',
    missing: reports.flatMap(({ missing }, index) => missing.map((sentence) => inPart(index, sentence))),
    failure: worst?.failure,
    warnings: reports.flatMap(({ warnings }, index) =>
      warnings.map((finding) => ({ ...finding, sentence: inPart(index, finding.sentence) })),
    ),
    itemSchema: closedSchema(Object.fromEntries(names.map((name) => [name, joinedSchema(reports, name)]))),
    filters: answered('filters'),
    searchable: answered('searchable'),
    ranges: answered('ranges'),
    // One part follows another, so that only their keys have an order.
    orders: ['desc'],
  };
}

/** The sentence about a part of a list. */
export function inPart(index: number, sentence: string): string {
  return `Part ${index}: ${sentence}`;
}

function suppliedBy(report: SourceReport | undefined): (name: string) => boolean {
  return (name) => report !== undefined && name in report.itemSchema.properties;
}

/**
 * Returns the schema of a field that some parts supply. They may differ in the type of an id and in the words. The
 * words are a closed set only if they are in every part.
 */
function joinedSchema(reports: readonly SourceReport[], name: string): JsonSchema {
  const schemas = reports.flatMap<JsonSchema>(({ itemSchema }) => itemSchema.properties[name] ?? []);
  const types = new Set(schemas.flatMap((schema) => schema.type ?? []));
  const words = schemas.map((schema) => schema.enum);
  const examples = new Set<unknown>(schemas.flatMap((one) => one.enum ?? one.examples ?? []));
  const { enum: _words, format, ...schema }: JsonSchema = schemas[0] ?? {};
  return {
    ...schema,
    ...(format !== undefined && schemas.every((one) => one.format === format) ? { format } : {}),
    ...(types.size > 1 ? { type: [...types] } : {}),
    ...(examples.size > 0 && { [words.every(Array.isArray) ? 'enum' : 'examples']: [...examples] }),
  };
}
