import { previewAccess } from '../../lib/lists/previewAccess';
import { type CheckedTokenRequest, checkTokenRequest } from '../../lib/tokens/checkTokenRequest';
import { tokenWarnings } from '../../lib/tokens/tokenWarnings';
import { accountWords } from '../accountField';
import { meantAccounts } from '../accounts';
import { checkTokenForm } from '../checkTokenForm';
import { type Html, html } from '../html';
import type { PageHandler } from '../Page';
import type { SectionRequest } from '../SectionRequest';
import { fieldsInUrl, sealedForm, sealedFormId } from '../sealedForm';
import type { TextKey } from '../texts';
import { permissions, shownTwice } from '../tokenFacts';
import { adjustedForm } from '../tokenFields';
import { fieldsOf, newTokenForm, type TokenForm, tokenRequest } from '../tokenForm';
import { REVIEW, tokenFormPage } from './newToken';

/** Goes on with the submitted form: to its review, or back to it if another of its buttons was pressed. */
export const sendTokenForm: PageHandler = async (request) => {
  const { fields } = await request.sent();
  const form = await newTokenForm(request, fields);
  const adjusted = await adjustedForm(request, fields, form);
  const page = adjusted ? 'tokens/new' : REVIEW;
  return { goTo: `${page}?${await sealedForm(request, fieldsOf(adjusted ?? form))}` };
};

/** Shows a token before it is created, with how much it will be able to read. */
export const reviewTokenPage: PageHandler = async (request) => {
  const form = await newTokenForm(request, await fieldsInUrl(request));
  const checked = await checkTokenForm(request, form);
  if (checked.problems.length > 0) return tokenFormPage(request, form, checked);
  const now = Math.floor(Date.now() / 1000);
  const token = checkTokenRequest(tokenRequest(checked.form), request.tokenRules, now);
  return {
    title: request.text('review.title'),
    hasNotices: true,
    content: html`${warnings(request, token, now)}
${await facts(request, token, form.duplicateOf)}
<h2>${request.text('review.counts')}</h2>
${await counts(request, token)}
${await request.form(
  'tokens',
  html`${hidden(checked.form)}<input type="hidden" name="${FORM_ID}" value="${sealedFormId(request)}"><p class="actions"><button class="primary">${request.text('review.create')}</button> <a href="${request.to(`tokens/new?${await sealedForm(request, fieldsOf(checked.form))}`)}">${request.text('review.change')}</a></p>
`,
)}`,
  };
};

/** The field that names the submitted form. */
export const FORM_ID = 'form_id';

function hidden(form: TokenForm): readonly Html[] {
  return [...fieldsOf(form)].map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">
`,
  );
}

const NEW = { state: 'active', lastUsedAt: null, rotatedAt: null } as const;

/** The warnings that its page and the list will show, as sentences. That it expires soon was just chosen. */
function warnings(request: SectionRequest, token: CheckedTokenRequest, now: number): Html | null {
  const found = tokenWarnings({ ...token, ...NEW, createdAt: now, readAt: now });
  const sentences = (['wildcard', 'everlasting'] as const)
    .filter((warning) => found.includes(warning))
    .map((warning) => html`<li>${request.text(`review.${warning}`)}</li>`);
  return sentences.length === 0 ? null : html`<div class="notice warn"><ul>${sentences}</ul></div>`;
}

async function facts(
  request: SectionRequest,
  token: CheckedTokenRequest,
  duplicateOf: string,
): Promise<Html> {
  return html`<dl class="facts">
<dt>${request.text('token.name')}</dt><dd>${token.name}</dd>
${token.note === null ? null : html`<dt>${request.text('token.note')}</dt><dd class="lines">${token.note}</dd>`}
${duplicateOf && html`<dt>${request.text('review.duplicate_of')}</dt><dd><a href="${request.to(`tokens/${duplicateOf}`)}">#${duplicateOf}</a></dd>`}
${permissions(request, token, await shownAccount(request, token))}
<dt>${request.text('token.expires')}</dt><dd>${shownTwice(request, token.expiresAt)}</dd>
</dl>`;
}

/** The account with its name; undefined if it is all, or if there is no list to find it in. */
async function shownAccount(
  { installation, text }: SectionRequest,
  { accountId }: CheckedTokenRequest,
): Promise<Html | undefined> {
  const found = accountId === null ? null : await meantAccounts(installation, accountId);
  if (accountId === null || found === null) return undefined;
  const account = found.find(({ id }) => id === accountId);
  return account ? accountWords(account) : html`${text('review.account.unlisted', { id: accountId })}`;
}

async function counts(request: SectionRequest, token: CheckedTokenRequest): Promise<Html> {
  const previews = await previewAccess(request.installation, token);
  const most = Math.max(1, ...previews.map(({ items }) => items ?? 0));
  const rows = previews.map(({ operation, items, state }) => {
    const count =
      state === 'counted' && items !== null
        ? html`<meter min="0" max="${most}" value="${items}" aria-hidden="true"></meter> ${request.number(items)}`
        : request.text(`review.${state === 'counted' ? 'failed' : state}`);
    return html`<tr><th scope="row">${request.text(`endpoint.${operation.name}` as TextKey & `endpoint.${string}`)}</th><td>${count}</td></tr>
`;
  });
  return html`<table class="counts"><thead><tr><th scope="col">${request.text('review.endpoint')}</th><th scope="col">${request.text('review.rows')}</th></tr></thead><tbody>
${rows}</tbody></table>`;
}
