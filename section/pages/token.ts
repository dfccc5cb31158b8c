import { Readable } from 'node:stream';
import { refusedAccounts } from '../../lib/owners/accountStates';
import type { TokenRecord } from '../../lib/tokens/TokenRecord';
import { leftOver } from '../../lib/tokens/tokenWarnings';
import type { TokenRefusal } from '../../lib/usage/refusals';
import { auditTable } from '../auditTable';
import { BYTE_ORDER_MARK, csvRow } from '../csv';
import { code, type Html, html } from '../html';
import type { PageHandler } from '../Page';
import type { SectionRequest } from '../SectionRequest';
import { type Column, table } from '../table';
import { requestedToken } from '../tokenAction';
import { doneNotice } from '../tokenChanges';
import { factList, marks, permissions, shownState, validSibling } from '../tokenFacts';
import { endpointTable, usageChart } from '../usageChart';

const USAGE_DAYS = 30;
const MAX_ENTRIES = 50;

export const tokenPage: PageHandler = async (request) => {
  const token = await requestedToken(request);
  const { tokens, usage, audit } = request.installation;
  const [lineage, used, refusals, entries, refused] = await Promise.all([
    tokens.lineage(token.id),
    usage.ofToken(token.id, { days: USAGE_DAYS }),
    usage.refusals(token.id),
    audit.list({ tokenId: token.id, limit: MAX_ENTRIES }),
    refusedAccounts(token, request.installation),
  ]);
  return {
    title: token.name,
    subtitle: html`<span class="id">#${token.id}</span> ${status(request, token)}${marks(request, token)}`,
    actions: actions(request, token),
    hasNotices: true,
    content: html`${doneNotice(request, token, entries[0])}
${siblingNotice(request, token, lineage)}
${refused.map(({ id, refusal }) => html`<p class="notice warn">${request.text(`token.${refusal}`, { id })}</p>`)}
${await facts(request, token)}
<h2>${request.text('token.usage', { days: USAGE_DAYS })}</h2>
${usageChart(request, used, { now: token.readAt, days: USAGE_DAYS })}
${
  used.length > 0 &&
  html`${endpointTable(request, used)}
<p><a class="button" href="${request.to(`tokens/${token.id}/usage.csv`)}" download>${request.text('usage.csv')}</a></p>`
}
${refusals.length > 0 && refusalTable(request, refusals)}
${lineage.length > 1 && lineageTable(request, token, lineage)}
<h2>${request.text('nav.audit')}</h2>
${auditTable(request, entries, { hasToken: false })}
<p>${request.link(`audit?token=${token.id}`, request.text('token.audit.all'))}</p>`,
  };
};

/** All counts that are kept of a token, as CSV for a spreadsheet. */
export const usageCsv: PageHandler = async (request) => {
  const { id } = await requestedToken(request);
  const { usage, options } = request.installation;
  const rows = await usage.ofToken(id, { days: options.usage.keepDays + 1 });
  const lines = rows.map(({ day, endpoint, statusClass, requests }) =>
    csvRow([day, endpoint, statusClass === 0 ? 'none' : `${statusClass}xx`, requests]),
  );
  return {
    type: 'text/csv; charset=utf-8',
    fileName: `token-${id}-usage.csv`,
    body: Readable.from([BYTE_ORDER_MARK, csvRow(['day', 'endpoint', 'status', 'requests']), ...lines]),
  };
};

/** What can be done with the token: an ended one can only be duplicated. */
function actions(request: SectionRequest, { id, state, rotatedAt, expiresAt }: TokenRecord): Html {
  const isActive = state === 'active';
  const link = (name: 'extend' | 'edit' | 'rotate' | 'duplicate' | 'revoke', isOffered = isActive) =>
    isOffered &&
    html`<a class="button${name === 'revoke' && ' danger'}" href="${request.to(`tokens/${id}/${name}`)}">${request.text(`token.${name}`)}</a> `;
  return html`${link('extend', isActive && expiresAt !== null)}${link('edit')}${link('rotate', isActive && rotatedAt === null)}${link('duplicate', true)}${link('revoke')}`;
}

/** The state in words, with the time that it lasts or began. */
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
  const sibling = token.state === 'active' ? null : validSibling(request, token, lineage);
  return sibling && html`<p>${request.words('token.sibling', { token: sibling })}</p>`;
}

async function facts(request: SectionRequest, token: TokenRecord): Promise<Html> {
  const { expiresAt, lastUsedAt, lastUsedAddress, rotatedAt, revokedAt } = token;
  const both = request.relativeAndExact.bind(request);
  const used = both(lastUsedAt);
  const from = lastUsedAddress !== null && { time: used, address: code(lastUsedAddress) };
  const by = (seconds: number, person: string | null) =>
    request.words('token.by', { time: both(seconds), person });
  return factList([
    ...(await permissions(request, token)),
    [request.text('token.expires'), revokedAt === null ? both(expiresAt) : request.exact(expiresAt)],
    [request.text('token.used'), from ? request.words('token.used.from', from) : used],
    [request.text('token.created'), by(token.createdAt, token.createdBy)],
    [request.text('token.rotated'), rotatedAt === null ? null : both(rotatedAt)],
    [request.text('token.revoked'), revokedAt === null ? null : by(revokedAt, token.revokedBy)],
    [request.text('token.prefix'), code(`${token.prefix}…`)],
  ]);
}

/** How many refusals are shown before the others are opened. */
const FIRST_REFUSALS = 5;

function refusalTable(request: SectionRequest, refusals: readonly TokenRefusal[]): Html {
  const columns: readonly Column<TokenRefusal>[] = [
    [request.text('token.refusals.code'), ({ code: reason }) => code(reason), 'heading'],
    [request.text('usage.endpoint'), ({ endpoint }) => endpoint],
    [request.text('audit.when'), ({ at }) => request.relative(at)],
    [request.text('token.refusals.request'), ({ requestId }) => code(requestId), 'request-id'],
  ];
  const rest = refusals.slice(FIRST_REFUSALS);
  const more = request.text('attention.more', { count: rest.length });
  return html`<h2>${request.text('token.refusals')}</h2>
<div class="card refusals">${table(refusals.slice(0, FIRST_REFUSALS), columns)}
${rest.length > 0 && html`<details><summary>${more}</summary>${table(rest, columns)}</details>`}</div>`;
}

function lineageTable(request: SectionRequest, token: TokenRecord, lineage: readonly TokenRecord[]): Html {
  const columns = [
    [
      request.text('tokens.column.token'),
      ({ id, prefix }: TokenRecord) => html`${request.link(`tokens/${id}`, `#${id}`)} ${code(`${prefix}…`)}`,
      'heading',
    ],
    [request.text('tokens.column.state'), (one: TokenRecord) => shownState(request, one)],
    [request.text('token.created'), ({ createdAt }: TokenRecord) => request.relative(createdAt)],
    [
      request.text('token.expires'),
      ({ expiresAt, revokedAt }: TokenRecord) => revokedAt === null && request.relative(expiresAt),
    ],
  ] as const;
  const row = ({ id }: TokenRecord) => id === token.id && html` aria-current="true"`;
  return html`<h2>${request.text('token.lineage')}</h2>
<p>${request.text('token.lineage.hint')}</p>
${table(lineage, columns, { row })}`;
}
