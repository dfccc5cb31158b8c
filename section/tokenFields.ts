import { clientAddress } from '../lib/addresses/clientAddress';
import { accountField } from './accountField';
import type { Findings } from './checkTokenForm';
import { expiryField } from './expiryField';
import { problemAt } from './fieldProblems';
import { type Html, html } from './html';
import type { SectionRequest } from './SectionRequest';
import { presetScopes, scopeFields } from './scopeFields';
import type { TokenForm } from './tokenForm';

/** What the fields show beside the values, and where their buttons lead. */
interface TokenFieldsOptions extends Findings {
  /** The path that the form is sent to. See `adjustedForm`. */
  readonly action: string;
  /** The words for the present expiry of a token, if the form offers to keep that. */
  readonly keep?: Html;
}

/** The fields of a token, without the form around them. */
export async function tokenFields(
  request: SectionRequest,
  form: TokenForm,
  { action, keep, ...found }: TokenFieldsOptions,
): Promise<Html> {
  const { problems } = found;
  type Id = 'name' | 'note' | 'addresses' | 'rate_limit';
  const field = (id: Id, control: (attributes: Html) => Html, more: Html | null = null) => {
    const { attributes, sentence } = problemAt(problems, id);
    return html`<p class="field"><label for="${id}">${request.text(`form.${id}`)}</label>
${control(html` id="${id}" name="${id}"${attributes}`)}
${sentence}<small id="${id}-hint">${request.words(`form.${id}.hint`)}</small>${more}</p>
`;
  };
  const isBlank = form.name === '' && problems.length === 0;
  const name = (its: Html) =>
    html`<input${its} value="${form.name}" maxlength="128" required${isBlank ? html` autofocus` : null}>`;
  const note = (its: Html) => html`<textarea${its} rows="2" maxlength="500">${form.note}</textarea>`;
  const addresses = (its: Html) =>
    html`<textarea${its} rows="3" maxlength="4000" spellcheck="false">${form.addresses}</textarea>`;
  const rateLimit = (its: Html) =>
    html`<input${its} value="${form.rateLimit}" inputmode="numeric" pattern="[0-9]*" size="10" maxlength="10">`;
  const restricted = form.account + form.addresses + form.rateLimit !== '';
  return html`${field('name', name)}${field('note', note)}${await scopeFields(request, form.scopes, problems, request.to(`${action}#scopes`))}
${expiryField(request, form, { legend: request.text('form.expiry'), keep, problems })}
<details${restricted ? html` open` : null}><summary>${request.text('form.restrictions')}</summary>
${await accountField(request, form.account, found)}${field('addresses', addresses, ownAddress(request, request.to(`${action}#addresses`)))}${field('rate_limit', rateLimit)}</details>`;
}

function ownAddress(request: SectionRequest, formAction: string): Html {
  const address = clientAddress(request.ctx);
  return html` <button class="quiet" name="add_address" value="${address}" formaction="${formAction}" formnovalidate data-add="addresses" data-done="${request.text('form.addresses.added')}">${request.words('form.addresses.add', { address: html`<code>${address}</code>` })}</button>`;
}

/** The form as a button of its fields has changed it; undefined if no such button was pressed. */
export async function adjustedForm(
  request: SectionRequest,
  fields: URLSearchParams,
  form: TokenForm,
): Promise<TokenForm | undefined> {
  const address = fields.get('add_address');
  if (address !== null) return { ...form, addresses: `${form.addresses}\n${address}`.trim() };
  if (!fields.has('preset')) return undefined;
  return { ...form, scopes: (await presetScopes(request, fields.get('preset'))) ?? form.scopes };
}
