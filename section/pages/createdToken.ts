import { isLocalHost } from '../../lib/addresses/requestOrigin';
import { withTimeout } from '../../lib/async/withTimeout';
import { pathOf } from '../../lib/fields/Operation';
import type { CreatedToken, TokenRecord } from '../../lib/tokens/TokenRecord';
import { assistantLines, mcpUrl, programLines } from '../clientLines';
import { code, type Html, html, listed } from '../html';
import type { Page } from '../Page';
import type { SectionRequest } from '../SectionRequest';
import { factList, scopeChips } from '../tokenFacts';

/**
 * Shows the plain token once. `replacement` says what becomes of the token that it replaces. A customer also gets the lines
 * for programs: an administrator finds them on other pages.
 */
export async function createdTokenPage(
  request: SectionRequest,
  created: CreatedToken,
  replacement?: Html,
): Promise<Page> {
  const { token, record } = created;
  const search = findTrial(request, record);
  // The token must be shown in any case.
  const found = await withTimeout(search, SEARCH_TIMEOUT_MS).catch(() => undefined);
  return {
    title: request.text(replacement ? 'created.title.rotated' : 'created.title'),
    hasNotices: true,
    content: html`<p class="notice warn" role="status">${request.text('created.once')}</p>
<div class="card secret" data-secret>
<p class="field"><label for="token">${request.text('created.token')}</label>
<span class="copyable"><input id="token" readonly value="${token}" spellcheck="false">${copyButton(request, 'token')}</span></p>
${factList(request, {
  'token.name': record.name,
  'summary.reads': scopeChips(request, record.scopes),
  'token.expires': request.relativeAndExact(record.expiresAt),
})}
${found !== undefined && trial(request, created, found)}
</div>
${replacement}${found && request.isCustomer && linesForPrograms(request, found)}
<p class="actions"><a class="button" href="${request.to(`tokens/${record.id}`)}">${request.text('created.done')}</a></p>`,
  };
}

function copyButton(request: SectionRequest, id: 'token' | 'curl'): Html {
  return html`<button type="button"${id === 'token' && html` class="primary" autofocus`} data-copy="${id}" data-copied="${request.text('frame.copied')}" aria-label="${request.text(`created.copy.${id}`)}" hidden>${request.text('created.copy')}</button>`;
}

/** How long the page of a new token searches for an endpoint to try it with, in milliseconds. */
const SEARCH_TIMEOUT_MS = 1000;

/** A request that the token can send here, and what else it needs; null if it can read nothing. */
function trial(request: SectionRequest, { token, record }: CreatedToken, found: Found): Html {
  if (found === null) return html`<p>${request.text('created.curl.none')}</p>`;
  const { operation, needsHttps } = found;
  const url = request.apiUrl + pathOf(operation);
  // A list may be long.
  const shown = operation.kind === 'list' ? `'${url}?limit=5'` : url;
  const addresses = record.allowedAddresses.map(code);
  return html`<p class="field"><label for="curl">${request.text('created.curl')}</label>
<span class="copyable"><textarea id="curl" readonly rows="3" spellcheck="false">curl -s -H 'Authorization: Bearer ${token}' ${shown}</textarea>${copyButton(request, 'curl')}</span>
${needsHttps && html`<small>${request.words('created.curl.https')}</small>`}
${addresses.length > 0 && html`<small>${request.words('created.curl.addresses', { addresses: listed(addresses) })}</small>`}</p>`;
}

function linesForPrograms(request: SectionRequest, { operation, mcp }: NonNullable<Found>): Html {
  const part = (title: 'program' | 'assistant', lines: Html) =>
    html`<details class="card"><summary><h2>${request.text(`created.${title}`)}</h2></summary>${lines}</details>`;
  return html`${part('program', programLines(request, operation))}${mcp !== null && part('assistant', assistantLines(request, mcp))}`;
}

/** What a token can be tried with, or null. */
type Found = Awaited<ReturnType<typeof findTrial>>;

/** `mcp` is the address of the MCP server, if assistants may read. */
async function findTrial(request: SectionRequest, record: TokenRecord) {
  const { api, parts, apiUrl } = request;
  const operation = await parts.firstReadable(record);
  if (!operation) return null;
  const { protocol, hostname } = new URL(apiUrl);
  const isOpen = protocol === 'http:' && !isLocalHost(hostname);
  const url = mcpUrl(request);
  const needsHttps = isOpen && (await api.settings.get('httpsRequired'));
  const mcp = url !== null && (await api.settings.get('assistantsEnabled')) ? url : null;
  return { operation, needsHttps, mcp };
}
