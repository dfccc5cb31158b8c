import type { UsageRow } from '../lib/usage/Usage';
import { type Html, html } from './html';
import type { SectionRequest } from './SectionRequest';
import { table } from './table';

/** The classes of statuses. 0 means that the client disconnected before a status was sent. */
const CLASSES = [2, 3, 4, 5, 0] as const;

/** The numbers behind the chart: by endpoint, and by day. */
export function usageTables(request: SectionRequest, rows: readonly UsageRow[]): Html {
  return html`<details class="usage-tables"><summary>${request.text('usage.tables')}</summary>
${countTable(request, rows, 'endpoint')}
${countTable(request, rows, 'day')}</details>`;
}

/** A row for each endpoint, in the order of their names, or for each day, the newest first. */
function countTable(request: SectionRequest, rows: readonly UsageRow[], by: 'endpoint' | 'day'): Html {
  const keys = [...new Set(rows.map((row) => row[by]))];
  const ofKey = (key: string) => rows.filter((row) => row[by] === key);
  return table(by === 'day' ? keys : keys.toSorted(), [
    [request.text(`usage.${by}`), (key) => key, 'heading'],
    ...CLASSES.map(
      (one) =>
        [
          request.text(`usage.class.${one}`),
          (key: string) => request.number(sumOf(ofKey(key), [one])),
          'number',
        ] as const,
    ),
  ]);
}

/** The number of requests in these rows, of these classes of statuses or of all. */
export function sumOf(rows: readonly UsageRow[], classes?: readonly UsageRow['statusClass'][]): number {
  return rows
    .filter(({ statusClass }) => classes === undefined || classes.includes(statusClass))
    .reduce((sum, { requests }) => sum + requests, 0);
}
