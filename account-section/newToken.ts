import { EVERY_SCOPE } from '../lib/fields/Operation';
import { bindingTo } from '../lib/tokens/TokenRecord';
import { expiryField } from '../section/expiryField';
import { type FieldProblems, ifWrong, problemAt, problemSummary } from '../section/field';
import { type Html, html } from '../section/html';
import type { Page, PageHandler } from '../section/Page';
import { createdTokenPage } from '../section/pages/createdToken';
import { creationKey } from '../section/pages/newToken';
import { type SectionRequest, wayOut } from '../section/SectionRequest';
import { addressesField, adjustedForm, nameField, scopeBoxes } from '../section/tokenFields';
import { fieldProblem, newTokenForm, type TokenForm, tokenRequest } from '../section/tokenForm';
import { COUNT_MS } from '../section/tokenSummary';
import { viewOf } from './AccountView';

const PATH = 'tokens/new';

/** The form of a new token, which a link may fill in. */
export const newTokenPage: PageHandler = async (request) =>
  formPage(request, await newTokenForm(request, request.query));

/** Creates the token and shows it in the answer to this form only. The account is the one that the panel named. */
export const createToken: PageHandler = async (request) => {
  const { fields, idempotencyKey } = await request.sent();
  const form = await newTokenForm(request, fields);
  const adjusted = await adjustedForm(request, fields, form);
  if (adjusted) return formPage(request, adjusted);
  const { api, author, person } = request;
  const key = { idempotencyKey: creationKey(idempotencyKey, form) };
  const ofAccount = { account_id: String(person.accountId), note: '', rate_limit: '' };
  const create = async () =>
    api.tokens.create({ ...tokenRequest({ ...form, ...ofAccount }), ...key }, author);
  return create()
    .then((created) => createdTokenPage(request, created))
    .catch(ifWrong((error) => formPage(request, form, [fieldProblem(request, form, error)])));
};

async function formPage(
  request: SectionRequest,
  form: TokenForm,
  problems: FieldProblems = [],
): Promise<Page> {
  const { refusal } = await viewOf(request).customer();
  const title = request.text('new.title');
  if (refusal)
    return { title, problem: request.text(`account.${refusal}`), content: wayOut(request), status: 403 };
  const addresses = addressesField(request, form, problems, PATH);
  const content = html`<div class="card">${nameField(request, form, problems)}${await scopesField(request, form, problems)}</div>
<div class="card">${await expiryField(request, form, request.text('form.expiry'), undefined, problems)}</div>
<details class="card"${form.addresses !== '' && html` open`}><summary>${request.text('form.addresses')}</summary>${addresses}</details>`;
  return {
    title,
    problem: problemSummary(request, problems),
    hasNotices: true,
    content: await request.form(PATH, content, {
      submit: request.text('new.create'),
      more: request.link('tokens', request.text('form.cancel')),
      keepsValues: true,
    }),
  };
}

/** The scopes that the settings allow, with the numbers of rows of the account; without those that no token of it can read. */
async function scopesField(request: SectionRequest, form: TokenForm, problems: FieldProblems): Promise<Html> {
  const { bounds, account } = await viewOf(request).customer();
  const rights = { scopes: bounds.scopes, ...bindingTo([account]) };
  const previews = await request.parts.previewAccess(rights, COUNT_MS);
  const isReadable = (scope: string) =>
    previews.some(
      ({ operation, state }) => operation.scope === scope && !['forbidden', 'missing'].includes(state),
    );
  const offered = bounds.scopes.filter((scope) => scope === EVERY_SCOPE || isReadable(scope));
  // The only one is the customer's choice already.
  const chosen = offered.length === 1 ? offered : form.scope;
  const { attributes, sentence } = problemAt(problems, 'scope', 'scopes-hint');
  const box = scopeBoxes(request, chosen, previews);
  const owner = html`<p class="choice"><label><input type="checkbox" name="owner" value="yes"${form.owner !== '' && html` checked`}> <span>${request.text('form.owner')}</span></label></p>`;
  const hasOwners = bounds.customerOwner && (await request.parts.panelAccounts.haveOwners());
  return html`<fieldset id="scopes"><legend>${request.text('form.scopes')}</legend><small id="scopes-hint">${request.text('account.scopes.hint')}</small>${sentence}
${offered.length === 0 && html`<p class="notice warn">${request.text('account.nothing')}</p>`}
${offered.map((scope, index) => box(scope, index === 0 ? html` id="scope"${attributes}` : undefined))}
${hasOwners && owner}</fieldset>`;
}
