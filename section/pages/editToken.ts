import { InvalidInput } from '../../lib/errors/InvalidInput';
import { differencesOf, StaleToken } from '../../lib/tokens/changeToken';
import { checkTokenChanges } from '../../lib/tokens/checkTokenRequest';
import { auditedProperties, type TokenRecord } from '../../lib/tokens/TokenRecord';
import { widenedRights } from '../../lib/tokens/tokenWarnings';
import { checkTokenForm, type Findings, fieldProblem, NO_FINDINGS } from '../checkTokenForm';
import { problemSummary } from '../fieldProblems';
import { type Html, html } from '../html';
import type { Page, PageHandler } from '../Page';
import { SectionFailure } from '../SectionFailure';
import type { SectionRequest } from '../SectionRequest';
import { changesSince, endedPage, hasEnded, mergeEdits } from '../staleEdit';
import { changeTable } from '../tokenChanges';
import { donePath } from '../tokenDone';
import { shownTwice } from '../tokenFacts';
import { adjustedForm, tokenFields } from '../tokenFields';
import { fieldsOf, formOfToken, readTokenForm, type TokenForm, tokenChanges } from '../tokenForm';
import { requestedToken } from './token';

/** The form that edits a token, filled in. Only an active token can be edited. */
export const editTokenPage: PageHandler = async (request) => {
  const token = await requestedToken(request);
  if (token.state !== 'active') return { goTo: `tokens/${token.id}` };
  return editForm(request, token, formOfToken(token));
};

/** Saves changes that only narrow the token at once, and others after a review. */
export const editToken: PageHandler = async (request) => {
  const { fields } = await request.sent();
  const token = await requestedToken(request);
  if (token.state !== 'active') return endedPage(request, token, 'edit');
  const form = readTokenForm(fields, 'keep');
  if (fields.get('version') !== String(token.version)) return staleForm(request, token, fields);
  const adjusted = fields.has('back') ? form : await adjustedForm(request, fields, form);
  if (adjusted) return editForm(request, token, adjusted);
  const checked = await checkTokenForm(request, form);
  if (checked.problems.length > 0) return editForm(request, token, form, checked);
  try {
    return await save(request, token, checked.form, fields.has('reviewed'));
  } catch (error) {
    if (error instanceof StaleToken) return staleForm(request, error.current, fields);
    if (hasEnded(error)) return endedPage(request, token, 'edit');
    if (error instanceof InvalidInput)
      return editForm(request, token, form, { problems: [fieldProblem(request, form, error)] });
    throw error;
  }
};

async function save(
  request: SectionRequest,
  token: TokenRecord,
  form: TokenForm,
  isReviewed: boolean,
): Promise<Awaited<ReturnType<PageHandler>>> {
  const { installation } = request;
  const changes = tokenChanges(form);
  const after = { ...token, ...checkTokenChanges(changes, request.tokenRules, token.readAt) };
  const differences = differencesOf(auditedProperties(token), auditedProperties(after));
  if (Object.keys(differences).length === 0) return { goTo: donePath(token.id, 'unchanged') };
  const limit = await installation.settings.get('rateLimitRequests');
  const widened = widenedRights(token, after, limit);
  if (widened.length > 0 && !isReviewed) {
    const names: readonly string[] = widened.map((right) => PROPERTY_OF[right]);
    const mark = (name: string) =>
      names.includes(name) ? html` <span class="mark warn">${request.text('edit.wider')}</span>` : null;
    return reviewPage(request, token, form, changeTable(request, differences, mark));
  }
  const saved = await installation.tokens.update(
    token.id,
    { ...changes, version: token.version },
    request.author,
  );
  if (!saved) throw new SectionFailure('not_found');
  return { goTo: donePath(token.id, 'changed') };
}

/** The rights by their names in the audit trail. */
const PROPERTY_OF = {
  scopes: 'scopes',
  account: 'account_id',
  addresses: 'allowed_addresses',
  rate_limit: 'rate_limit',
  expiry: 'expires_at',
} as const;

/** What the form has beside the values. */
interface EditFormOptions extends Findings {
  /** What other administrators changed meanwhile. */
  readonly changes?: Html;
}

async function editForm(
  request: SectionRequest,
  token: TokenRecord,
  form: TokenForm,
  { changes, ...found }: EditFormOptions = NO_FINDINGS,
): Promise<Page> {
  const { id, name, expiresAt } = token;
  const action = `tokens/${id}/edit`;
  const keep = request.words('expiry.keep', { time: shownTwice(request, expiresAt) });
  const content = html`<button hidden>${request.text('edit.submit')}</button>
${hiddenState(token)}
${await tokenFields(request, form, { ...found, action, keep })}
<p class="actions"><button class="primary">${request.text('edit.submit')}</button> <a href="${request.to(`tokens/${id}`)}">${request.text('edit.cancel')}</a></p>`;
  return {
    title: request.text('edit.title', { name }),
    problem: changes ? request.text('edit.stale') : problemSummary(request, found.problems),
    ...(changes ? { status: 409 } : {}),
    content: html`${changes}${await request.form(action, content)}`,
  };
}

/** What the form was filled in with, so that a later change by another administrator is noticed and kept. */
function hiddenState(token: TokenRecord): Html {
  return html`${hidden('version', String(token.version))}${hidden('shown', fieldsOf(formOfToken(token)).toString())}`;
}

function hidden(name: string, value: string): Html {
  return html`<input type="hidden" name="${name}" value="${value}">
`;
}

/** The form with what was typed, if another administrator has changed the token since it was shown. */
async function staleForm(
  request: SectionRequest,
  token: TokenRecord,
  fields: URLSearchParams,
): Promise<Page> {
  const shown = readTokenForm(new URLSearchParams(fields.get('shown') ?? ''), 'keep');
  const form = mergeEdits(token, readTokenForm(fields, 'keep'), shown);
  const changes = await changesSince(request, token, Number(fields.get('version')));
  return editForm(request, token, form, { ...NO_FINDINGS, changes });
}

async function reviewPage(
  request: SectionRequest,
  token: TokenRecord,
  form: TokenForm,
  changes: Html,
): Promise<Page> {
  const typed = [...fieldsOf(form)].map(([name, value]) => hidden(name, value));
  const content = html`${hiddenState(token)}${typed}
<p class="actions"><button class="primary" name="reviewed" value="yes">${request.text('edit.submit')}</button> <button name="back" value="yes">${request.text('edit.review.back')}</button></p>`;
  return {
    title: request.text('edit.review.title', { name: token.name }),
    content: html`<p>${request.text('edit.review.hint')}</p>
${changes}
${await request.form(`tokens/${token.id}/edit`, content)}`,
  };
}
