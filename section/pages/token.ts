import type { TokenRecord } from '../../lib/tokens/TokenRecord';
import { auditTable } from '../auditTable';
import { type Html, html } from '../html';
import type { PageHandler } from '../Page';
import { SectionFailure } from '../SectionFailure';
import type { SectionRequest } from '../SectionRequest';
import { table } from '../table';
import { doneNotice, siblingNotice } from '../tokenDone';
import { permissions, shownTwice } from '../tokenFacts';
import { marks, shownState } from '../tokenState';
import { usageChart } from '../usageChart';

const USAGE_DAYS = 30;
const MAX_ENTRIES = 50;

export const tokenPage: PageHandler = async (request) => {
  const token = await requestedToken(request);
  const { tokens, usage, audit } = request.installation;
  const [lineage, used, entries] = await Promise.all([
    tokens.lineage(token.id),
    usage.ofToken(token.id, { days: USAGE_DAYS }),
    audit.list({ tokenId: token.id, limit: MAX_ENTRIES }),
  ]);
  return {
    title: token.name,
    subtitle: html`<span class="id">#${token.id}</span> ${status(request, token)}${marks(request, token)}`,
    actions: actions(request, token),
    hasNotices: true,
    content: html`${doneNotice(request, token, entries[0])}
${siblingNotice(request, token, lineage)}
${facts(request, token)}
${lineage.length > 1 ? lineageTable(request, token, lineage) : null}
<h2>${request.text('token.usage', { days: USAGE_DAYS })}</h2>
${usageChart(request, used, token.readAt, USAGE_DAYS)}
<h2>${request.text('token.audit')}</h2>
${auditTable(request, entries, { hasToken: false })}
<p><a href="${request.to(`audit?token=${token.id}`)}">${request.text('token.audit.all')}</a></p>`,
  };
};

/** The token in the page's path. Throws SectionFailure if it does not exist. */
export async function requestedToken({ path, installation }: SectionRequest): Promise<TokenRecord> {
  const [, , id = ''] = path.split('/');
  const record = /^[1-9]\d{0,9}$/.test(id) ? await installation.tokens.get(Number(id)) : null;
  if (!record) throw new SectionFailure('not_found');
  return record;
}

/** What can be done with the token: an ended one can only be duplicated. */
function actions(request: SectionRequest, { id, state, rotatedAt, expiresAt }: TokenRecord): Html {
  const isActive = state === 'active';
  const link = (name: 'extend' | 'edit' | 'rotate' | 'duplicate' | 'revoke', isOffered = isActive) =>
    isOffered
      ? html`<a class="button${name === 'revoke' ? ' danger' : ''}" href="${request.to(`tokens/${id}/${name}`)}">${request.text(`token.${name}`)}</a> `
      : null;
  return html`${link('extend', isActive && expiresAt !== null)}${link('edit')}${link('rotate', isActive && rotatedAt === null)}${link('duplicate', true)}${link('revoke')}`;
}

/** The state in words, with the time that it lasts or began. */
function status(request: SectionRequest, token: TokenRecord): Html {
  const state = shownState(request, token);
  if (token.state === 'revoked')
    return request.words('token.status.revoked', {
      state,
      time: request.relative(token.revokedAt),
      person: token.revokedBy,
    });
  if (token.expiresAt === null) return state;
  return request.words(`token.status.${token.state}`, { state, time: request.relative(token.expiresAt) });
}

function facts(request: SectionRequest, token: TokenRecord): Html {
  const { note, lastUsedAt, lastUsedAddress, rotatedAt, revokedAt } = token;
  const used = shownTwice(request, lastUsedAt);
  const by = (seconds: number, person: string | null) =>
    request.words('token.by', { time: shownTwice(request, seconds), person });
  const fact = (
    name: 'note' | 'expires' | 'used' | 'created' | 'prefix' | 'rotated' | 'revoked',
    value: Html,
  ) => html`<dt>${request.text(`token.${name}`)}</dt><dd>${value}</dd>
`;
  return html`<dl class="facts">
${note === null ? null : fact('note', html`<span class="lines">${note}</span>`)}
${permissions(request, token)}
${fact('expires', revokedAt === null ? shownTwice(request, token.expiresAt) : request.exact(token.expiresAt))}
${fact('used', lastUsedAddress === null ? used : request.words('token.used.from', { time: used, address: html`<code>${lastUsedAddress}</code>` }))}
${fact('created', by(token.createdAt, token.createdBy))}
${rotatedAt === null ? null : fact('rotated', shownTwice(request, rotatedAt))}
${revokedAt === null ? null : fact('revoked', by(revokedAt, token.revokedBy))}
${fact('prefix', html`<code>${token.prefix}…</code>`)}
</dl>`;
}

function lineageTable(request: SectionRequest, token: TokenRecord, lineage: readonly TokenRecord[]): Html {
  return html`<h2>${request.text('token.lineage')}</h2>
<p>${request.text('token.lineage.hint')}</p>
${table(
  lineage,
  [
    [
      request.text('token.lineage.token'),
      ({ id, prefix }) => html`<a href="${request.to(`tokens/${id}`)}">#${id}</a> <code>${prefix}…</code>`,
      'heading',
    ],
    [request.text('token.lineage.state'), (one) => shownState(request, one)],
    [request.text('token.created'), ({ createdAt }) => request.relative(createdAt)],
    [
      request.text('token.expires'),
      ({ expiresAt, revokedAt }) => (revokedAt === null ? request.relative(expiresAt) : null),
    ],
  ],
  { row: ({ id }) => (id === token.id ? html` aria-current="true"` : html``) },
)}`;
}
