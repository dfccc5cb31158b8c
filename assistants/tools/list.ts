import type { JsonSchema } from '../../lib/json/json';
import { boundedResult } from '../answers';
import { describeConditions, parametersOf, WHERE, type Where } from '../where';
import { INTEGER, isList, objects, TEXT, type Tool } from './Tool';

interface Arguments {
  readonly list: string;
  readonly where?: Where;
  /** With commas between them. */
  readonly fields?: string;
  readonly order?: string;
  readonly limit?: number;
  readonly cursor?: string;
}

const DEFAULT_ROWS = 20;
const MOST_ROWS = 50;

const LIMIT: JsonSchema = { ...INTEGER, minimum: 1, maximum: MOST_ROWS, default: DEFAULT_ROWS };

export const list: Tool<Arguments> = {
  name: 'panel_list',
  title: 'Rows of a list',
  description:
    'Rows of one list. where: {field: value or [values]}; for ranges field_since, field_before (time or day) or ' +
    'field_min, field_max (number); search: beginning of a name. order: desc, or -field of a time. unknown_words in ' +
    'an answer: words of where that no row has, such as misspelt ones. Conditions:',
  describe: describeConditions,
  reads: isList,
  input: {
    list: TEXT,
    where: WHERE,
    fields: { type: 'array', items: TEXT, minItems: 1 },
    order: TEXT,
    limit: LIMIT,
    cursor: { ...TEXT, description: 'next_cursor of the last page; same list, where, order' },
  },
  required: ['list'],
  output: { list: TEXT, items: objects, next_cursor: { type: ['string', 'null'] }, more: TEXT },
  async call({ list: name, where = {}, fields, order, limit = DEFAULT_ROWS, cursor }, reader) {
    const list = await reader.list(name);
    const query = parametersOf(where, list, reader);
    for (const [parameter, value] of Object.entries({ fields, order, cursor }))
      if (value !== undefined) query[parameter] = value;
    return boundedResult(limit, async (rows) => {
      const { items, nextCursor, unknown_words } = await list.page({ ...query, limit: String(rows) });
      const more = 'There are more rows: pass next_cursor as cursor, or narrow with where and fields.';
      const next = { next_cursor: nextCursor, ...(nextCursor !== null && { more }) };
      return { list: name, items, ...next, ...(unknown_words && { unknown_words }) };
    });
  },
};
