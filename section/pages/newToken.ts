import { type Findings, NO_FINDINGS } from '../checkTokenForm';
import { problemSummary } from '../fieldProblems';
import { html } from '../html';
import type { Page, PageHandler } from '../Page';
import type { SectionRequest } from '../SectionRequest';
import { fieldsInUrl } from '../sealedForm';
import { adjustedForm, tokenFields } from '../tokenFields';
import { newTokenForm, type TokenForm } from '../tokenForm';

/** The path to which the form is sent. */
export const REVIEW = 'tokens/review';

/** The form of a new token, filled in by a link: with a preset or with values. */
export const newTokenPage: PageHandler = async (request) => {
  const fields = await fieldsInUrl(request);
  const form = await newTokenForm(request, fields);
  return tokenFormPage(request, (await adjustedForm(request, fields, form)) ?? form);
};

/** The form as it was filled in, with what its check found. */
export async function tokenFormPage(
  request: SectionRequest,
  form: TokenForm,
  found: Findings = NO_FINDINGS,
): Promise<Page> {
  const { duplicateOf } = form;
  return {
    title: request.text('new.title'),
    ...(duplicateOf === '' ? {} : { subtitle: request.words('duplicate.of', { token: `#${duplicateOf}` }) }),
    problem: problemSummary(request, found.problems),
    hasNotices: true,
    content: await request.form(
      REVIEW,
      html`<input type="hidden" name="duplicate_of" value="${duplicateOf}">
<button hidden>${request.text('new.review')}</button>
${await tokenFields(request, form, { ...found, action: REVIEW })}
<p class="actions"><button class="primary">${request.text('new.review')}</button> <a href="${request.to('tokens')}">${request.text('new.cancel')}</a></p>
`,
      { keepsValues: true },
    ),
  };
}
