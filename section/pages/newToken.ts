import { createHash } from 'node:crypto';
import type { TokenProperties } from '../../lib/tokens/TokenRecord';
import type { Findings } from '../accounts';
import { lifetimeOf } from '../expiryField';
import { ifWrong, problemSummary } from '../field';
import { hidden, html } from '../html';
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

/** The parameter of a URL with a form that is filled in, sealed for all administrators. */
const FORM = 'form';
const FILLED_IN = { actor: '', action: FORM };

/**
 * The fields that the page's URL contains: sealed, or as parameters of a link. Throws SectionFailure for a form that
 * cannot be decrypted.
 */
async function fieldsInUrl(request: SectionRequest): Promise<URLSearchParams> {
  const sealed = request.query.get(FORM);
  return sealed === null ? request.query : request.unsealed(FILLED_IN, sealed);
}

/** The form of a new token, filled in by a link: with a purpose or with values. */
export const newTokenPage: PageHandler = async (request) => {
  const fields = await fieldsInUrl(request);
  const form = await newTokenForm(request, fields);
  return tokenFormPage(request, (await adjustedForm(request, fields, form)) ?? form);
};

/**
 * Leads to the form of a new token, filled in with the values of this one, which may have ended: then its duplicate
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
  return { goTo: `tokens/new?${FORM}=${await request.sealed(FILLED_IN, fieldsOf(form))}` };
};

const SUMMARY = 'tokens/review';
const FORM_PLACE = 'token-form';

/**
 * The form as it was filled in, with what its check found. The script shows the summary beside it, which without a script
 * is the next page.
 */
async function tokenFormPage(
  request: SectionRequest,
  form: TokenForm,
  found: Findings = { problems: [] },
): Promise<Page> {
  const submit = request.text('new.continue');
  const fields = await request.form(
    SUMMARY,
    html`<button hidden></button>
${await tokenFields(request, form, { ...found, action: SUMMARY })}`,
    {
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
<div id="summary"><p>${request.text('summary.none')}</p>
<p class="actions"><button class="primary" form="${FORM_PLACE}">${submit}</button> ${request.link('tokens', request.text('form.cancel'))}</p></div></section></div>`,
  };
}

/** Goes on with the submitted form: to its summary, or back to it if another of its buttons was pressed. */
export const sendTokenForm: PageHandler = async (request) => {
  const { fields } = await request.sent();
  const form = await newTokenForm(request, fields);
  const adjusted = await adjustedForm(request, fields, form);
  const page = adjusted ? 'tokens/new' : SUMMARY;
  return { goTo: `${page}?${FORM}=${await request.sealed(FILLED_IN, fieldsOf(adjusted ?? form))}` };
};

const FORM_ID = 'form_id';

/** The parameter of a summary with the first rows. A link cannot ask for them, only a form that this section sealed. */
const ROWS = 'rows';

export const tokenSummaryPage: PageHandler = async (request) => {
  const form = await newTokenForm(request, await fieldsInUrl(request));
  const checked = await checkTokenForm(request, form);
  if (checked.problems.length > 0) return tokenFormPage(request, form, checked);
  const sealed = request.query.get(FORM);
  const showsRows = sealed !== null && request.query.has(ROWS);
  // A token that is created with this key is not created again when the administrator goes back. A link may be opened
  // again.
  const formId = sealed === null ? '' : createHash('sha256').update(sealed).digest('base64url');
  const query = { [FORM]: sealed ?? (await request.sealed(FILLED_IN, fieldsOf(checked.form))) };
  const create = await request.form('tokens', null, {
    fields: [...fieldsOf(checked.form), [FORM_ID, formId]],
    submit: request.text('new.create'),
    more: html`<span data-alone><a href="${request.to('tokens/new', query)}">${request.text('form.change')}</a></span>`,
  });
  const showRows = html`<form method="get" action="${request.to(SUMMARY)}">
${hidden(Object.entries({ ...query, [ROWS]: 'yes' }))}<button>${request.text('summary.show')}</button></form>`;
  return {
    title: request.text('summary.title'),
    hasNotices: true,
    content: html`<div class="card narrow" data-summary>${await tokenSummary(request, checked.properties as TokenProperties, showsRows)}
${!showsRows && showRows}${create}</div>`,
  };
};

/** Creates the token and shows it in the answer to this form only. */
export const createToken: PageHandler = async (request) => {
  const { fields, idempotencyKey: ofPage } = await request.sent();
  const form = await newTokenForm(request, fields);
  const { installation, author } = request;
  const idempotencyKey = fields.get(FORM_ID) || ofPage;
  const create = async () => installation.tokens.create({ ...tokenRequest(form), idempotencyKey }, author);
  return create()
    .then((created) => createdTokenPage(request, created))
    .catch(
      ifWrong((error) => tokenFormPage(request, form, { problems: [fieldProblem(request, form, error)] })),
    );
};
