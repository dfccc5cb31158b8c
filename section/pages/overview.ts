import { Deadline, withTimeout } from '../../lib/async/withTimeout';
import { printable } from '../../lib/errors/printable';
import { causeFacts } from '../../lib/log/PanelLog';
import { dayOf, dayText } from '../../lib/time/time';
import type { TokenRecord } from '../../lib/tokens/TokenRecord';
import type { TokenAttention } from '../../lib/tokens/tokenQueries';
import type { UsageRow } from '../../lib/usage/UsageRow';
import { auditTable } from '../auditTable';
import { code, type Html, html, listed } from '../html';
import { addressNotice } from '../notices';
import type { PageHandler } from '../Page';
import { isTablesNewer } from '../SectionFailure';
import type { SettingDescription } from '../SectionParts';
import { partTimeout, type SectionRequest } from '../SectionRequest';
import type { TokenActionName } from '../TokenView';
import { table } from '../table';
import type { TextKey } from '../texts';
import { offeredActions } from '../tokenFacts';
import { PURPOSES } from '../tokenFields';
import { share, type Use, type Used, usageChart, usedEndpoints, usedOf, useTable } from '../usageChart';
import { listChecks } from './listChecks';
import { historyNotices } from './restored';
import { describedSetting, switchForm } from './settings';
import { OPEN, tokenless } from './tokens';

/** The state of the API at a glance, a card for each part. No part delays or hides the others. */
export const overviewPage: PageHandler = async (request) => {
  const unused = await firstTokens(request);
  const parts = unused ? partsAtFirst(request, unused) : partsInUse(request);
  const cards = await Promise.all(parts.map((part) => card(request, part)));
  const find = request.text('overview.find');
  const purposes = PURPOSES.map(({ name }) =>
    request.link(`tokens/new?preset=${name}`, request.text(`form.preset.${name}`)),
  );
  const head = html`<form method="get" action="${request.to('tokens')}" role="search"><input type="hidden" name="${OPEN}" value="yes"><input type="search" name="search" size="18" maxlength="128" placeholder="${find}" aria-label="${find}" ${tokenless(request)}></form>
<a class="button primary" href="${request.to('tokens/new')}">${request.text('new.title')}</a>`;
  return {
    title: request.text('nav.overview'),
    ...(unused === null && {
      subtitle: html`${request.words('overview.purposes', { purposes: listed(purposes) })}
${request.link('tokens/find', request.text('find.title'))}`,
      actions: head,
    }),
    content: html`${addressNotice(request)}${await historyNotices(request)}<div class="cards overview">${cards}</div>`,
  };
};

type PagePart = readonly [title: TextKey, content: () => Promise<Html>];

function partsAtFirst(request: SectionRequest, unused: readonly TokenRecord[]): readonly PagePart[] {
  const attention: PagePart = ['attention.title', () => tokenAttention(request)];
  return [
    ['steps.title', async () => firstSteps(request, await describedSetting(request, 'enabled'), unused)],
    ...(unused.length > 0 ? [attention] : []),
    ['lists.title', () => listChecks(request)],
  ];
}

function partsInUse(request: SectionRequest): readonly PagePart[] {
  const rows = request.api.usage.ofAll();
  return [
    ['overview.switch', async () => shownSwitch(request, await describedSetting(request, 'enabled'))],
    ['attention.title', () => tokenAttention(request)],
    ['totals.title', () => requests(request, rows)],
    ['top.tokens', () => topTokens(request)],
    ['top.endpoints', async () => topUse(request, usedEndpoints(await rows), 'usage.endpoint')],
    ['refused.title', () => lastRefused(request)],
    ['lists.title', () => listChecks(request)],
    ['nav.audit', () => lastEntries(request)],
  ];
}

/**
 * A part of the page as a card. If it fails or is not ready in time, a sentence stands in its place, and the log has the
 * cause.
 */
async function card(request: SectionRequest, [title, part]: PagePart): Promise<Html> {
  const content = await withTimeout(part(), partTimeout(request)).catch((error) => {
    const facts = { actor: printable(request.actor), part: title, ...causeFacts(error) };
    request.parts.log.warn('panel-api section part failed', facts);
    return html`<p class="problem">${request.text(error instanceof Deadline ? 'overview.late' : 'overview.failed')}</p>`;
  });
  return html`<section class="card"><h2>${request.text(title)}</h2>
${content}</section>`;
}

/** How many tokens a new installation may have. */
const FEW_TOKENS = 5;

/** The tokens of an installation with few tokens, none of which was ever used; null if it is no longer new. */
async function firstTokens(request: SectionRequest): Promise<readonly TokenRecord[] | null> {
  const page = request.api.tokens.page({ limit: FEW_TOKENS });
  // The parts of the page say that the database fails.
  const read = await withTimeout(page, partTimeout(request)).catch((error) =>
    isTablesNewer(error) ? Promise.reject(error) : null,
  );
  if (read === null || read.next !== null) return null;
  return read.tokens.every(({ lastUsedAt }) => lastUsedAt === null) ? read.tokens : null;
}

async function shownSwitch(request: SectionRequest, enabled: SettingDescription): Promise<Html> {
  const { value, source, updatedBy: actor, updatedAt } = enabled;
  const isOn = value === true;
  const fixed = fixedBy(request, enabled);
  const since =
    source === 'stored' && request.words('overview.on.by', { actor, time: request.relative(updatedAt) });
  const button = html`<button class="switch" role="switch" aria-checked="${String(isOn)}"><span class="unseen">${request.text('overview.switch')}</span></button>`;
  return html`<div class="api-switch">${!fixed && (await switchForm(request, enabled, button))}<p><b>${request.text(isOn ? 'overview.on' : 'overview.off')}</b> ${fixed ?? (isOn ? since : request.words('overview.off.meaning'))}</p>
<p class="field"><label for="base-url">${request.text('overview.url')}</label> <span class="copyable"><input id="base-url" readonly size="24" value="${request.apiUrl}" spellcheck="false"><button type="button" data-copy="base-url" data-copied="${request.text('frame.copied')}" hidden>${request.text('created.copy')}</button></span></p></div>`;
}

/** Says that the mount option decides; null if it does not. */
function fixedBy(request: SectionRequest, { source, option }: SettingDescription): Html | null {
  return source === 'panel' ? request.words('overview.by_panel', { option: code(option) }) : null;
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
  return html`<ol class="steps">${step('on', enabled.value === true, fixed ?? request.words('steps.on.meaning'), !isReady && (await switchForm(request, enabled, html`<button class="${next === 'on' && 'primary'}">${request.text('steps.on')}</button>`)))}
${step('token', token !== undefined, created ? request.words('steps.token.done', created) : request.words('steps.token.meaning'), link('token', 'tokens/new', request.text('steps.token')))}
${step('call', false, request.words('steps.call.meaning'), link('call', 'reference', request.text('steps.call.link')))}</ol>`;
}

async function requests(request: SectionRequest, used: Promise<readonly UsageRow[]>): Promise<Html> {
  const [rows, now] = await Promise.all([used, request.parts.clock()]);
  const today = dayText(dayOf(now));
  const figure = (name: 'day' | 'month', { requests: count, errors }: Use) => {
    const words =
      errors === 0
        ? request.text('totals.no_errors')
        : request.text('totals.errors', { count: errors, share: share(request, errors / count) });
    return html`<div><dt>${request.text(`totals.${name}`)}</dt><dd><b>${request.number(count)}</b> ${count > 0 && words}</dd></div>`;
  };
  const caption = html`<dl class="totals">${figure('day', usedOf(rows.filter(({ day }) => day === today)))}${figure('month', usedOf(rows))}</dl>`;
  return usageChart(request, rows, now, caption);
}

async function topTokens(request: SectionRequest): Promise<Html> {
  const { usage, tokens } = request.api;
  const busiest = await usage.sums({ most: MOST_NAMED });
  const used = [...busiest.keys()].map(async (id) => {
    const [token, rows] = await Promise.all([tokens.get(id), usage.ofToken(id)]);
    return { ...usedOf(rows), name: token ? request.link(`tokens/${id}`, token.name) : `#${id}` };
  });
  // The sums may still contain days that are no longer counted.
  const shown = (await Promise.all(used)).toSorted((one, other) => other.requests - one.requests);
  return topUse(request, shown, 'tokens.column.token');
}

function topUse(request: SectionRequest, used: readonly Used[], what: TextKey): Html {
  if (used.length === 0) return html`<p>${request.text('usage.none')}</p>`;
  return useTable(request, used.slice(0, MOST_NAMED), what);
}

/** The tokens whose requests were refused or failed last, each with the last one and a link to the others. */
async function lastRefused(request: SectionRequest): Promise<Html> {
  const { usage, tokens } = request.api;
  const last = await usage.lastRefused(MOST_NAMED);
  if (last.length === 0) return html`<p>${request.text('refused.none')}</p>`;
  const nameOf = async (id: number) => (await tokens.get(id))?.name ?? `#${id}`;
  const named = last.map(async (one) => ({ ...one, name: await nameOf(one.tokenId) }));
  return table(request, await Promise.all(named), [
    ['tokens.column.token', (one) => request.link(`tokens/${one.tokenId}#refusals`, one.name), 'heading'],
    ['token.refusals.code', (one) => code(one.code)],
    ['usage.endpoint', (one) => one.endpoint],
    ['token.refusals.last', (one) => request.relative(one.at)],
  ]);
}

async function lastEntries(request: SectionRequest): Promise<Html> {
  const entries = await request.api.audit.list({ limit: MOST_NAMED });
  return html`${auditTable(request, entries)}
<p>${request.link('audit', request.text('overview.audit.all'))}</p>`;
}

/** How many tokens, endpoints and entries each part names. */
const MOST_NAMED = 5;

/** The kinds in the order of their urgency, each with the filter of the list that contains all of its tokens. */
const FILTERS = {
  expiring: 'expiring&order=expiry',
  expired: 'ended',
  silent: 'silent',
  limited: 'active&order=requests',
  unused: 'unused',
  unlimited: 'active',
} as const satisfies Readonly<Record<keyof TokenAttention, string>>;

/** What can be done about each kind. A token that has ended is replaced by its duplicate. */
const ACTIONS: Readonly<Record<keyof TokenAttention, readonly TokenActionName[]>> = {
  expiring: ['extend', 'rotate'],
  expired: ['duplicate'],
  // An integration has stopped, which no change of its token mends, or it is not needed any more.
  silent: ['revoke'],
  limited: ['edit'],
  unused: ['revoke'],
  unlimited: ['edit', 'rotate'],
};

/** The tokens that an administrator should see, by the reason. */
async function tokenAttention(request: SectionRequest): Promise<Html> {
  const attention = await request.api.tokens.attention();
  const kinds = (Object.keys(FILTERS) as (keyof TokenAttention)[]).filter(
    (kind) => attention[kind] && attention[kind].count > 0,
  );
  const unread =
    attention.silent === null &&
    html`<p class="problem">${request.text('tokens.filter.silent')}: ${request.text('overview.failed')}</p>`;
  const group = (kind: keyof TokenAttention) => {
    const { count, tokens } = attention[kind] ?? { count: 0, tokens: [] };
    const named = tokens.slice(0, MOST_NAMED);
    const more = request.text('attention.more', { count: count - named.length });
    const item = (token: TokenRecord) => {
      const { id, name } = token;
      const offered = offeredActions(request, token);
      const action = (one: TokenActionName) =>
        html`<a href="${request.to(`tokens/${id}/${one}`)}" aria-label="${request.text(`token.${one}`)}: ${name}">${request.text(`token.${one}`)}</a> `;
      return html`<li>${request.link(`tokens/${id}`, name)} <small>#${id}</small> <span class="when">${timeOf(request, kind, token)}</span> ${ACTIONS[kind].filter((one) => offered.includes(one)).map(action)}</li>`;
    };
    return html`<section class="${kind}"><h3>${request.text(`attention.${kind}`, { count })}</h3>
<ul>${named.map(item)}${count > named.length && html`<li>${request.link(`tokens?filter=${FILTERS[kind]}`, more)}</li>`}</ul></section>`;
  };
  return html`${unread || (kinds.length === 0 && html`<p>${request.text('attention.none')}</p>`)}
${kinds.length > 0 && html`<div class="attention">${kinds.map(group)}</div>`}
<p>${request.link('tokens?filter=active&order=expiry', request.text('attention.by_expiry'))}</p>`;
}

/** The time that the reason is about. */
function timeOf(request: SectionRequest, kind: keyof TokenAttention, token: TokenRecord): Html {
  const { createdAt, expiresAt, lastUsedAt } = token;
  if (kind === 'expiring' || kind === 'expired') return request.relative(expiresAt);
  const words = kind === 'unlimited' ? 'created' : lastUsedAt === null ? 'never_used' : 'used';
  const time = request.relative(words === 'used' ? lastUsedAt : createdAt);
  return request.words(`attention.time.${words}`, { time });
}
