import { type FieldProblems, problemSummary } from '../fieldProblems';
import { html } from '../html';
import type { Page, PageHandler } from '../Page';
import type { SectionRequest } from '../SectionRequest';
import { presetScopes } from '../scopeFields';
import { tokenFields } from '../tokenFields';
import { type TokenForm, tokenFormOf } from '../tokenForm';

/** The form of a new token, filled in from the URL: with a preset, or with the values typed before. */
export const newTokenPage: PageHandler = async (request) => {
  const form = await tokenFormOf(request);
  const scopes = await presetScopes(request, request.query.get('preset'));
  return tokenFormPage(request, scopes ? { ...form, scopes } : form);
};

/** The form as it was submitted, with the reasons why it was refused. */
export async function tokenFormPage(
  request: SectionRequest,
  form: TokenForm,
  problems: FieldProblems = [],
): Promise<Page> {
  return {
    title: 'New token',
    ...(form.duplicateOf === ''
      ? {}
      : { subtitle: request.words('duplicate.of', { token: `#${form.duplicateOf}` }) }),
    problem: problemSummary(request, problems),
    hasNotices: true,
    content: html`<form method="get" action="${request.to('tokens/review')}" class="token-form" autocomplete="off">
<button hidden>Review</button>
<input type="hidden" name="duplicate_of" value="${form.duplicateOf}">
${await tokenFields(request, form, { problems, presetsAt: 'tokens/new' })}
<p class="actions"><button class="primary">Review</button> <a href="${request.to('tokens')}">Cancel</a></p>
</form>`,
  };
}
