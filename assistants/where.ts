import { ApiError, refuseParameter } from '../lib/errors/ApiError';
import type { JsonSchema } from '../lib/json/json';
import { LONGEST_VALUE, MOST_VALUES } from '../lib/lists/filterValues';
import type { ListReader, PanelReader } from '../lib/requests/PanelReader';
import { isRounded, parsedIf, textsOf } from './values';

/** The rows that an assistant wants: for each parameter of the list, its value or values. */
export type Where = Readonly<Record<string, unknown>>;

export const WHERE: JsonSchema = { type: 'object' };

const EXPECTED =
  `a text of 1 to ${LONGEST_VALUE.toLocaleString('en')} characters without NUL, a whole number up to 2^53 (others as ` +
  `text), true or false, or an array of 1 to ${MOST_VALUES} of these`;

/** Returns the parameters of the list's endpoint for these conditions. Throws ApiError `query_invalid` for others. */
export function parametersOf(where: Where, list: ListReader, reader: PanelReader) {
  const { conditions, report } = list;
  const parameters: Record<string, string | readonly string[]> = {};
  for (const [name, value] of Object.entries(where)) {
    if (!list.takes(name))
      throw new ApiError('query_invalid', { parameter: reader.shownName(name), supported: conditions });
    if ([parsedIf('[', value)].flat().some(isRounded)) refuseParameter(name, 'text with all its digits');
    const texts = textsOf(value);
    if (!texts || texts.length > MOST_VALUES || texts.some((text) => text.length > LONGEST_VALUE))
      refuseParameter(name, EXPECTED);
    // Only a text may contain a comma, which otherwise separates the values of a filter.
    const isText = [report.itemSchema.properties[name]?.type].flat().includes('string');
    const isOne = texts.length === 1 || report.filters.includes(name);
    parameters[name] = isText || !isOne ? texts : texts.join();
  }
  return parameters;
}

/** The most words of a field that a description names. */
const MOST_WORDS = 8;

/** How much a description says, if there is room for it. */
export type Detail = 'words' | 'ranges' | 'filters';

/** Says in one line for each list by what its rows can be found. */
export function describeConditions(lists: readonly ListReader[], detail: Detail): string {
  const words = (list: ListReader, field: string) => {
    const found = (detail === 'words' && list.words(field)) || [];
    return found.length > 0 && found.length <= MOST_WORDS ? `=${found.join('|')}` : '';
  };
  return lists
    .map((list) => {
      const { name, report } = list;
      const filters = report.filters.map((field) => field + words(list, field));
      const ranges =
        report.ranges.length > 0 && detail !== 'filters' ? `; ranges ${report.ranges.join(' ')}` : '';
      return `\n${name}: ${filters.join(' ')}${ranges}`;
    })
    .join('');
}
