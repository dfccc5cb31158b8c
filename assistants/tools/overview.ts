import { boundedResult } from '../answers';
import { readProblems } from '../problems';
import { mostFrequent } from './count';
import { DAYS } from './problems';
import { isList, objects, TEXT, type Tool } from './Tool';

/** The words of a status that are shown. */
const MOST_WORDS = 20;

/** The fields by which rows are counted, the first that a list has. */
const COUNTED = ['status', 'last_status'];

export const overview: Tool<object> = {
  name: 'panel_overview',
  title: 'Overview',
  description: `How many rows each list has, by status, and how many problems there are (see panel_problems, ${DAYS} days).`,
  reads: isList,
  input: {},
  output: { panel: TEXT, lists: objects, attention: objects, not_read: objects },
  call(_, reader) {
    return boundedResult(MOST_WORDS, async (most) => {
      const lists: object[] = [];
      const unread = await reader.eachList(async (list) => {
        const by = COUNTED.find((field) => list.report.filters.includes(field));
        const { total, counts } = await list.page({ count: by ?? 'true' }).catch(() =>
          // A field of the panel's own words may have too many.
          list.page({ count: 'true' }),
        );
        lists.push({ list: list.name, rows: total, ...(counts && { by, ...mostFrequent(counts, most) }) });
      });
      const { problems, not_read } = await readProblems(reader, DAYS, 0);
      const attention = problems.map(({ problem, list, rows, more }) => ({ problem, list, rows, more }));
      const failed = [...unread, ...not_read.filter(({ list }) => unread.every((one) => one.list !== list))];
      return { panel: reader.panelName, lists, attention, not_read: failed };
    });
  },
};
