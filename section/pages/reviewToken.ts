import { InvalidInput } from '../../lib/errors/InvalidInput';
import { previewAccess } from '../../lib/lists/previewAccess';
import { checkTokenRequest } from '../../lib/tokens/checkTokenRequest';
import { html, shownTime } from '../html';
import type { PageHandler } from '../SectionRequest';
import { fieldsOf, readTokenForm, type TokenForm, tokenRequest } from '../tokenForm';
import { defaultExpiry, tokenFormPage } from './newToken';

/** What the token will be and will be able to see, in numbers, before it is made. */
export const reviewTokenPage: PageHandler = async (request) => {
  const form = readTokenForm(request.query, await defaultExpiry(request));
  try {
    const checked = checkTokenRequest(
      tokenRequest(form),
      request.installation.scopes,
      Math.floor(Date.now() / 1000),
    );
    const counts = await previewAccess(request.installation, checked);
    const most = Math.max(1, ...counts.map(({ items }) => items ?? 0));
    return {
      title: 'Review the token',
      hasNotices: true,
      content: html`<dl class="facts">
<dt>Name</dt><dd>${checked.name}</dd>
<dt>May read</dt><dd>${checked.scopes.map((scope) => html`<code>${scope}</code> `)}</dd>
<dt>Account</dt><dd>${checked.accountId ?? 'all'}</dd>
<dt>From</dt><dd>${checked.allowedAddresses.length === 0 ? 'anywhere' : checked.allowedAddresses.join(', ')}</dd>
<dt>Requests in one window</dt><dd>${checked.rateLimit ?? 'as the settings say'}</dd>
<dt>Expires</dt><dd>${shownTime(checked.expiresAt)}</dd>
</dl>
<h2>What it will be able to see today</h2>
<table class="counts"><thead><tr><th scope="col">Endpoint</th><th scope="col">Rows</th></tr></thead><tbody>
${counts.map(
  ({ operation, items, state }) => html`<tr><th scope="row">${operation.title}</th>
<td>${items === null ? SAID[state] : html`<meter min="0" max="${most}" value="${items}" aria-hidden="true"></meter> ${items.toLocaleString('en')}`}</td></tr>
`,
)}</tbody></table>
${await request.form('tokens', sendAgain(form))}
<p><a href="${request.to(`tokens/new?${new URLSearchParams(fieldsOf(form).map(([name, value]): [string, string] => [name, value]))}`)}">Change something</a></p>`,
    };
  } catch (error) {
    if (error instanceof InvalidInput) return tokenFormPage(request, form, error);
    throw error;
  }
};

const SAID = {
  counted: '',
  object: 'all of it',
  forbidden: 'nothing: it does not say which account it belongs to',
  missing: 'nothing: this panel does not supply it',
  failed: 'cannot be counted at the moment',
} as const;

function sendAgain(form: TokenForm) {
  return html`${fieldsOf(form).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">
`,
  )}<p class="actions"><button class="primary">Make the token</button></p>`;
}
