import { dayOf, dayText } from '../lib/time/time';
import type { UsageRow } from '../lib/usage/Usage';
import { type Html, html } from './html';

const HEIGHT = 100;
const BAR = 16;
const GAP = 4;
/** The classes of statuses and their labels. 0 means that the client disconnected before a status was sent. */
const CLASSES = [
  [2, '2xx'],
  [3, '3xx'],
  [4, '4xx'],
  [5, '5xx'],
  [0, 'aborted'],
] as const;

/** A token's requests: as bars by day and status, and as a table by endpoint and status. */
export function usageChart(rows: readonly UsageRow[], now: number, days: number): Html {
  if (rows.length === 0) return html`<p>There were no requests.</p>`;
  const names = Array.from({ length: days }, (_, index) => dayText(dayOf(now) - (days - 1 - index)));
  const sums = names.map((day) =>
    CLASSES.map(([statusClass]) =>
      requestsOf(rows, (row) => row.day === day && row.statusClass === statusClass),
    ),
  );
  const most = Math.max(1, ...sums.map(total));
  const width = days * (BAR + GAP);
  return html`<figure class="chart"><svg viewBox="0 0 ${width} ${HEIGHT}" preserveAspectRatio="none" role="img" aria-label="Requests per day, maximum ${most}">
${sums.map((counts, index) => bar(counts, names[index] ?? '', index * (BAR + GAP), most))}</svg>
<figcaption><span>${names[0]}</span> <span>maximum per day: ${most.toLocaleString('en')}</span> <span>${names.at(-1)}</span></figcaption></figure>
${endpointTable(rows)}`;
}

function bar(counts: readonly number[], day: string, x: number, most: number): Html {
  let top = HEIGHT;
  const parts = counts.map((count, index) => {
    const height = Math.round((count / most) * HEIGHT * 100) / 100;
    top -= height;
    return count === 0
      ? null
      : html`<rect class="class-${CLASSES[index]?.[0]}" x="${x}" y="${top}" width="${BAR}" height="${height}"/>`;
  });
  return html`<g><title>${day}: ${total(counts).toLocaleString('en')}</title>${parts}</g>
`;
}

/** The table's headings have the colours of the bars. */
function endpointTable(rows: readonly UsageRow[]): Html {
  const endpoints = [...new Set(rows.map(({ endpoint }) => endpoint))].sort();
  return html`<div class="wide"><table class="stacked"><thead><tr><th scope="col">Endpoint</th>${CLASSES.map(([one, name]) => html`<th scope="col" class="number"><span class="key class-${one}"></span> ${name}</th>`)}</tr></thead><tbody>
${endpoints.map(
  (endpoint) => html`<tr><th scope="row">${endpoint}</th>${CLASSES.map(
    ([one, name]) =>
      html`<td class="number" data-label="${name}">${requestsOf(rows, (row) => row.endpoint === endpoint && row.statusClass === one).toLocaleString('en')}</td>`,
  )}</tr>
`,
)}</tbody></table></div>`;
}

function requestsOf(rows: readonly UsageRow[], which: (row: UsageRow) => boolean): number {
  return total(rows.filter(which).map(({ requests }) => requests));
}

function total(counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + count, 0);
}
