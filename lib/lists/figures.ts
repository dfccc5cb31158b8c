import { ApiError, refuseParameter } from '../errors/ApiError';
import type { Operation } from '../fields/Operation';
import { type Integer, narrow } from '../fields/raw';
import type { Group, SourceReport } from '../sources/Source';
import { type QueryValues, readFlagWord } from './filterValues';

/** The figures that a client asks for instead of the items. */
export interface FiguresQuery {
  /** The field whose values are counted apart; null for the rows alone. */
  readonly countBy: string | null;
  /** The fields whose values are added up. */
  readonly sums: readonly string[];
}

/** Figures of the rows that match a query, as an answer contains them. */
export interface Figures {
  readonly total: number;
  /** The rows of each value, without those with null. */
  readonly counts?: Readonly<Record<string, number>>;
  readonly sums?: Readonly<Record<string, Integer>>;
}

/** The most values that `count` tells apart. */
export const MOST_COUNTS = 100;

/** The most rows that are read for a client's figures, if the database cannot count them. */
export const MOST_READ = 100_000;

/** Fields of texts by which clients may count although their words are not known. */
const COUNTED_TEXTS: ReadonlySet<string> = new Set(['plan', 'type']);

/** Returns the values that the parameter `count` can have. */
export function countable({ fields }: Pick<Operation, 'fields'>, report: SourceReport): readonly string[] {
  const hasFewWords = (name: string) => {
    const { words, kind } = fields[name] ?? {};
    return words || kind === 'flag' || report.itemSchema.properties[name]?.enum || COUNTED_TEXTS.has(name);
  };
  return ['true', ...report.filters.filter(hasFewWords)];
}

/** Returns the values that the parameter `sum` can have. */
export function summable({ fields }: Pick<Operation, 'fields'>, report: SourceReport): readonly string[] {
  return Object.keys(report.itemSchema.properties).filter((name) => fields[name]?.kind === 'bytes');
}

/** The parameters that concern items. They are refused together with those for figures. */
const PARAMETERS_OF_ITEMS: readonly string[] = ['limit', 'cursor', 'order', 'fields'];

/** Parses the figures of a query; null if it asks for items. Throws ApiError `query_invalid`. */
export function parseFigures(
  query: QueryValues,
  operation: Pick<Operation, 'fields'>,
  report: SourceReport,
): FiguresQuery | null {
  const [count, sum] = [query.get('count'), query.get('sum')];
  if (!count && !sum) return null;
  const among = (parameter: string, values: readonly string[], allowed: readonly string[]) => {
    if (values.every((value) => allowed.includes(value))) return [...new Set(values)];
    throw new ApiError('query_invalid', { parameter, allowed });
  };
  const asked = (count?.[0]?.split(',') ?? []).map((value) => readFlagWord(value) ?? value);
  const [counted = 'true', another] = among('count', asked, countable(operation, report));
  if (another !== undefined) refuseParameter('count', 'true or one field');
  const sums = among('sum', sum ?? [], summable(operation, report));
  const wrong = PARAMETERS_OF_ITEMS.find((name) => query.has(name));
  if (wrong !== undefined)
    refuseParameter(wrong, 'left out, because an answer to count or sum contains no items');
  return { countBy: counted === 'true' ? null : counted, sums };
}

/** Throws ApiError `query_invalid` because too many rows must be read for these figures. */
export function refuseReading({ sums }: FiguresQuery): never {
  const most = MOST_READ.toLocaleString('en');
  refuseParameter(
    sums.length > 0 ? 'sum' : 'count',
    `left out or combined with filters: these rows must be read one by one, which is done for at most ${most} rows`,
  );
}

/**
 * Adds up the figures of a query. `add` adds rows with this item in common, and throws ApiError `query_invalid` if the
 * counted field has too many values.
 */
export function tallyOf({ countBy, sums: names }: FiguresQuery) {
  let total = 0;
  const counts = new Map<string, number>();
  const sums = new Map(names.map((name) => [name, 0n]));
  return {
    add({ item, rows, sums: added }: Omit<Group, 'sums'> & Partial<Group>): void {
      total += rows;
      for (const [name, sum] of sums)
        sums.set(name, sum + (added ? (added[name] ?? 0n) : BigInt((item[name] ?? 0) as Integer)));
      const value = countBy === null ? null : item[countBy];
      if (value === null || value === undefined) return;
      counts.set(String(value), (counts.get(String(value)) ?? 0) + rows);
      if (counts.size > MOST_COUNTS) refuseParameter('count', `a field with at most ${MOST_COUNTS} values`);
    },
    figures(): Figures {
      // Sorted, so that equal figures are equal texts.
      const sorted = [...counts].toSorted(([one], [other]) => (one < other ? -1 : 1));
      return {
        total,
        ...(countBy !== null && { counts: Object.fromEntries(sorted) }),
        ...(sums.size > 0 && {
          sums: Object.fromEntries([...sums].map(([name, sum]) => [name, narrow(sum)])),
        }),
      };
    },
  };
}
