import { ApiError, refuseParameter } from '../lib/errors/ApiError';
import { writtenValue } from '../lib/errors/printable';
import type { JsonSchema } from '../lib/json/json';
import { LONGEST_VALUE, MOST_VALUES } from '../lib/lists/filterValues';
import { shownName } from '../lib/lists/parseListQuery';
import { rangeParameters } from '../lib/lists/ranges';
import type { SourceReport } from '../lib/sources/Source';
import type { ReadableList } from './PanelReader';
import { isRounded, parsedIf, textsOf } from './values';

/** The rows that an assistant wants: for each parameter of the list, its value or values. */
export type Where = Readonly<Record<string, unknown>>;

export const WHERE: JsonSchema = { type: 'object' };

const EXPECTED =
  `a text of 1 to ${LONGEST_VALUE.toLocaleString('en')} characters without NUL, a whole number up to 2^53 (others as ` +
  `text), true or false, or an array of 1 to ${MOST_VALUES} of these`;

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
    if ([parsedIf('[', value)].flat().some(isRounded)) refuseParameter(name, 'text with all its digits');
    const texts = textsOf(value);
    if (!texts || texts.length > MOST_VALUES || texts.some((text) => text.length > LONGEST_VALUE))
      refuseParameter(name, EXPECTED);
    // A comma separates the values of a filter, and only a text may contain one.
    const isText = [report.itemSchema.properties[name]?.type].flat().includes('string');
    for (const text of texts) parameters.append(name, isText ? writtenValue(text) : text);
  }
  return parameters;
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
