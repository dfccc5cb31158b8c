import type { TokenRecord } from '../../lib/tokens/TokenRecord';
import { SectionFailure } from '../forms';
import { type Html, html, shownTime } from '../html';
import type { PageHandler, SectionRequest } from '../SectionRequest';
import { usageChart } from '../usageChart';
import { auditTable } from './audit';
import { stateOf } from './tokens';

const SHOWN_DAYS = 30;
const SHOWN_ENTRIES = 50;

/** Everything about one token. */
export const tokenPage: PageHandler = async (request) => {
  const token = await requestedToken(request);
  const { tokens, usage, audit } = request.installation;
  const [lineage, used, entries] = await Promise.all([
    tokens.lineage(token.id),
    usage.ofToken(token.id, { days: SHOWN_DAYS }),
    audit.list({ tokenId: token.id, limit: SHOWN_ENTRIES }),
  ]);
  return {
    title: token.name,
    hasNotices: true,
    content: html`${actions(request, token)}
${facts(token)}
${lineage.length > 1 ? lineageTable(request, token, lineage) : null}
<h2>Requests of the last ${SHOWN_DAYS} days</h2>
${usageChart(used, token.readAt, SHOWN_DAYS)}
<h2>Audit trail</h2>
${auditTable(request, entries)}
<p><a href="${request.to(`audit?token=${token.id}`)}">All entries about this token</a></p>`,
  };
};

function actions(request: SectionRequest, { id, state, rotatedAt }: TokenRecord): Html | null {
  if (state !== 'active') return null;
  return html`<p class="actions">${rotatedAt === null ? html`<a class="button" href="${request.to(`tokens/${id}/rotate`)}">Rotate</a> ` : null}<a class="button danger" href="${request.to(`tokens/${id}/revoke`)}">Revoke</a></p>`;
}

function facts(token: TokenRecord): Html {
  return html`<dl class="facts">
<dt>State</dt><dd><span class="state ${token.state}">${stateOf(token)}</span></dd>
<dt>First characters</dt><dd><code>${token.prefix}…</code></dd>
<dt>May read</dt><dd>${token.scopes.map((scope) => html`<code>${scope}</code> `)}</dd>
<dt>Account</dt><dd>${token.accountId ?? 'all'}</dd>
<dt>From</dt><dd>${token.allowedAddresses.length === 0 ? 'anywhere' : token.allowedAddresses.join(', ')}</dd>
<dt>Requests in one window</dt><dd>${token.rateLimit ?? 'as the settings say'}</dd>
<dt>Made</dt><dd>${shownTime(token.createdAt)} by ${token.createdBy}</dd>
<dt>Last used</dt><dd>${shownTime(token.lastUsedAt)}</dd>
<dt>Expires</dt><dd>${shownTime(token.expiresAt)}</dd>
${
  token.rotatedAt === null
    ? null
    : html`<dt>Replaced</dt><dd>${shownTime(token.rotatedAt)}</dd>
`
}${
  token.revokedAt === null
    ? null
    : html`<dt>Revoked</dt><dd>${shownTime(token.revokedAt)} by ${token.revokedBy}</dd>
`
}</dl>`;
}

function lineageTable(request: SectionRequest, token: TokenRecord, lineage: readonly TokenRecord[]): Html {
  return html`<h2>Lineage</h2>
<p>These are one token with several secrets, the newest first.</p>
<table><thead><tr><th scope="col">Token</th><th scope="col">State</th><th scope="col">Made</th><th scope="col">Expires</th></tr></thead><tbody>
${lineage.map(
  (
    one,
  ) => html`<tr${one.id === token.id ? html` aria-current="true"` : null}><th scope="row"><a href="${request.to(`tokens/${one.id}`)}">#${one.id}</a> <code>${one.prefix}…</code></th>
<td><span class="state ${one.state}">${stateOf(one)}</span></td><td>${shownTime(one.createdAt)}</td><td>${shownTime(one.expiresAt)}</td></tr>
`,
)}</tbody></table>`;
}

/** The token that the page's path names. Throws SectionFailure where there is none. */
export async function requestedToken({ path, installation }: SectionRequest): Promise<TokenRecord> {
  const [, , id = ''] = path.split('/');
  const record = /^[1-9]\d{0,9}$/.test(id) ? await installation.tokens.get(Number(id)) : null;
  if (!record) throw new SectionFailure('not_found');
  return record;
}

/** Asks once more before a token ends for good. */
export const revokeTokenPage: PageHandler = async (request) => {
  const { id, name, prefix, lastUsedAt, state } = await requestedToken(request);
  if (state === 'revoked') return { goTo: `tokens/${id}` };
  return {
    title: `Revoke ${name}?`,
    content: html`<p>From the next request on, <code>${prefix}…</code> is refused. Nothing brings it back.
It was last used: ${shownTime(lastUsedAt)}.</p>
${await request.form(`tokens/${id}/revoke`, html`<p class="actions"><button class="danger">Revoke it</button> <a href="${request.to(`tokens/${id}`)}">Keep it</a></p>`)}`,
  };
};

/** Revokes the token. */
export const revokeToken: PageHandler = async (request) => {
  await request.sent();
  const { id } = await requestedToken(request);
  await request.installation.tokens.revoke(id, request.author);
  return { goTo: `tokens/${id}` };
};
