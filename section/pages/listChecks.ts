import { withTimeout } from '../../lib/async/withTimeout';
import { code, type Html, html, listed } from '../html';
import type { ListCheck } from '../SectionParts';
import { partTimeout, type SectionRequest } from '../SectionRequest';

/** The part of that time that a check may take. */
const CHECK_SHARE = 0.75;

interface CheckedList {
  readonly name: string;
  readonly state: 'served' | 'remarked' | 'missing' | 'off' | 'failed' | 'late';
  readonly detail: string;
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

/**
 * Checks all lists as `health.php` does, and says which work, which have no table and how they are mapped, and which
 * fail.
 */
export async function listChecks(request: SectionRequest): Promise<Html> {
  const limitMs = partTimeout(request) * CHECK_SHARE;
  const checks = [...request.parts.listChecks];
  const lists = await Promise.all(checks.map(([name, check]) => checkList(name, check, limitMs)));
  const of = (...states: CheckedList['state'][]) => lists.filter(({ state }) => states.includes(state));
  const shown = (state: CheckedList['state'], content: (some: Html, count: number) => Html) => {
    const some = of(state);
    return some.length > 0 && content(listed(some.map(({ name }) => code(name))), some.length);
  };
  const results = (state: CheckedList['state']) => {
    const result = ({ name, detail }: CheckedList) => ({ list: code(name), result: request.english(detail) });
    return html`<ul>${of(state).map((one) => html`<li>${request.words('lists.result', result(one))}</li>`)}</ul>`;
  };
  const more = { file: code('docs/how-to/map-tables.md'), command: code('panel-api check --config FILE') };
  const working = { served: of('served', 'remarked').length, count: lists.length };
  return html`${shown('failed', (_, count) => html`<div class="problem"><p>${request.text('lists.failed', { count })}</p>${results('failed')}</div>`)}
${shown('late', (some, count) => html`<p class="notice warn">${request.words('lists.late', { lists: some, count })} ${request.link('', request.text('lists.again'))}</p>`)}
${lists.length > 0 && html`<p><b>${request.text('lists.works', working)}</b></p>`}
${shown('off', (some, count) => html`<p>${request.words('lists.off', { lists: some, count })}</p>`)}
${shown('remarked', (_, count) => html`<details><summary>${request.text('lists.remarks', { count })}</summary>${results('remarked')}</details>`)}
${shown(
  'missing',
  (some, count) => html`<p>${request.words('lists.missing', { lists: some, count })}</p>
<details><summary>${request.text('lists.mapping')}</summary>${results('missing')}
<p>${request.words('mapping.hint', { option: code('sources') })}</p>
<pre tabindex="0"><code>${EXAMPLE}</code></pre>
<p>${request.words('mapping.more', more)}</p></details>`,
)}`;
}

async function checkList(name: string, check: ListCheck, limitMs: number): Promise<CheckedList> {
  const result = await withTimeout(check.read(), limitMs).catch(() => null);
  if (!result || result.isLate) return { name, state: 'late', detail: '' };
  const { state, status, detail = '' } = result;
  if (status === 'fail' || !state) return { name, state: 'failed', detail };
  return { name, state: state === 'served' && status === 'warn' ? 'remarked' : state, detail };
}
