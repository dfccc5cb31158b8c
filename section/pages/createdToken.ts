import { setTimeout as sleep } from 'node:timers/promises';
import { isLoopback } from '../../lib/addresses/addresses';
import { withTimeout } from '../../lib/async/withTimeout';
import { printable } from '../../lib/errors/printable';
import { pathOf } from '../../lib/fields/Operation';
import type { Installation } from '../../lib/Installation';
import { causeFacts } from '../../lib/log/PanelLog';
import { authorizeRead } from '../../lib/requests/checkRead';
import type { CreatedToken } from '../../lib/tokens/createToken';
import type { TokenRecord } from '../../lib/tokens/TokenRecord';
import { code, type Html, html } from '../html';
import type { Page } from '../Page';
import type { SectionRequest } from '../SectionRequest';
import { OUTCOME } from '../sendOnce';

/**
 * Shows the plain token once. A token that is not shown is revoked. `outcome` is called when the token was sent, and
 * returns what became of the one that it replaces.
 */
export async function createdTokenPage(
  request: SectionRequest,
  created: CreatedToken,
  outcome?: () => Promise<Html>,
): Promise<Page> {
  const { token, record } = created;
  const { name, expiresAt } = record;
  return {
    title: request.text(outcome ? 'created.title.rotated' : 'created.title'),
    hasNotices: true,
    ifUnseen: unseenRevocation(request, record),
    ...(outcome && { outcome }),
    content: html`<p class="notice good" role="status">${request.text('created.once')}</p>
<div class="card secret" data-secret>
<p class="field"><label for="token">${request.text('created.token')}</label>
<span class="copyable"><input id="token" readonly value="${token}" spellcheck="false">${copyButton(request, 'token')}</span></p>
${await trial(request, created)}
</div>
${outcome && OUTCOME}
<p>${expiresAt === null ? request.words('created.everlasting', { name }) : request.words('created.expires', { name, time: request.relative(expiresAt) })}</p>
<p class="actions"><a class="button" href="${request.to(`tokens/${record.id}`)}">${request.text('created.done')}</a> <button type="button" data-hand-over="${request.to('reference')}" hidden>${request.text('created.reference')}</button></p>`,
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

async function findTrial({ installation, apiUrl }: SectionRequest, record: TokenRecord) {
  const operation = await firstReadable(installation, record);
  if (!operation) return null;
  const { protocol, hostname } = new URL(apiUrl);
  const isLocal = hostname === 'localhost' || isLoopback(hostname.replace(/^\[|\]$/g, ''));
  const isOpen = protocol === 'http:' && !isLocal;
  return { operation, needsHttps: isOpen && (await installation.settings.get('httpsRequired')) };
}

/** The first endpoint that answers this token with 200; null if there is none. */
async function firstReadable(installation: Installation, token: TokenRecord) {
  const reading = { token, settings: { suspendedAccounts: 'allow' } } as const;
  for (const endpoint of installation.endpoints) {
    if (await authorizeRead(reading, endpoint, installation).catch(() => null)) return endpoint;
  }
  return null;
}

/** The pauses before the revocation is tried again, in milliseconds: ten minutes in all. */
const PAUSES_MS = [1000, 4000, 15_000, 40_000, 120_000, 420_000];

/**
 * Returns the function that revokes a new token that was not shown. If the database fails, it tries again for ten
 * minutes, unless the process ends before. It never rejects: the log says which token is still valid.
 */
export function unseenRevocation({ author, installation, actor }: SectionRequest, { id }: TokenRecord) {
  const { tokens, log } = installation;
  const facts = { actor: printable(actor), token_id: id };
  return async () => {
    for (const pauseMs of [0, ...PAUSES_MS]) {
      if (pauseMs > 0) await sleep(pauseMs, undefined, { ref: false });
      try {
        await tokens.revoke(id, author);
        if (pauseMs > 0) log.info('panel-api unseen token revoked', facts);
        return;
      } catch (error) {
        if (pauseMs === 0) log.warn('panel-api unseen token not revoked', { ...facts, ...causeFacts(error) });
      }
    }
  };
}
