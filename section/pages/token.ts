import { dayOf } from '../../lib/time/time';
import type { TokenRecord } from '../../lib/tokens/TokenRecord';
import { leftOver, type TokenWarning, tokenWarnings } from '../../lib/tokens/tokenWarnings';
import { TOTAL_DAYS, type TokenRefusal } from '../../lib/usage/UsageRow';
import { auditTable } from '../auditTable';
import { BYTE_ORDER_MARK, csvRow } from '../csv';
import { code, type Html, html, listed, type Part } from '../html';
import type { PageHandler } from '../Page';
import { SectionFailure } from '../SectionFailure';
import { ifReadable, type SectionRequest } from '../SectionRequest';
import { type Column, table } from '../table';
import { requestedToken } from '../tokenAction';
import {
  accountLinks,
  factList,
  lastUse,
  offeredActions,
  rateText,
  scopeChips,
  shownState,
} from '../tokenFacts';
import { usageChart, usedEndpoints, useTable } from '../usageChart';

const MAX_ENTRIES = 50;

export const tokenPage: PageHandler = async (request) => {
  const token = await requestedToken(request);
  const { usage } = request.api;
  const seesUse = request.view.seesUse(token);
  const [lineage, used, refusals, entries, refused, beyond, silent] = await Promise.all([
    request.view.lineage(token),
    seesUse ? usage.ofToken(token.id) : [],
    seesUse ? usage.refusals(token.id) : [],
    request.view.entries(token, MAX_ENTRIES),
    request.parts.refusedAccounts(token),
    beyondSettings(request, token),
    seesUse ? ifReadable(request, request.api.tokens.silentIds(token.id)) : null,
  ]);
  const warnings = tokenWarnings(token).filter((warning) => seesUse || warning !== 'unused');
  const mark = (warning: TokenWarning) =>
    html` <span class="mark${warning === 'expiring' && ' warn'}">${request.text(`warning.${warning}`)}</span>`;
  return {
    title: token.name,
    subtitle: html`<span class="id">#${token.id}</span> ${status(request, token)}${warnings.map(mark)}${silent?.has(token.id) && html` <span class="mark warn">${request.text('warning.silent')}</span>`}`,
    actions: html`${actions(request, token)}`,
    hasNotices: true,
    content: html`${siblingNotice(request, token, lineage)}
${refused.map(({ id, refusal }) => html`<p class="notice warn">${request.text(`token.${refusal}` as 'token.account_gone', { id })}</p>`)}
${beyond.length > 0 && html`<p class="notice warn">${request.words('token.beyond', { rights: listed(beyond) })}</p>`}
${await facts(request, token)}
${refusals.length > 0 && refusalTable(request, refusals)}
${
  seesUse &&
  html`<h2>${request.text('token.usage', { days: TOTAL_DAYS })}</h2>
${usageChart(request, used, token.readAt)}`
}
${
  used.length > 0 &&
  html`${useTable(request, usedEndpoints(used), 'usage.endpoint')}
<p><a class="button" href="${request.to(`tokens/${token.id}/usage.csv`)}" download>${request.text('usage.csv')}</a></p>`
}
${lineage.length > 1 && lineageTable(request, token, lineage)}
${
  entries.length > 0 &&
  html`<h2>${request.text('nav.audit')}</h2>
${auditTable(request, entries, { hasToken: false })}`
}
${!request.isCustomer && html`<p>${request.link(`audit?token=${token.id}`, request.text('token.audit.all'))}</p>`}`,
  };
};

export const usageCsv: PageHandler = async (request) => {
  const token = await requestedToken(request);
  const { api, parts, view } = request;
  if (!view.seesUse(token)) throw new SectionFailure('not_found');
  const rows = await api.usage.ofToken(token.id, { days: parts.options.usage.keepDays + 1 });
  const lines = rows.map(({ day, endpoint, statusClass, requests }) =>
    csvRow([day, endpoint, statusClass === 0 ? 'none' : `${statusClass}xx`, requests]),
  );
  const body = [BYTE_ORDER_MARK, csvRow(['day', 'endpoint', 'status', 'requests']), ...lines];
  return { fileName: `token-${token.id}-usage.csv`, body };
};

function actions(request: SectionRequest, token: TokenRecord): readonly Html[] {
  return offeredActions(request, token).map(
    (name) =>
      html`<a class="button${name === 'revoke' && ' danger'}" href="${request.to(`tokens/${token.id}/${name}`)}">${request.text(`token.${name}`)}</a> `,
  );
}

function status(request: SectionRequest, token: TokenRecord): Html {
  const { expiresAt, revokedAt, revokedBy: person } = token;
  const state = shownState(request, token);
  if (token.state === 'revoked')
    return request.words('token.status.revoked', { state, time: request.relative(revokedAt), person });
  if (expiresAt === null) return state;
  return request.words(`token.status.${token.state}`, { state, time: request.relative(expiresAt) });
}

/** Names the token of the lineage that is still valid, if this one has ended, or says that this one is the last. */
function siblingNotice(request: SectionRequest, token: TokenRecord, lineage: readonly TokenRecord[]) {
  if (leftOver(lineage)?.id === token.id) {
    const time = request.relativeAndExact(token.expiresAt);
    return html`<p class="notice warn">${request.words('token.left', { time })}</p>`;
  }
  const sibling = token.state !== 'active' && lineage.find(({ state }) => state === 'active');
  if (!sibling) return null;
  const link = request.link(`tokens/${sibling.id}`, `#${sibling.id}`);
  return html`<p>${request.words('token.sibling', { token: link })}</p>`;
}

/** What an active token of a customer has that the settings would not allow a new one. */
async function beyondSettings(request: SectionRequest, token: TokenRecord): Promise<readonly Part[]> {
  if (token.origin !== 'account-section' || token.state !== 'active') return [];
  const { scopes, life, customerOwner, rateLimit } = await request.api.settings.customerBounds();
  const isLate = dayOf(token.expiresAt ?? Infinity) > dayOf(token.readAt) + life.longest;
  return [
    ...token.scopes
      .filter((scope) => !scopes.includes(scope))
      .map((one) => html`<code class="chip">${one}</code>`),
    ...(isLate ? [request.text('audit.name.expires_at')] : []),
    ...(Number(token.rateLimit) > rateLimit ? [request.text('audit.name.rate_limit')] : []),
    ...(token.owner && !customerOwner ? [request.text('audit.name.owner')] : []),
  ];
}

async function facts(request: SectionRequest, token: TokenRecord): Promise<Html> {
  const { note, scopes, owner, allowedAddresses, expiresAt, rotatedAt, revokedAt } = token;
  const both = request.relativeAndExact.bind(request);
  const by = (seconds: number, person: string | null) =>
    request.words('token.by', { time: both(seconds), person });
  const origin = token.origin !== null && request.text(`audit.origin.${token.origin}`);
  const customersAccounts = owner ? request.text('form.owner') : null;
  const listedAddresses = allowedAddresses.map((address) => html`${code(address)} `);
  const addresses = listedAddresses.length > 0 ? listedAddresses : request.text('token.addresses.any');
  const seesUse = request.view.seesUse(token);
  return factList(request, {
    'token.note': note === null ? null : html`<span class="lines">${note}</span>`,
    'token.scopes': scopeChips(request, scopes),
    'token.account': request.isCustomer ? customersAccounts : accountLinks(request, token),
    'token.addresses': seesUse ? addresses : null,
    'token.rate_limit': await rateText(request, token.rateLimit),
    'token.expires': revokedAt === null ? both(expiresAt) : null,
    'token.used': seesUse ? lastUse(request, token) : null,
    'token.created': html`${by(token.createdAt, token.createdBy)} ${origin && html`<small>(${origin})</small>`}`,
    'token.rotated': rotatedAt === null ? null : both(rotatedAt),
    'token.revoked': revokedAt === null ? null : by(revokedAt, token.revokedBy),
    'token.prefix': code(`${token.prefix}…`),
  });
}

/** The refusals, which are newest first, as one line for each code. */
function refusalTable(request: SectionRequest, refusals: readonly TokenRefusal[]): Html {
  const codes = [...new Set(refusals.map((one) => one.code))];
  const ofCodes = codes.map((reason) => refusals.filter((one) => one.code === reason));
  return html`<h2 id="refusals">${request.text('token.refusals')}</h2>
<div class="card">${table(request, ofCodes, [
    ['token.refusals.code', ([last]) => code(last?.code), 'heading'],
    ['token.refusals.count', (some) => request.number(some.length), 'number'],
    ['usage.endpoint', (some) => listed([...new Set(some.map(({ endpoint }) => endpoint))])],
    ['token.refusals.last', ([last]) => request.relative(last?.at ?? null)],
    ['token.refusals.request', ([last]) => code(last?.requestId), 'request-id'],
  ])}</div>`;
}

function lineageTable(request: SectionRequest, token: TokenRecord, lineage: readonly TokenRecord[]): Html {
  const nameOf = ({ id, prefix }: TokenRecord) =>
    html`${request.link(`tokens/${id}`, `#${id}`)} ${code(`${prefix}…`)}`;
  const columns: readonly Column<TokenRecord>[] = [
    ['tokens.column.token', nameOf, 'heading'],
    ['tokens.column.state', (one) => shownState(request, one)],
    ['token.created', ({ createdAt }) => request.relative(createdAt)],
    ['token.expires', ({ expiresAt, revokedAt }) => revokedAt === null && request.relative(expiresAt)],
  ];
  const row = ({ id }: TokenRecord) => id === token.id && html` aria-current="true"`;
  return html`<h2>${request.text('token.lineage')}</h2>
<p>${request.text('token.lineage.hint')}</p>
${table(request, lineage, columns, { row })}`;
}
