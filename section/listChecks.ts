import { withTimeout } from '../lib/async/withTimeout';
import { type CheckResult, runCheck } from '../lib/health/Check';
import { checkSource } from '../lib/health/checkSource';
import type { Source } from '../lib/sources/Source';
import { type Html, html } from './html';
import { partTimeout } from './pagePart';
import type { SectionRequest } from './SectionRequest';

/** A list with the result of its check; null if it was not ready in time. */
interface CheckedList {
  readonly name: string;
  readonly result: CheckResult | null;
}

/** Checks the sources of all lists as `health.php` does, and shows those that fail and what else is remarked. */
export async function listChecks(request: SectionRequest): Promise<Html> {
  const lists = await Promise.all(
    [...request.installation.sources].map((source) => checkList(request, source)),
  );
  const late = lists.filter(({ result }) => result === null);
  const of = (status: CheckResult['status']) => lists.filter(({ result }) => result?.status === status);
  const [failed, remarked] = [of('fail'), of('warn')];
  return html`<h2>${request.text('lists.title')}</h2>
${failed.length === 0 ? null : html`<div class="problem"><p>${request.text('lists.failed', { count: failed.length })}</p>${results(request, failed)}</div>`}
${late.length === 0 ? null : html`<p class="notice warn">${request.words('lists.late', { lists: names(late) })}</p>`}
${failed.length + late.length > 0 ? null : html`<p>${request.text('lists.fine', { count: lists.length })}</p>`}
${remarked.length === 0 ? null : html`<details><summary>${request.text('lists.remarks', { count: remarked.length })}</summary>${results(request, remarked)}</details>`}`;
}

/** The part of the page's time that a check may take. */
const CHECK_SHARE = 0.75;

async function checkList(
  request: SectionRequest,
  [name, source]: readonly [string, Source],
): Promise<CheckedList> {
  const { installation } = request;
  const check = () => checkSource(name, source, installation);
  const late = () => new Error('The list was not checked in time.');
  const running = runCheck(`source:${name}`, check, installation);
  return {
    name,
    result: await withTimeout(running, partTimeout(request) * CHECK_SHARE, late).catch(() => null),
  };
}

function results(request: SectionRequest, lists: readonly CheckedList[]): Html {
  const items = lists.map(({ name, result }) => {
    const words = { list: html`<code>${name}</code>`, result: result?.detail };
    return html`<li>${request.words('lists.result', words)}</li>`;
  });
  return html`<ul>${items}</ul>`;
}

function names(lists: readonly CheckedList[]): Html {
  return html`${lists.map(({ name }, index) => html`${index === 0 ? null : ', '}<code>${name}</code>`)}`;
}
