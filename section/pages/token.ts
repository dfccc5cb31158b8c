import type { TokenRecord } from '../../lib/tokens/TokenRecord';
import { auditTable } from '../auditTable';
import { type Html, html, shownTime } from '../html';
import type { PageHandler } from '../Page';
import { SectionFailure } from '../SectionFailure';
import type { SectionRequest } from '../SectionRequest';
import { shownState } from '../tokenState';
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
    hasNotices: true,
    content: html`${actions(request, token)}
${facts(request, token)}
${lineage.length > 1 ? lineageTable(request, token, lineage) : null}
<h2>Requests in the last ${USAGE_DAYS} days</h2>
${usageChart(request, used, token.readAt, USAGE_DAYS)}
<h2>Audit trail</h2>
${auditTable(request, entries)}
<p><a href="${request.to(`audit?token=${token.id}`)}">All entries about this token</a></p>`,
  };
};

/** The token in the page's path. Throws SectionFailure if it does not exist. */
export async function requestedToken({ path, installation }: SectionRequest): Promise<TokenRecord> {
  const [, , id = ''] = path.split('/');
  const record = /^[1-9]\d{0,9}$/.test(id) ? await installation.tokens.get(Number(id)) : null;
  if (!record) throw new SectionFailure('not_found');
  return record;
}

function actions(request: SectionRequest, { id, state, rotatedAt }: TokenRecord): Html | null {
  if (state !== 'active') return null;
  return html`<p class="actions">${rotatedAt === null ? html`<a class="button" href="${request.to(`tokens/${id}/rotate`)}">Rotate</a> ` : null}<a class="button danger" href="${request.to(`tokens/${id}/revoke`)}">Revoke</a></p>`;
}

function facts(request: SectionRequest, token: TokenRecord): Html {
  const { rotatedAt, revokedAt, revokedBy } = token;
  return html`<dl class="facts">
<dt>State</dt><dd>${shownState(request, token)}</dd>
<dt>First characters</dt><dd><code>${token.prefix}…</code></dd>
${permissions(token)}
<dt>Created</dt><dd>${shownTime(token.createdAt)} by ${token.createdBy}</dd>
<dt>Last used</dt><dd>${shownTime(token.lastUsedAt)}</dd>
<dt>Expires</dt><dd>${shownTime(token.expiresAt)}</dd>
${rotatedAt === null ? null : html`<dt>Rotated</dt><dd>${shownTime(rotatedAt)}</dd>`}
${revokedAt === null ? null : html`<dt>Revoked</dt><dd>${shownTime(revokedAt)} by ${revokedBy}</dd>`}
</dl>`;
}

/** What a token may read, from which addresses and how often, as terms of a list. */
export function permissions(
  token: Pick<TokenRecord, 'scopes' | 'accountId' | 'allowedAddresses' | 'rateLimit'>,
): Html {
  const { scopes, accountId, allowedAddresses, rateLimit } = token;
  return html`<dt>May read</dt><dd>${scopes.map((scope) => html`<code>${scope}</code> `)}</dd>
<dt>Account</dt><dd>${accountId ?? 'all'}</dd>
<dt>Allowed addresses</dt><dd>${allowedAddresses.length === 0 ? 'any' : allowedAddresses.join(', ')}</dd>
<dt>Requests per window</dt><dd>${rateLimit ?? 'the limit of the settings'}</dd>`;
}

function lineageTable(request: SectionRequest, token: TokenRecord, lineage: readonly TokenRecord[]): Html {
  return html`<h2>Lineage</h2>
<p>Tokens that replaced each other by rotation, the newest first.</p>
<table><thead><tr><th scope="col">Token</th><th scope="col">State</th><th scope="col">Created</th><th scope="col">Expires</th></tr></thead><tbody>
${lineage.map(
  (one) =>
    html`<tr${one.id === token.id ? html` aria-current="true"` : null}><th scope="row"><a href="${request.to(`tokens/${one.id}`)}">#${one.id}</a> <code>${one.prefix}…</code></th>
<td>${shownState(request, one)}</td><td>${shownTime(one.createdAt)}</td><td>${shownTime(one.expiresAt)}</td></tr>
`,
)}</tbody></table>`;
}
