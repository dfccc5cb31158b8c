import { ApiError, refuseParameter } from '../../lib/errors/ApiError';
import { boundedResult } from '../answers';
import { parametersOf, WHERE, type Where } from '../where';
import { INTEGER, isList, objects, TEXT, type Tool } from './Tool';

interface Arguments {
  readonly list: string;
  readonly by?: string;
  /** With commas between them. */
  readonly sum?: string;
  readonly where?: Where;
}

/** The values of a counted field that are shown; the most that the API counts apart. */
const MOST_VALUES = 100;

export const count: Tool<Arguments> = {
  name: 'panel_count',
  title: 'Counts and sums',
  description:
    'Number of rows of a list, also by the values of a field such as status or plan, and sums of fields in bytes. ' +
    'where: as in panel_list.',
  reads: isList,
  input: { list: TEXT, by: TEXT, sum: { type: 'array', items: TEXT, minItems: 1 }, where: WHERE },
  required: ['list'],
  output: { list: TEXT, rows: INTEGER, counts: objects, others: INTEGER, sums: { type: 'object' } },
  async call({ list: name, by = 'true', sum, where = {} }, reader) {
    const list = await reader.list(name);
    const query = { ...parametersOf(where, list, reader), count: by, ...(sum !== undefined && { sum }) };
    const allowed = list.countable;
    if (by !== 'true' && !allowed.includes(by))
      refuseParameter('by', allowed.length > 0 ? `one of ${allowed.join(', ')}` : 'left out for this list');
    const { total, counts, sums, unknown_words } = await list.page(query).catch(throwOfArgument);
    return boundedResult(MOST_VALUES, async (most) => ({
      list: name,
      rows: total,
      ...(counts && mostFrequent(counts, most)),
      ...(sums && { sums }),
      ...(unknown_words && { unknown_words }),
    }));
  },
};

/** Throws the error of the endpoint with the name of the argument, and if the list has nothing to add up says so. */
function throwOfArgument(thrown: unknown): never {
  if (!(thrown instanceof ApiError)) throw thrown;
  const { code, details } = thrown;
  if (details.parameter === 'sum' && details.supported)
    refuseParameter('sum', 'left out, because the list has no field that can be added up');
  throw details.parameter === 'count' ? new ApiError(code, { ...details, parameter: 'by' }) : thrown;
}

/** The most frequent values, and how many rows have others. */
export function mostFrequent(counts: Readonly<Record<string, number>>, most: number) {
  const sorted = Object.entries(counts).toSorted(([, one], [, other]) => other - one);
  const others = sorted.slice(most).reduce((sum, [, rows]) => sum + rows, 0);
  return {
    counts: sorted.slice(0, most).map(([value, rows]) => ({ value, rows })),
    ...(others > 0 && { others }),
  };
}
