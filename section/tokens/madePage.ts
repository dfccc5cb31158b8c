import { grants, pathOf } from '../../lib/operations/OperationFacts';
import type { CreatedToken } from '../../lib/tokens/makeToken';
import { html } from '../html/html';
import { shownTime } from '../html/shownTime';
import type { Page } from '../Page';
import type { Visit } from '../Visit';

/** The plain token, this once. */
export function madePage(visit: Visit, { token, record }: CreatedToken): Page {
  const { operations } = visit.installation;
  const first = operations.find((operation) => grants(record.scopes, operation));
  const url = visit.apiUrl + (first ? pathOf(first) : '');
  return {
    title: 'The token is made',
    saysWhenOff: true,
    content: html`<p class="notice" role="status">Copy it now. It is shown this once and kept nowhere.</p>
<div class="secret" data-secret>
<p class="field"><label for="token">Token</label>
<span class="copyable"><input id="token" readonly value="${token}" spellcheck="false"><button type="button" data-copy="token" hidden>Copy</button></span></p>
<p class="field"><label for="curl">Try it</label>
<span class="copyable"><textarea id="curl" readonly rows="3" spellcheck="false">curl -s -H 'Authorization: Bearer ${token}' ${url}</textarea><button type="button" data-copy="curl" hidden>Copy</button></span></p>
</div>
<p>${record.name} expires: ${shownTime(record.expiresAt)}.</p>
<p><a href="${visit.to(`tokens/${record.id}`)}">To the token</a> · <a href="${visit.to('tokens')}">To all tokens</a></p>`,
  };
}
