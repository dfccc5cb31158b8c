import { dayOf, dayText } from '../lib/time/time';
import { TOTAL_DAYS, type UsageRow } from '../lib/usage/UsageRow';
import { type Html, html, type Part } from './html';
import type { SectionRequest } from './SectionRequest';
import { type Column, table } from './table';
import type { TextKey } from './texts';

interface Day extends Use {
  readonly day: string;
}

/**
 * Requests of the 30 days until `now` by day: a caption, by default a summary in words, and a chart with the errors on a
 * scale of their own. `now` is in seconds since 1970, by the clock of the database, which counts the rows.
 */
export function usageChart(
  request: SectionRequest,
  rows: readonly UsageRow[],
  now: number,
  caption?: Html,
): Html {
  if (rows.length === 0) return html`<p>${request.text('usage.none')}</p>`;
  const first = dayOf(now) - TOTAL_DAYS + 1;
  const all = Array.from({ length: TOTAL_DAYS }, (_, index): Day => {
    const day = dayText(first + index);
    return { day, ...usedOf(rows.filter((row) => row.day === day)) };
  });
  const hasErrors = all.some(({ errors }) => errors > 0);
  return html`<figure class="usage"><figcaption>${caption ?? summary(request, rows, all)}</figcaption>
<div class="plot">
${bars(request, 'requests', all)}
${hasErrors && bars(request, 'errors', all)}
<div class="days" role="group" aria-label="${request.text('usage.by_day')}" data-days="${request.text('usage.keys')}">
${all.map((one, index) => dayMark(request, one, (all.length - 1 - index) % DAYS_PER_LABEL === 0))}</div></div></figure>`;
}

function summary(request: SectionRequest, rows: readonly UsageRow[], days: readonly Day[]): Html {
  const [total, refused, failed] = [sumOf(rows), sumOf(rows, [4]), sumOf(rows, [5])];
  const busiest = days.reduce((most, day) => (day.requests > most.requests ? day : most));
  const requests = html`<b>${request.text('usage.requests', { count: total })}</b>`;
  const errors = html`<b>${share(request, (refused + failed) / total)}</b>`;
  const words =
    refused + failed === 0
      ? request.words('usage.no_errors', { requests })
      : request.words('usage.errors', { requests, share: errors, refused, failed });
  const most = request.text('usage.requests', { count: busiest.requests });
  return html`${words}
${request.text('usage.busiest', { day: request.day(busiest.day), requests: most })}`;
}

const SMALLEST_SHARE = 0.001;

/** A share in percent. A small one is not rounded to nothing. */
export function share(request: SectionRequest, part: number): string {
  const percent = (value: number) =>
    request.number(value, { style: 'percent', maximumFractionDigits: value < 0.1 ? 1 : 0 });
  return part < SMALLEST_SHARE
    ? request.text('usage.less_than', { share: percent(SMALLEST_SHARE) })
    : percent(part);
}

/** The top of a bar that is not empty, in percent from above: beside a far higher one it is still seen. */
const LOWEST_TOP = 97;

/** The bars of all days on a round scale. Their shapes carry no style, which the pages' policy would refuse. */
function bars(request: SectionRequest, what: 'requests' | 'errors', days: readonly Day[]): Html {
  const most = Math.max(1, ...days.map((day) => day[what]));
  const steps = scaleOf(most, what === 'requests' ? 4 : 1);
  const [top = most] = steps;
  const y = (value: number) => Math.round((1 - value / top) * 1000) / 10;
  const number = (value: number) => request.number(value, top < 10_000 ? {} : { notation: 'compact' });
  const bar = (day: Day, index: number) => {
    const from = Math.min(y(day[what]), LOWEST_TOP);
    return day[what] > 0 && html`<rect x="${index + 0.15}" y="${from}" width="0.7" height="${100 - from}"/>`;
  };
  return html`<p class="what ${what}" aria-hidden="true">${request.text(`usage.chart.${what}`)}</p>
<div class="scale ${what}" aria-hidden="true">${steps.map((step) => html`<span>${number(step)}</span>`)}</div>
<svg class="${what}" viewBox="0 0 ${days.length} 100" preserveAspectRatio="none" aria-hidden="true">
${steps.map((step) => html`<line x1="0" x2="${days.length}" y1="${y(step)}" y2="${y(step)}"/>`)}
${days.map(bar)}</svg>`;
}

/** The round numbers of a scale that ends at or above `most`, the highest first, with at most `steps` steps above 0. */
function scaleOf(most: number, steps: number): readonly number[] {
  const least = most / steps;
  const power = 10 ** Math.floor(Math.log10(least));
  const step = Math.max(1, ([1, 2, 5].find((factor) => factor * power >= least) ?? 10) * power);
  const count = Math.ceil(most / step);
  return Array.from({ length: count + 1 }, (_, index) => (count - index) * step);
}

const DAYS_PER_LABEL = 7;

/** A day of the chart with its numbers, shown while it has the pointer or the focus, and its label below. */
function dayMark(request: SectionRequest, { day, requests, errors }: Day, hasLabel: boolean): Html {
  const name = request.day(day, { weekday: 'short' });
  const counted = request.text('usage.requests', { count: requests });
  const failed = request.text('usage.error_count', { count: errors });
  const words = errors === 0 ? counted : request.text('usage.counts', { requests: counted, errors: failed });
  return html`<span class="day" role="img" aria-label="${name}: ${words}"><span class="tip"><b>${name}</b> ${words}</span>${hasLabel && html`<span class="label">${request.day(day)}</span>`}</span>`;
}

/** Requests with those of them that were answered with an error, and the time of the last one. */
export interface Use {
  readonly requests: number;
  readonly errors: number;
  readonly lastAt: number | null;
}

export interface Used extends Use {
  readonly name: Part;
}

/** The endpoints with their requests, most used first. */
export function usedEndpoints(rows: readonly UsageRow[]): readonly Used[] {
  return [...new Set(rows.map(({ endpoint }) => endpoint))]
    .toSorted()
    .map((name) => ({ name, ...usedOf(rows.filter(({ endpoint }) => endpoint === name)) }))
    .toSorted((one, other) => other.requests - one.requests);
}

/** What was used, as bars beside their numbers, with the errors, and the last use if it is known of any. */
export function useTable(request: SectionRequest, used: readonly Used[], what: TextKey) {
  const most = Math.max(1, ...used.map(({ requests }) => requests));
  const length = (count: number) => Math.round((count / most) * 1000) / 10;
  const bar = ({ requests, errors }: Used) =>
    html`<svg class="bar" viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true"><rect width="${length(requests)}" height="1"/>${errors > 0 && html`<rect class="errors" width="${length(errors)}" height="1"/>`}</svg> ${request.number(requests)}`;
  const last: Column<Used> = ['token.used', ({ lastAt }) => lastAt !== null && request.relative(lastAt)];
  return table(request, used, [
    [what, ({ name }) => name, 'heading'],
    ['usage.chart.requests', bar, 'measured'],
    ['usage.errors.column', ({ errors }) => request.number(errors), 'number'],
    ...(used.some(({ lastAt }) => lastAt !== null) ? [last] : []),
  ]);
}

export function usedOf(rows: readonly UsageRow[]): Use {
  const last = Math.max(0, ...rows.map(({ lastAt }) => lastAt ?? 0));
  return { requests: sumOf(rows), errors: sumOf(rows, [4, 5]), lastAt: last || null };
}

/** The number of requests in these rows, of these classes of statuses or of all. */
function sumOf(rows: readonly UsageRow[], classes?: readonly UsageRow['statusClass'][]): number {
  return rows
    .filter(({ statusClass }) => classes?.includes(statusClass) ?? true)
    .reduce((sum, { requests }) => sum + requests, 0);
}
