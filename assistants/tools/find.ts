import { keyName } from '../../lib/fields';
import { boundedResult } from '../answers';
import { isList, objects, type Tool } from './Tool';

/** The rows of each list that are shown. */
const MOST_ROWS = 5;

/** What is shown of a row beside its key and its names. */
const FACTS = ['status', 'type', 'account_id'];

export const find: Tool<{ readonly name: string }> = {
  name: 'panel_find',
  title: 'Find a name',
  description: `The rows of all lists of which a name begins with this text: domains, accounts, addresses, databases and others; the first ${MOST_ROWS} of each list.`,
  reads: (operation) =>
    isList(operation) && Object.values(operation.fields).some((field) => field.searchable),
  input: { name: { type: 'string', minLength: 1, maxLength: 256 } },
  required: ['name'],
  output: { found: objects, not_read: objects },
  call({ name }, reader) {
    return boundedResult(MOST_ROWS, async (rows) => {
      const found: object[] = [];
      const unread = await reader.eachList(async (list) => {
        const { endpoint, report } = list;
        if (report.searchable.length === 0) return;
        const served = FACTS.filter((field) => list.has(field));
        const fields = [keyName(endpoint.operation.fields), ...report.searchable, ...served].join(',');
        const { items, nextCursor } = await list.page({ search: name, fields, limit: String(rows) });
        if (items.length > 0) found.push({ list: list.name, items, more: nextCursor !== null });
      });
      return { found, not_read: unread };
    });
  },
};
