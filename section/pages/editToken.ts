import { InvalidInput } from '../../lib/errors/InvalidInput';
import { changesOf, StaleToken, type TokenRecord } from '../../lib/tokens/TokenRecord';
import { widenedRights } from '../../lib/tokens/tokenWarnings';
import type { Findings } from '../accounts';
import { problemSummary } from '../field';
import { type Html, html } from '../html';
import type { Answer } from '../Page';
import type { SectionRequest } from '../SectionRequest';
import { type ActionParts, type SentAction, tokenAction } from '../tokenAction';
import { changeTable } from '../tokenChanges';
import { adjustedForm, tokenFields } from '../tokenFields';
import {
  checkTokenForm,
  fieldProblem,
  fieldsOf,
  formOfToken,
  readTokenForm,
  type TokenForm,
  tokenChanges,
} from '../tokenForm';
import { lossNotices, useNotice } from '../tokenUse';

/** The form that edits a token. Saves changes that only narrow the token at once, and others after a review. */
export const editToken = tokenAction({
  name: 'edit',
  async parts(request, token, refused) {
    if (!refused) return editParts(request, token, formOfToken(token));
    const { fields, error } = refused;
    const typed = readTokenForm(fields);
    const problems = error instanceof StaleToken ? [] : [fieldProblem(request, typed, error)];
    return editParts(request, token, typed, { problems });
  },
  act: edit,
});

async function edit(
  request: SectionRequest,
  { token, fields }: SentAction,
): Promise<Answer | ActionParts | null> {
  const { tokens, settings } = request.api;
  if (token.state !== 'active') throw new InvalidInput('id', 'The token has ended.');
  if (fields.get('version') !== String(token.version)) throw new StaleToken(token);
  const form = readTokenForm(fields);
  const adjusted = fields.has('back') ? form : await adjustedForm(request, fields, form);
  if (adjusted) return editParts(request, token, adjusted);
  const checked = await checkTokenForm(request, form);
  if (checked.problems.length > 0) return editParts(request, token, form, checked);
  const after = { ...token, ...checked.properties };
  const differences = changesOf(token, after);
  const goTo = `tokens/${token.id}`;
  if (Object.keys(differences).length === 0) return { goTo, done: request.words('token.done.unchanged') };
  const generalLimit = await settings.get('rateLimitRequests');
  const wider = widenedRights(token, after, generalLimit);
  const lost = fields.has('reviewed') ? [] : await lossNotices(request, token, after, generalLimit);
  if (wider.length + lost.length > 0 && !fields.has('reviewed')) {
    const hint = wider.length > 0 && html`<p>${request.text('edit.review.hint')}</p>`;
    const shown = html`${hint}${lost}${changeTable(request, differences, wider)}`;
    return reviewPage(request, token, checked.form, shown);
  }
  const changes = { ...tokenChanges(checked.form), version: token.version };
  const saved = await tokens.update(token.id, changes, request.author);
  const done = html`${request.words('token.done.changed')}${changeTable(request, differences)}`;
  return saved && { goTo, done };
}

async function editParts(
  request: SectionRequest,
  token: TokenRecord,
  form: TokenForm,
  found: Findings = { problems: [] },
): Promise<ActionParts> {
  const action = `tokens/${token.id}/edit`;
  return {
    problem: problemSummary(request, found.problems),
    content: html`${await useNotice(request, token)}${await tokenFields(request, form, { ...found, action, token })}`,
  };
}

async function reviewPage(request: SectionRequest, token: TokenRecord, form: TokenForm, changes: Html) {
  const content = html`${changes}
<p class="actions"><button class="primary" name="reviewed" value="yes">${request.text('edit.submit')}</button> <button name="back" value="yes">${request.text('form.change')}</button></p>`;
  const fields = [['version', token.version], ...fieldsOf(form)] as const;
  return {
    title: request.text('edit.review.title', { name: token.name }),
    content: await request.form(`tokens/${token.id}/edit`, content, { fields }),
  };
}
