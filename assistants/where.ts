import { ApiError, refuseParameter } from '../lib/errors/ApiError';
import { writtenValue } from '../lib/errors/printable';
import type { JsonSchema } from '../lib/json/json';
import { LONGEST_VALUE, MOST_VALUES } from '../lib/lists/filterValues';
import { shownName } from '../lib/lists/parseListQuery';
import { rangeParameters } from '../lib/lists/ranges';
import type { SourceReport } from '../lib/sources/Source';
import { isInexact, parsedIf } from './exactNumbers';
import type { ReadableList } from './PanelReader';

/** The rows that an assistant wants: for each parameter of the list, its value or values. */
export type Where = Readonly<Record<string, unknown>>;

export const WHERE = { type: 'object' } as const;

const EXPECTED = `a value of 1 to ${LONGEST_VALUE.toLocaleString('en')} characters without NUL, or an array of 1 to ${MOST_VALUES} of them`;

/** The names of the conditions that a list has in this panel. */
function conditionsOf(report: SourceReport): readonly string[] {
  const ranges = rangeParameters(report).flatMap(({ names }) => names);
  return [...report.filters, ...ranges, ...(report.searchable.length > 0 ? ['search'] : [])];
}

/** Returns the parameters of the list's endpoint for these conditions. Throws ApiError `query_invalid` for others. */
export function parametersOf(where: Where, { report }: ReadableList, tokenPrefix: string): URLSearchParams {
  const supported = conditionsOf(report);
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(where)) {
    if (!supported.includes(name))
      throw new ApiError('query_invalid', { parameter: shownName(name, tokenPrefix), supported });
    const values = [parsedIf('[', value)].flat();
    if (values.some(isInexact))
      refuseParameter(name, 'written as a text, because a number this large is not exact');
    const texts = values.map((one) => textOf(one) ?? '');
    const isText = (text: string) => text !== '' && text.length <= LONGEST_VALUE;
    if (texts.length === 0 || texts.length > MOST_VALUES || !texts.every(isText))
      refuseParameter(name, EXPECTED);
    // A comma separates the values of a filter, and only a text may contain one.
    const { type } = report.itemSchema.properties[name] ?? {};
    const written = [type].flat().includes('string') ? writtenValue : String;
    for (const text of texts) parameters.append(name, written(text));
  }
  return parameters;
}

/** Returns a value as the text that a parameter of an endpoint has; undefined if it has none. */
export function textOf(value: unknown): string | undefined {
  if (!['string', 'number', 'boolean'].includes(typeof value) || isInexact(value)) return undefined;
  const text = String(value);
  return text === '' || text.includes('\0') ? undefined : text;
}

/** The most words of a field that a description names. */
const MOST_WORDS = 8;

/** How much a description says, if there is room for it. */
export type Detail = 'words' | 'ranges' | 'filters';

/** Says in one line for each list by what its rows can be found. */
export function describeConditions(lists: readonly ReadableList[], detail: Detail): string {
  const words = ({ enum: all }: JsonSchema = {}) => {
    if (detail !== 'words') return '';
    const found = Array.isArray(all) ? all.filter((word) => word !== null) : [];
    return found.length > 0 && found.length <= MOST_WORDS ? `=${found.join('|')}` : '';
  };
  return lists
    .map(({ operation: { name }, report }) => {
      const filters = report.filters.map((field) => field + words(report.itemSchema.properties[field]));
      const ranges =
        report.ranges.length > 0 && detail !== 'filters' ? `; ranges ${report.ranges.join(' ')}` : '';
      return `\n${name}: ${filters.join(' ')}${ranges}`;
    })
    .join('');
}
