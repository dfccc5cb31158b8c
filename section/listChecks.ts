import { withTimeout } from '../lib/async/withTimeout';
import type { ListCheck } from '../lib/health/ListCheck';
import { type Html, html } from './html';
import { partTimeout } from './pagePart';
import type { SectionRequest } from './SectionRequest';

/** A list with the result of its check; null if it was not ready in time. */
interface CheckedList {
  readonly name: string;
  readonly result: Awaited<ReturnType<ListCheck['read']>> | null;
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
  const named = (key: 'missing' | 'off', some: readonly CheckedList[]) =>
    request.words(`lists.${key}`, { count: some.length, lists: names(some) });
  return html`<h2>${request.text('lists.title')}</h2>
${failed.length === 0 ? null : html`<div class="problem"><p>${request.text('lists.failed', { count: failed.length })}</p>${results(request, failed)}</div>`}
${late.length === 0 ? null : html`<p class="notice warn">${request.words('lists.late', { lists: names(late) })} <a href="${request.to('')}">${request.text('lists.again')}</a></p>`}
${served.length === 0 ? null : html`<p>${request.text('lists.works', { count: served.length })}</p>`}
${missing.length === 0 ? null : html`<p>${named('missing', missing)} <a href="${request.to('mapping')}">${request.text('lists.mapping')}</a></p>`}
${off.length === 0 ? null : html`<p>${named('off', off)}</p>`}
${remarked.length === 0 ? null : html`<details><summary>${request.text('lists.remarks', { count: remarked.length })}</summary>${results(request, remarked)}</details>`}`;
}

export function checkLists(request: SectionRequest): Promise<readonly CheckedList[]> {
  return Promise.all([...request.installation.listChecks].map((check) => checkList(request, check)));
}

/** The part of the page's time that a check may take. */
const CHECK_SHARE = 0.75;

async function checkList(
  request: SectionRequest,
  [name, check]: readonly [string, ListCheck],
): Promise<CheckedList> {
  const late = () => new Error('The list was not checked in time.');
  const limitMs = partTimeout(request) * CHECK_SHARE;
  return { name, result: await withTimeout(check.read(), limitMs, late).catch(() => null) };
}

/** The findings of the checks of these lists. */
export function results(request: SectionRequest, lists: readonly CheckedList[]): Html {
  const items = lists.map(({ name, result }) => {
    const words = { list: html`<code>${name}</code>`, result: result?.detail };
    return html`<li>${request.words('lists.result', words)}</li>`;
  });
  return html`<ul>${items}</ul>`;
}

function names(lists: readonly CheckedList[]): Html {
  return html`${lists.map(({ name }, index) => html`${index === 0 ? null : ', '}<code>${name}</code>`)}`;
}
