import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Database } from '../database/Database';
import type { Run } from '../database/Statement';
import { type Field, type Fields, keyName } from '../fields';
import { ACCOUNT, ownerField } from '../fields/Operation';
import { aWordOf, type Check, closedObject, isPlainObject, must, orSeveral, wrong } from './checkers';
import { MOST_AT_ONCE } from './chunks';
import { type Filters, filterTest } from './filters';
import type { ListPart } from './ids';
import { mappedValue } from './mapping/description';
import type { CountSource, FieldSources } from './mapping/kinds';
import { type Chunk, EVERY_ROW, type Row, type RowsQuery, type Source } from './Source';

/** Checks a description that counts the rows of another list for each account. */
export function countCheck({ operation, sources, operations }: ListPart, field: Field): Check {
  const lists = operations.filter(({ kind, fields }) => kind === 'list' && ACCOUNT in fields);
  const isOfAccount = ownerField(operation) === keyName(operation.fields) && field.kind === 'number';
  return (given, path) => {
    if (!isOfAccount)
      throw wrong(`${path}.count`, 'is not allowed, because this field is no number of an account');
    const { name = '', fields = {} } = lists.find((list) => list.name === Object(given).count) ?? {};
    const filters = Object.entries<Field>(fields).filter(([, { filterable }]) => filterable);
    const isServed = (one: string) => canFilter(sources[name], one, fields);
    const wanted = filters.map(([one, { words, ...rest }]): [string, Check] => [
      one,
      isServed(one) ? orSeveral(words ? aWordOf(words) : mappedValue(rest, false)) : notFiltered(name),
    ]);
    const { [ACCOUNT]: _, ...where } = Object.fromEntries(wanted);
    const count: Check = (value, place) => {
      aWordOf(lists.map((list) => list.name))(value, place);
      if (!isServed(ACCOUNT))
        throw wrong(place, `must be a list that has an ${ACCOUNT} by which it can be filtered`);
    };
    closedObject({ count, where: closedObject(where) }, ['count'])(given, path);
  };
}

function notFiltered(list: string): Check {
  const why = `must be left out: the source of ${list} leaves this field out or computes it with \`from\` or \`compute\`, so that clients cannot filter by it`;
  return must(why, () => false);
}

/** Whether the list may have a filter by this field, as far as its source says without the database. */
function canFilter(source: unknown, name: string, fields: Fields): boolean {
  const described = [source ?? {}].flat().map((part): unknown => {
    const { fields: own, query } = Object(part);
    if (Array.isArray(own)) return own.includes(name);
    return Object(own)[name] ?? (query === undefined || fields[name]?.derivation !== undefined);
  });
  const isComputed = (one: unknown) => 'from' in Object(one) || 'compute' in Object(one);
  return source !== false && described.some((one) => one !== false) && !described.some(isComputed);
}

/** The rows of a list that a field counts for each account. */
interface Count {
  readonly field: string;
  readonly list: string;
  readonly where: Filters;
}

/** Fills in the fields of a source of accounts that count the rows of other lists. */
export function withCounts(
  source: Source,
  fields: FieldSources = {},
  { sources, checks }: { readonly sources: ReadonlyMap<string, Source>; readonly checks: Database },
): Source {
  const counts = Object.entries(fields).flatMap(([field, described]): Count[] => {
    if (!isPlainObject(described) || !('count' in described)) return [];
    const { count, where = {} } = described as object as CountSource;
    const filters = Object.entries(where).map(
      ([name, values]) => [name, new Set([values].flat().map(String))] as const,
    );
    return [{ field, list: count, where: new Map(filters) }];
  });
  if (counts.length === 0) return source;

  /** Counts the rows of each of these accounts, in one statement if SQL can; null if the list cannot be counted. */
  const countFor = async (count: Count, accounts: ReadonlySet<string>, query: RowsQuery, run: Run) => {
    const list = sources.get(count.list);
    if (!list || (await whyNot(count, run)) !== null) return null;
    const filters = new Map(count.where).set(ACCOUNT, accounts);
    const sums = new Map<string, number>();
    const matches = filterTest(filters);
    const add = (item: Row, rows: number) => {
      const account = String(item[ACCOUNT]);
      if (matches(item)) sums.set(account, (sums.get(account) ?? 0) + rows);
    };
    const asked = { ...EVERY_ROW, filters, accountIds: query.accountIds, end: query.end };
    const groups = await list.groups({ ...asked, fields: [...filters.keys()], sums: [], latest: [] }, run);
    for (const { item, rows } of groups ?? []) add(item, rows);
    if (groups) return sums;
    for await (const { items } of list.chunks(asked, run)) {
      for (const item of items) add(item, 1);
      await nextTurn();
      query.end.signal.throwIfAborted();
    }
    return sums;
  };

  /** Why the rows cannot be counted for each account, as the end of a sentence; null if they can. */
  const whyNot = async ({ list, where }: Count, run: Run): Promise<string | null> => {
    const { state, filters = [] } = (await sources.get(list)?.report(run)) ?? {};
    if (state !== 'served') return 'cannot be read';
    const lacking = [ACCOUNT, ...where.keys()].find((name) => !filters.includes(name));
    return lacking === undefined ? null : `cannot be filtered by ${lacking}`;
  };

  return {
    ...source,
    statements: source.statements + counts.length,
    async inspect(depth) {
      const report = await source.inspect(depth);
      const reasons = await Promise.all(counts.map((count) => whyNot(count, checks.run)));
      const findings = counts.flatMap(({ field, list }, index) => {
        const sentence = `The field ${field} is null, because the list ${list} ${reasons[index]}.`;
        return reasons[index] ? [{ code: 'count', field, sentence }] : [];
      });
      return { ...report, warnings: [...report.warnings, ...findings] };
    },
    async *chunks(query, run) {
      const asked = counts.filter(({ field }) => query.fields?.includes(field) ?? true);
      // With a limit, no rows are read ahead while others are counted over the same connection.
      const limit = query.limit ?? MOST_AT_ONCE;
      let held: Chunk[] = [];
      const counted = async () => {
        const items = held.flatMap((chunk) => chunk.items);
        const shown = items.map((item) => String(item.id));
        const accounts = new Set(query.accountIds ? shown.filter((id) => query.accountIds?.has(id)) : shown);
        for (const count of items.length > 0 ? asked : []) {
          const sums = await countFor(count, accounts, query, run);
          for (const item of items)
            Object.assign(item, { [count.field]: sums && (sums.get(String(item.id)) ?? 0) });
        }
        return held;
      };
      for await (const chunk of source.chunks({ ...query, limit }, run)) {
        held.push(chunk);
        if (!chunk.last && held.reduce((sum, { items }) => sum + items.length, 0) < limit) continue;
        yield* await counted();
        held = [];
      }
      yield* await counted();
    },
  };
}
