import { previewAccess } from '../../lib/lists/previewAccess';
import { type CheckedTokenRequest, checkTokenRequest } from '../../lib/tokens/checkTokenRequest';
import { html, shownTime } from '../html';
import type { Page, PageHandler } from '../Page';
import type { SectionRequest } from '../SectionRequest';
import { permissions } from '../tokenFacts';
import { fieldsOf, type TokenForm, tokenFormOf, tokenRequest } from '../tokenForm';
import { tokenProblems } from '../tokenProblems';
import { tokenFormPage } from './newToken';

/** Shows a token before it is created, with how much it will be able to read. */
export const reviewTokenPage: PageHandler = async (request) => {
  const form = await tokenFormOf(request);
  const problems = tokenProblems(request, form);
  if (problems.length > 0) return tokenFormPage(request, form, problems);
  const now = Math.floor(Date.now() / 1000);
  return review(request, form, checkTokenRequest(tokenRequest(form), request.installation.scopes, now));
};

async function review(request: SectionRequest, form: TokenForm, token: CheckedTokenRequest): Promise<Page> {
  const counts = await previewAccess(request.installation, token);
  const most = Math.max(1, ...counts.map(({ items }) => items ?? 0));
  const fields = fieldsOf(form);
  const hidden = [...fields].map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">
`,
  );
  return {
    title: 'Review the token',
    hasNotices: true,
    content: html`<dl class="facts">
<dt>Name</dt><dd>${token.name}</dd>
${permissions(request, token)}
<dt>Expires</dt><dd>${shownTime(token.expiresAt)}</dd>
</dl>
<h2>What the token can read today</h2>
<table class="counts"><thead><tr><th scope="col">Endpoint</th><th scope="col">Rows</th></tr></thead><tbody>
${counts.map(
  ({ operation, items, state }) => html`<tr><th scope="row">${operation.title}</th>
<td>${items === null ? STATES[state] : html`<meter min="0" max="${most}" value="${items}" aria-hidden="true"></meter> ${items.toLocaleString('en')}`}</td></tr>
`,
)}</tbody></table>
${await request.form('tokens', html`${hidden}<p class="actions"><button class="primary">Create the token</button></p>`)}
<p><a href="${request.to(`tokens/new?${fields}`)}">Change something</a></p>`,
  };
}

/** The words for an endpoint without a count. */
const STATES = {
  counted: '',
  object: 'all data',
  forbidden: 'nothing: the panel does not provide the account of these rows',
  missing: 'nothing: this panel does not provide this data',
  failed: 'cannot be counted at the moment',
} as const;
