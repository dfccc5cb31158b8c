import { isLocalHost } from '../../lib/addresses/requestOrigin';
import { withTimeout } from '../../lib/async/withTimeout';
import { pathOf } from '../../lib/fields/Operation';
import type { CreatedToken, TokenRecord } from '../../lib/tokens/TokenRecord';
import { code, type Html, html } from '../html';
import type { Page } from '../Page';
import type { SectionRequest } from '../SectionRequest';

/** Shows the plain token once. `replacement` says what becomes of the token that it replaces. */
export async function createdTokenPage(
  request: SectionRequest,
  created: CreatedToken,
  replacement?: Html,
): Promise<Page> {
  const { token, record } = created;
  const { name, expiresAt } = record;
  return {
    title: request.text(replacement ? 'created.title.rotated' : 'created.title'),
    hasNotices: true,
    content: html`<p class="notice good" role="status">${request.text('created.once')}</p>
<div class="card secret" data-secret>
<p class="field"><label for="token">${request.text('created.token')}</label>
<span class="copyable"><input id="token" readonly value="${token}" spellcheck="false">${copyButton(request, 'token')}</span></p>
${await trial(request, created)}
</div>
${replacement}
<p>${expiresAt === null ? request.words('created.everlasting', { name }) : request.words('created.expires', { name, time: request.relative(expiresAt) })}</p>
<p class="actions"><a class="button" href="${request.to(`tokens/${record.id}`)}">${request.text('created.done')}</a></p>`,
  };
}

function copyButton(request: SectionRequest, id: 'token' | 'curl'): Html {
  return html`<button type="button" data-copy="${id}" data-copied="${request.text('frame.copied')}" aria-label="${request.text(`created.copy.${id}`)}" hidden>${request.text('created.copy')}</button>`;
}

/** How long the page of a new token searches for an endpoint to try it with, in milliseconds. */
const SEARCH_TIMEOUT_MS = 1000;

/** A request that the token can send here, and what else it needs. Never rejects, because the token must be shown. */
async function trial(request: SectionRequest, { token, record }: CreatedToken): Promise<Html | null> {
  const search = findTrial(request, record);
  const found = await withTimeout(search, SEARCH_TIMEOUT_MS).catch(() => undefined);
  if (found === undefined) return null;
  if (found === null) return html`<p>${request.text('created.curl.none')}</p>`;
  const { operation, needsHttps } = found;
  const url = request.apiUrl + pathOf(operation);
  // A list may be long.
  const shown = operation.kind === 'list' ? `'${url}?limit=5'` : url;
  const addresses = record.allowedAddresses.map((address) => html`${code(address)} `);
  return html`<p class="field"><label for="curl">${request.text('created.curl')}</label>
<span class="copyable"><textarea id="curl" readonly rows="3" spellcheck="false">curl -s -H 'Authorization: Bearer ${token}' ${shown}</textarea>${copyButton(request, 'curl')}</span>
${needsHttps && html`<small>${request.words('created.curl.https')}</small>`}
${addresses.length > 0 && html`<small>${request.words('created.curl.addresses', { addresses })}</small>`}</p>`;
}

async function findTrial({ api, parts, apiUrl }: SectionRequest, record: TokenRecord) {
  const operation = await parts.firstReadable(record);
  if (!operation) return null;
  const { protocol, hostname } = new URL(apiUrl);
  const isOpen = protocol === 'http:' && !isLocalHost(hostname);
  return { operation, needsHttps: isOpen && (await api.settings.get('httpsRequired')) };
}
