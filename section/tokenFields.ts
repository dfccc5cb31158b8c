import { clientAddress } from '../lib/addresses/clientAddress';
import { expiryField } from './expiryField';
import { type FieldProblems, problemAt } from './fieldProblems';
import { type Html, html } from './html';
import type { SectionRequest } from './SectionRequest';
import { scopeFields } from './scopeFields';
import type { TokenForm } from './tokenForm';

/** What the fields show beside the values. */
interface TokenFieldsOptions {
  readonly problems?: FieldProblems;
  /** The words for the present expiry of a token, if the form offers to keep that. */
  readonly keep?: Html;
  /** The page that applies a preset. Default: the page that the form is sent to. */
  readonly presetsAt?: string;
}

/** The fields of a token, without the form around them. */
export async function tokenFields(
  request: SectionRequest,
  form: TokenForm,
  { problems = [], keep, presetsAt }: TokenFieldsOptions = {},
): Promise<Html> {
  type Id = 'name' | 'note' | 'account' | 'addresses' | 'rate_limit';
  const field = (id: Id, control: (attributes: Html) => Html, more: Html | null = null) => {
    const { attributes, sentence } = problemAt(request, problems, id);
    return html`<p class="field"><label for="${id}">${request.text(`form.${id}`)}</label>
${control(html` id="${id}" name="${id}"${attributes}`)}
${sentence}<small id="${id}-hint">${request.words(`form.${id}.hint`)}</small>${more}</p>
`;
  };
  const scopes = problemAt(request, problems, 'scope');
  const isBlank = form.name === '' && problems.length === 0;
  const restricted = form.account + form.addresses + form.rateLimit !== '';
  const address = html`<code>${clientAddress(request.ctx)}</code>`;
  return html`${field('name', (its) => html`<input${its} value="${form.name}" maxlength="128" required${isBlank ? html` autofocus` : null}>`)}${field('note', (its) => html`<textarea${its} rows="2" maxlength="500">${form.note}</textarea>`)}<fieldset><legend>${request.text('form.scopes')}</legend>
${scopes.sentence}${await scopeFields(request, form.scopes, scopes.attributes, presetsAt)}</fieldset>
${expiryField(request, form, { legend: request.text('form.expiry'), keep, problems })}
<details${restricted ? html` open` : null}><summary>${request.text('form.restrictions')}</summary>
${field('account', (its) => html`<input${its} value="${form.account}" maxlength="128">`)}${field(
  'addresses',
  (its) => html`<textarea${its} rows="3" maxlength="4000" spellcheck="false">${form.addresses}</textarea>`,
  html` <small>${request.words('form.addresses.yours', { address })}</small>`,
)}${field('rate_limit', (its) => html`<input${its} value="${form.rateLimit}" inputmode="numeric" pattern="[0-9]*" size="10" maxlength="10">`)}</details>`;
}
