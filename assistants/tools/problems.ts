import { boundedResult } from '../answers';
import { PROBLEMS, readProblems } from '../problems';
import { objects, TEXT, type Tool } from './Tool';

/** The days of the problems, unless the assistant asks for others. */
export const DAYS = 7;

/** The rows of each problem that are shown. */
const MOST_ROWS = 10;

export const problems: Tool<{ readonly days?: number }> = {
  name: 'panel_problems',
  title: 'Problems',
  description:
    'What needs attention, with times: backups, jobs and scheduled tasks that failed in the last days; accounts ' +
    'without a backup in them; certificates and domains that end in the next days or have ended; services that are ' +
    'down; accounts, mailboxes and databases that use 90 % or more of their space or traffic. ' +
    `The first ${MOST_ROWS} rows of each.`,
  reads: ({ name }) => PROBLEMS.some(({ list }) => list === name),
  input: { days: { type: 'integer', minimum: 1, maximum: 90, default: DAYS } },
  output: { since: TEXT, until: TEXT, problems: objects, not_read: objects },
  async call({ days = DAYS }, reader) {
    const { problems: found, ...rest } = await readProblems(reader, days, MOST_ROWS);
    return boundedResult(MOST_ROWS, async (rows) => ({
      ...rest,
      problems: found.map((one) => ({ ...one, items: one.items.slice(0, rows) })),
    }));
  },
};
