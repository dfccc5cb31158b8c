import { grants, pathOf } from '../../lib/operations/OperationFacts';
import type { CreatedToken } from '../../lib/tokens/makeToken';
import type { RotatedToken } from '../../lib/tokens/rotateToken';
import { type Html, html } from '../html/html';
import { shownTime } from '../html/shownTime';
import type { Page } from '../Page';
import type { Visit } from '../Visit';

/** The plain token, this once; after a rotation, how long the old one is good, too. */
export function madePage(visit: Visit, made: CreatedToken | RotatedToken): Page {
  const { token, record } = made;
  const { operations } = visit.installation;
  const first = operations.find((operation) => grants(record.scopes, operation));
  const url = visit.apiUrl + (first ? pathOf(first) : '');
  return {
    title: 'previous' in made ? 'The new secret is made' : 'The token is made',
    saysWhenOff: true,
    content: html`<p class="notice" role="status">Copy it now. It is shown this once and kept nowhere.</p>
${'previous' in made ? replaced(visit, made) : null}
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

function replaced(visit: Visit, { record, previous }: RotatedToken): Html {
  const link = (word: string, id: number) => html`<a href="${visit.to(`tokens/${id}`)}">${word} ${id}</a>`;
  const until =
    previous.state === 'active'
      ? html`is good until ${shownTime(previous.expiresAt)}`
      : html`is no longer good`;
  return html`<p>${link('Token', record.id)} replaces ${link('token', previous.id)}, which ${until}.</p>`;
}
