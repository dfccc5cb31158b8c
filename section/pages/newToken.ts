import { createHash } from 'node:crypto';
import type { TokenProperties } from '../../lib/tokens/TokenRecord';
import type { Findings } from '../accounts';
import { lifetimeOf } from '../expiryField';
import { type FieldProblems, ifWrong, problemSummary } from '../field';
import { type Html, html } from '../html';
import type { Page, PageHandler } from '../Page';
import type { SectionRequest } from '../SectionRequest';
import { requestedToken } from '../tokenAction';
import { adjustedForm, tokenFields } from '../tokenFields';
import {
  checkTokenForm,
  fieldProblem,
  fieldsOf,
  formOfToken,
  newTokenForm,
  type TokenForm,
  tokenRequest,
} from '../tokenForm';
import { tokenSummary } from '../tokenSummary';
import { createdTokenPage } from './createdToken';

/** The form of a new token, filled in by a link: with a purpose or with values. */
export const newTokenPage: PageHandler = async (request) => {
  const form = await newTokenForm(request, request.query);
  return tokenFormPage(request, (await adjustedForm(request, request.query, form)) ?? form);
};

/**
 * The form of a new token, filled in with the values of this one, which may have ended: then its duplicate
 * replaces it and keeps its name.
 */
export const duplicateToken: PageHandler = async (request) => {
  const token = await requestedToken(request);
  const { name, state } = token;
  const { expiry } = await newTokenForm(request, new URLSearchParams());
  const form = {
    ...formOfToken(token),
    name: state === 'active' ? request.text('duplicate.name', { name }) : name,
    expiry: lifetimeOf(token) ?? expiry,
  };
  return tokenFormPage(request, form);
};

const SUMMARY = 'tokens/review';
const FORM_PLACE = 'token-form';

/** The field by which the script knows a form again whose page is loaded anew. Else the form's token does. */
const FORM_ID = 'form_id';

/**
 * The form as it was filled in, with what its check found. The script shows the summary beside it, which without a script
 * is the next page.
 */
async function tokenFormPage(
  request: SectionRequest,
  form: TokenForm,
  found: Findings = { problems: [] },
  formId = '',
): Promise<Page> {
  // Without a script, this is all that the page says before the form is sent.
  const { problems } = found.problems.length > 0 ? found : await checkTokenForm(request, form);
  const fields = await request.form(
    SUMMARY,
    html`<button hidden></button>
${await tokenFields(request, form, { ...found, action: SUMMARY })}`,
    {
      fields: [[FORM_ID, formId]],
      attributes: html` id="${FORM_PLACE}" data-summarized="summary"`,
      keepsValues: true,
    },
  );
  return {
    title: request.text('new.title'),
    problem: problemSummary(request, found.problems),
    hasNotices: true,
    content: html`<div class="creating">${fields}
<section class="card summary" aria-labelledby="summary-title"><h2 id="summary-title">${request.text('summary.title')}</h2>
<div id="summary">${unfinished(request, problems)}</div></section></div>`,
  };
}

/** What must be corrected before there is a summary, and the button that sends the form. */
function unfinished(request: SectionRequest, problems: FieldProblems): Html {
  return html`<div class="unfinished">${problemSummary(request, problems)}</div>
<p class="actions"><button class="primary" form="${FORM_PLACE}">${request.text('new.continue')}</button> ${cancel(request)}</p>`;
}

function cancel(request: SectionRequest): Html {
  return request.link('tokens', request.text('form.cancel'));
}

/** The button that shows the first rows. A link cannot do that, only a form that this section has shown. */
const ROWS = 'rows';

/** The field by which the script asks for the summary while a person types: no answer to it is an error. */
const LIVE = 'live';

/** The summary of the submitted form, or the form again if it is wrong or another of its buttons was pressed. */
export const sendTokenForm: PageHandler = async (request) => {
  const { fields, idempotencyKey } = await request.sent();
  const form = await newTokenForm(request, fields);
  const adjusted = fields.has('back') ? form : await adjustedForm(request, fields, form);
  const formId = fields.get(FORM_ID) || idempotencyKey;
  if (adjusted) return tokenFormPage(request, adjusted, undefined, formId);
  const checked = fields.has(LIVE) ? await checkTokenForm(request, form) : null;
  if (checked === null || checked.problems.length === 0)
    return summaryPage(request, form, formId, fields.has(ROWS));
  const content = html`<div data-summary>${unfinished(request, checked.problems)}</div>`;
  return { title: request.text('summary.title'), content };
};

/** The summary of a form that a link fills in. */
export const tokenSummaryPage: PageHandler = async (request) =>
  summaryPage(request, await newTokenForm(request, request.query));

async function summaryPage(request: SectionRequest, form: TokenForm, formId = '', showsRows = false) {
  const checked = await checkTokenForm(request, form);
  if (checked.problems.length > 0) return tokenFormPage(request, form, checked, formId);
  const fields = [...fieldsOf(checked.form), [FORM_ID, formId] as const];
  const button = (name: string, words: string) => html`<button name="${name}" value="yes">${words}</button>`;
  const others = html`<p class="actions">${!showsRows && button(ROWS, request.text('summary.show'))} <span data-alone>${button('back', request.text('form.change'))}</span></p>`;
  return {
    title: request.text('summary.title'),
    hasNotices: true,
    content: html`<div class="card narrow" data-summary>${await tokenSummary(request, checked.properties as TokenProperties, showsRows)}
${await request.form('tokens', null, { fields, submit: request.text('new.create'), more: cancel(request) })}
${await request.form(SUMMARY, others, { fields })}</div>`,
  };
}

/** Creates the token and shows it in the answer to this form only. */
export const createToken: PageHandler = async (request) => {
  const { fields, idempotencyKey: ofPage } = await request.sent();
  const form = await newTokenForm(request, fields);
  const { api, author } = request;
  const idempotencyKey = creationKey(fields.get(FORM_ID) || ofPage, form);
  const create = async () => api.tokens.create({ ...tokenRequest(form), idempotencyKey }, author);
  return create()
    .then((created) => createdTokenPage(request, created))
    .catch(
      ifWrong((error) => tokenFormPage(request, form, { problems: [fieldProblem(request, form, error)] })),
    );
};

/** The same values of the same form create no second token when the person goes back. */
export function creationKey(formId: string, form: TokenForm): string {
  return createHash('sha256')
    .update(`${formId} ${fieldsOf(form)}`)
    .digest('base64url');
}
