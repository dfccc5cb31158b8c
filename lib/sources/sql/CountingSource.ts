import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Run } from '../../database/Statement';
import { ACCOUNT } from '../../fields/Operation';
import { MOST_AT_ONCE } from '../chunks';
import { type Filters, filterTest } from '../filters';
import type { CountSource, FieldSources } from '../mapping/kinds';
import {
  type Chunk,
  type Depth,
  EVERY_ROW,
  type Row,
  type RowsQuery,
  type Source,
  type SourceReport,
} from '../Source';
import { isPlainObject } from '../validators';
import { SqlSource, type SqlSourceParts } from './SqlSource';

/** The rows of a list that a field counts for each account. */
interface Count {
  readonly field: string;
  readonly list: string;
  readonly where: Filters;
}

/** Returns the fields that count the rows of other lists. */
export function countsOf(fields: FieldSources = {}): readonly Count[] {
  return Object.entries(fields).flatMap(([field, described]): Count[] => {
    if (!isPlainObject(described) || !('count' in described)) return [];
    const { count, where = {} } = described as object as CountSource;
    const filters = Object.entries(where).map(
      ([name, values]) => [name, new Set([values].flat().map(String))] as const,
    );
    return [{ field, list: count, where: new Map(filters) }];
  });
}

/** Counts the rows that each of these accounts has in a list, in one statement if SQL can. */
export async function countByAccount(
  list: Source,
  where: Filters,
  accounts: ReadonlySet<string>,
  { accountIds, end }: Pick<RowsQuery, 'accountIds' | 'end'>,
  run: Run,
): Promise<ReadonlyMap<string, number>> {
  const filters = new Map(where).set(ACCOUNT, accounts);
  const sums = new Map<string, number>();
  const matches = filterTest(filters);
  const add = (item: Row, rows: number) => {
    const account = String(item[ACCOUNT]);
    if (matches(item)) sums.set(account, (sums.get(account) ?? 0) + rows);
  };
  const asked = { ...EVERY_ROW, filters, accountIds, end };
  const groups = await list.groups({ ...asked, fields: [...filters.keys()], sums: [], latest: [] }, run);
  for (const { item, rows } of groups ?? []) add(item, rows);
  if (groups) return sums;
  for await (const { items } of list.chunks(asked, run)) {
    for (const item of items) add(item, 1);
    await nextTurn();
    end.signal.throwIfAborted();
  }
  return sums;
}

/** A source of accounts with fields that count the rows of other lists. */
export class CountingSource extends SqlSource {
  override readonly statements: number;
  readonly #counts: readonly Count[];
  readonly #sources: ReadonlyMap<string, Source>;
  readonly #checks: Run;

  constructor(parts: SqlSourceParts, counts: readonly Count[], sources: ReadonlyMap<string, Source>) {
    super(parts);
    this.statements = 1 + counts.length;
    this.#counts = counts;
    this.#sources = sources;
    this.#checks = parts.checks.run;
  }

  override async inspect(depth: Depth): Promise<SourceReport> {
    const report = await super.inspect(depth);
    const reasons = await Promise.all(this.#counts.map((count) => this.#whyNot(count, this.#checks)));
    const findings = this.#counts.flatMap(({ field, list }, index) => {
      const sentence = `The field ${field} is null, because the list ${list} ${reasons[index]}.`;
      return reasons[index] ? [{ code: 'count', field, sentence }] : [];
    });
    return { ...report, warnings: [...report.warnings, ...findings] };
  }

  override async *chunks(query: RowsQuery, run: Run): AsyncGenerator<Chunk, void, undefined> {
    // With a limit, no rows are read ahead while others are counted over the same connection.
    const limit = query.limit ?? MOST_AT_ONCE;
    let pending: Chunk[] = [];
    for await (const chunk of super.chunks({ ...query, limit }, run)) {
      pending.push(chunk);
      const items = pending.flatMap((one) => one.items);
      if (!chunk.last && items.length < limit) continue;
      await this.#fillIn(items, query, run);
      yield* pending;
      pending = [];
    }
  }

  async #fillIn(items: readonly Row[], query: RowsQuery, run: Run): Promise<void> {
    const ids = items.map((item) => String(item.id));
    const accounts = new Set(query.accountIds ? ids.filter((id) => query.accountIds?.has(id)) : ids);
    for (const count of items.length > 0 ? this.#counts : []) {
      if (query.fields?.includes(count.field) === false) continue;
      const sums = await this.#countFor(count, accounts, query, run);
      for (const item of items)
        Object.assign(item, { [count.field]: sums && (sums.get(String(item.id)) ?? 0) });
    }
  }

  /** Counts the rows of each of these accounts; null if the list cannot be counted. */
  async #countFor(count: Count, accounts: ReadonlySet<string>, query: RowsQuery, run: Run) {
    const list = this.#sources.get(count.list);
    if (!list || (await this.#whyNot(count, run)) !== null) return null;
    return countByAccount(list, count.where, accounts, query, run);
  }

  /** Why the rows cannot be counted for each account, as the end of a sentence; null if they can. */
  async #whyNot({ list, where }: Count, run: Run): Promise<string | null> {
    const { state, filters = [] } = (await this.#sources.get(list)?.report(run)) ?? {};
    if (state !== 'served') return 'cannot be read';
    const lacking = [ACCOUNT, ...where.keys()].find((name) => !filters.includes(name));
    return lacking === undefined ? null : `cannot be filtered by ${lacking}`;
  }
}
