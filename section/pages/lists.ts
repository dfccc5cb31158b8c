import { withTimeout } from '../../lib/async/withTimeout';
import type { ListCheck } from '../../lib/health/ListCheck';
import { code, type Html, html, listed } from '../html';
import type { PageHandler } from '../Page';
import type { SectionRequest } from '../SectionRequest';

/** A list with the result of its check; null if it was not ready in time. */
interface CheckedList {
  readonly name: string;
  readonly result: Awaited<ReturnType<ListCheck['read']>> | null;
}

/** How long the overview waits for one of its parts, in milliseconds. */
export function partTimeout({ installation }: SectionRequest): number {
  return Math.min(2000, installation.options.deadlineMs / 3);
}

/** The part of that time that a check may take. */
const CHECK_SHARE = 0.75;

function checkLists(request: SectionRequest): Promise<readonly CheckedList[]> {
  const late = () => new Error('The list was not checked in time.');
  const limitMs = partTimeout(request) * CHECK_SHARE;
  return Promise.all(
    [...request.installation.listChecks].map(async ([name, check]) => ({
      name,
      result: await withTimeout(check.read(), limitMs, late).catch(() => null),
    })),
  );
}

/** Checks all lists as `health.php` does, and says which work, which have no table, and which fail. */
export async function listChecks(request: SectionRequest): Promise<Html> {
  const lists = await checkLists(request);
  const late = lists.filter(({ result }) => result === null || result.isLate);
  const ready = lists.filter((list) => !late.includes(list));
  const failed = ready.filter(({ result }) => result?.status === 'fail');
  const of = (state: string) => ready.filter(({ result }) => result?.state === state);
  const [served, missing, off] = [of('served'), of('missing'), of('off')];
  const remarked = served.filter(({ result }) => result?.status === 'warn');
  const count = ({ length }: readonly CheckedList[]) => ({ count: length });
  const named = (some: readonly CheckedList[]) => ({
    ...count(some),
    lists: listed(some.map(({ name }) => code(name))),
  });
  return html`<h2>${request.text('lists.title')}</h2>
${failed.length > 0 && html`<div class="problem"><p>${request.text('lists.failed', count(failed))}</p>${results(request, failed)}</div>`}
${late.length > 0 && html`<p class="notice warn">${request.words('lists.late', named(late))} ${request.link('', request.text('lists.again'))}</p>`}
${lists.length > 0 && html`<p><b>${request.text('lists.works', { served: served.filter((list) => !failed.includes(list)).length, ...count(lists) })}</b></p>`}
${missing.length > 0 && html`<p>${request.words('lists.missing', named(missing))} ${request.link('mapping', request.text('lists.mapping'))}</p>`}
${off.length > 0 && html`<p>${request.words('lists.off', named(off))}</p>`}
${remarked.length > 0 && html`<details><summary>${request.text('lists.remarks', count(remarked))}</summary>${results(request, remarked)}</details>`}`;
}

function results(request: SectionRequest, lists: readonly CheckedList[]): Html {
  const items = lists.map(({ name, result }) => {
    const words = { list: code(name), result: result?.detail };
    return html`<li>${request.words('lists.result', words)}</li>`;
  });
  return html`<ul>${items}</ul>`;
}

const EXAMPLE = `createPanelApi({
  sources: {
    domains: {
      table: 'site_domain',
      fields: { id: 'domain_id', domain: 'name' },
    },
    cron: false, // The panel has no such data.
  },
});`;

/** Says what each list lacks that cannot be served, and how a list is mapped. */
export const mappingPage: PageHandler = async (request) => {
  const lists = await checkLists(request);
  const missing = lists.filter(({ result }) => result?.state === 'missing');
  const more = { file: code('docs/how-to/map-tables.md'), command: code('panel-api check --config FILE') };
  return {
    title: request.text('mapping.title'),
    content: html`${missing.length === 0 ? html`<p>${request.text('mapping.none')}</p>` : results(request, missing)}
<p>${request.words('mapping.hint', { option: code('sources') })}</p>
<h2>${request.text('mapping.example')}</h2>
<pre tabindex="0"><code>${EXAMPLE}</code></pre>
<p>${request.words('mapping.more', more)}</p>`,
  };
};
