import { withTimeout } from '../../lib/async/withTimeout';
import { printable } from '../../lib/errors/printable';
import { causeFacts } from '../../lib/log/PanelLog';
import { declaredSettings } from '../../lib/settings/declaredSettings';
import type { SettingDescription } from '../../lib/settings/Settings';
import type { TokenRecord } from '../../lib/tokens/TokenRecord';
import type { TokenAttention } from '../../lib/tokens/tokenFilters';
import type { UsageTotal } from '../../lib/usage/UsageTable';
import { code, type Html, html } from '../html';
import { addressNotice } from '../notices';
import type { PageHandler } from '../Page';
import type { SectionRequest } from '../SectionRequest';
import { share } from '../usageChart';
import { listChecks, partTimeout } from './lists';

/** The state of the API at a glance. No part of it delays or hides the others. */
export const overviewPage: PageHandler = async (request) => {
  const { tokens, usage } = request.installation;
  const unused = await firstTokens(request);
  const part = pagePart.bind(null, request);
  const parts = await Promise.all([
    unused
      ? part('steps.title', async () => firstSteps(request, await readSwitch(request), unused))
      : part('overview.switch', async () => shownSwitch(request, await readSwitch(request))),
    unused ? null : part('totals.title', async () => totals(request, await usage.totals())),
    unused?.length === 0
      ? null
      : part('attention.title', async () => tokenAttention(request, await tokens.attention())),
    part('lists.title', () => listChecks(request)),
  ]);
  return { title: request.text('nav.overview'), content: html`${addressNotice(request)}${parts}` };
};

export const switchOn: PageHandler = async (request) => {
  await request.sent();
  await request.installation.settings.change({ enabled: true }, request.author);
  return { goTo: '' };
};

/**
 * A part of the page. If it fails or is not ready in time, its title and a sentence stand in its place, and the log has
 * the cause.
 */
async function pagePart(
  request: SectionRequest,
  title: 'overview.switch' | `${'steps' | 'totals' | 'attention' | 'lists'}.title`,
  part: () => Promise<Html>,
): Promise<Html> {
  const late = new Error('The part was not ready in time.');
  try {
    return await withTimeout(part(), partTimeout(request), () => late);
  } catch (error) {
    const facts = { actor: printable(request.actor), part: title, ...causeFacts(error) };
    request.installation.log.warn('panel-api section part failed', facts);
    return html`<h2>${request.text(title)}</h2>
<p class="problem">${request.text(error === late ? 'overview.late' : 'overview.failed')}</p>`;
  }
}

/** How many tokens a new installation may have. */
const FEW_TOKENS = 5;

/** The tokens of an installation with few tokens, none of which was ever used; null if it is no longer new. */
async function firstTokens(request: SectionRequest): Promise<readonly TokenRecord[] | null> {
  const reading = request.installation.tokens.page({ limit: FEW_TOKENS });
  // The parts of the page say that the database fails.
  const read = await withTimeout(reading, partTimeout(request), () => new Error('late')).catch(() => null);
  if (read === null || read.next !== null) return null;
  return read.tokens.every(({ lastUsedAt }) => lastUsedAt === null) ? read.tokens : null;
}

/** The switch of the API as it is now. Rejects if the panel's own switch cannot be read. */
async function readSwitch({ installation }: SectionRequest): Promise<SettingDescription> {
  const described = await installation.settings.describe();
  return described.find(({ name }) => name === declaredSettings.enabled.name) as SettingDescription;
}

/** Whether the API is on, with the button that switches it on. */
async function shownSwitch(request: SectionRequest, enabled: SettingDescription): Promise<Html> {
  const { value, source, updatedBy: actor, updatedAt } = enabled;
  const fixed = fixedBy(request, enabled);
  if (!value)
    return html`<div class="notice off api-switch"><p><b>${request.text('overview.off')}.</b> ${fixed ?? request.words('overview.off.meaning')}</p>
${fixed ? null : await switchForm(request, true)}</div>`;
  const since =
    source === 'stored' && request.words('overview.on.by', { actor, time: request.relative(updatedAt) });
  return html`<p class="api-switch"><span class="state active"><b>${request.text('overview.on')}</b></span> <span>${fixed ?? since}</span></p>`;
}

/** Says that the mount option decides; null if it does not. */
function fixedBy(request: SectionRequest, { source, option }: SettingDescription): Html | null {
  return source === 'panel' ? request.words('overview.by_panel', { option: code(option) }) : null;
}

function switchForm(request: SectionRequest, isMain: boolean): Promise<Html> {
  return request.form(
    '',
    html`<button${isMain && html` class="primary"`}>${request.text('steps.on')}</button>`,
  );
}

type Step = 'on' | 'token' | 'call';

/** The steps from a new installation to the first answer. The button of the next step is the main one. */
async function firstSteps(
  request: SectionRequest,
  enabled: SettingDescription,
  tokens: readonly TokenRecord[],
): Promise<Html> {
  const fixed = fixedBy(request, enabled);
  const isReady = enabled.value === true || fixed !== null;
  const token = tokens.find(({ state }) => state === 'active');
  const next: Step = !isReady ? 'on' : token ? 'call' : 'token';
  const link = (name: Step, path: string, words: string) =>
    html`<a class="button${name === next && ' primary'}" href="${request.to(path)}">${words}</a>`;
  // A step that is done has no button.
  const step = (name: Step, isDone: boolean, words: Html, button: Html | false) =>
    html`<li${isDone && html` class="done"`}><div><b>${isDone && html`<span class="unseen">${request.text('steps.done')}</span> `}${request.text(`steps.${name}`)}</b>
<p>${words}</p></div>${!isDone && button}</li>`;
  const created = token && {
    token: request.link(`tokens/${token.id}`, token.name),
    time: request.relative(token.createdAt),
  };
  return html`<h2>${request.text('steps.title')}</h2>
<ol class="steps">${step('on', enabled.value === true, fixed ?? request.words('steps.on.meaning'), !isReady && (await switchForm(request, next === 'on')))}
${step('token', token !== undefined, created ? request.words('steps.token.done', created) : request.words('steps.token.meaning'), link('token', 'tokens/new', request.text('steps.token')))}
${step('call', false, request.words('steps.call.meaning'), link('call', 'reference', request.text('steps.call.link')))}</ol>`;
}

type Totals = Readonly<Record<'day' | 'month', UsageTotal>>;

function totals(request: SectionRequest, { day, month }: Totals): Html {
  const figure = (name: keyof Totals, { requests, errors }: UsageTotal) => {
    const words =
      errors === 0
        ? request.text('totals.no_errors')
        : request.text('totals.errors', { count: errors, share: share(request, errors / requests) });
    return html`<div><dt>${request.text(`totals.${name}`)}</dt><dd><b>${request.number(requests)}</b> ${requests > 0 && words}</dd></div>`;
  };
  return html`<h2>${request.text('totals.title')}</h2>
<dl class="totals">${figure('day', day)}${figure('month', month)}</dl>`;
}

/** How many tokens of each kind the overview names. */
const MOST_NAMED = 5;

/** The kinds in the order of their urgency, each with the filter of the list that contains all of its tokens. */
const FILTERS = {
  expiring: 'expiring',
  expired: 'ended',
  unused: 'unused',
  unlimited: 'active',
} as const satisfies Readonly<Record<keyof TokenAttention, string>>;

/** The tokens that an administrator should see, by the reason. */
function tokenAttention(request: SectionRequest, attention: TokenAttention): Html {
  const kinds = (Object.keys(FILTERS) as (keyof TokenAttention)[]).filter(
    (kind) => attention[kind].count > 0,
  );
  const group = (kind: keyof TokenAttention) => {
    const { count, tokens } = attention[kind];
    const named = tokens.slice(0, MOST_NAMED);
    const more = request.text('attention.more', { count: count - named.length });
    return html`<section class="${kind}"><h3>${request.text(`attention.${kind}`, { count })}</h3>
<ul>${named.map(
      (
        token,
      ) => html`<li>${request.link(`tokens/${token.id}`, token.name)} <small>#${token.id}</small> <span class="when">${timeOf(request, kind, token)}</span></li>
`,
    )}${count > named.length && html`<li>${request.link(`tokens?filter=${FILTERS[kind]}`, more)}</li>`}</ul></section>`;
  };
  return html`<h2>${request.text('attention.title')}</h2>
${kinds.length === 0 && html`<p>${request.text('attention.none')}</p>`}
<div class="attention">${kinds.map(group)}</div>`;
}

/** The time that the reason is about. */
function timeOf(request: SectionRequest, kind: keyof TokenAttention, token: TokenRecord): Html {
  const { createdAt, expiresAt, lastUsedAt } = token;
  if (kind === 'expiring' || kind === 'expired') return request.relative(expiresAt);
  const words = kind === 'unlimited' ? 'created' : lastUsedAt === null ? 'never_used' : 'used';
  const time = request.relative(words === 'used' ? lastUsedAt : createdAt);
  return request.words(`attention.time.${words}`, { time });
}
