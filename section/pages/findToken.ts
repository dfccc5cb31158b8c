import { InvalidInput } from '../../lib/errors/InvalidInput';
import { field } from '../field';
import { html } from '../html';
import type { Page, PageHandler } from '../Page';
import type { SectionRequest } from '../SectionRequest';

const FIELD = 'text';

/** Asks for a token that was found somewhere, to say which one it is. */
export const findTokenPage: PageHandler = (request) => findForm(request);

/** Leads to the page of the token in the submitted text. No page repeats the text. */
export const findToken: PageHandler = async (request) => {
  const { fields } = await request.sent();
  try {
    const token = await request.installation.tokens.find(fields.get(FIELD) ?? '');
    if (token) return { goTo: `tokens/${token.id}` };
    return { ...(await findForm(request)), problem: request.text('find.unknown'), status: 404 };
  } catch (error) {
    if (!(error instanceof InvalidInput)) throw error;
    return { ...(await findForm(request)), problem: request.invalid(error) };
  }
};

async function findForm(request: SectionRequest): Promise<Page> {
  const content = field(FIELD, {
    label: request.text('find.text'),
    hint: request.text('find.hint'),
    attributes: html` required autofocus spellcheck="false" size="60"`,
  });
  return {
    title: request.text('find.title'),
    content: await request.form('tokens/find', content, {
      submit: request.text('find.submit'),
      more: request.link('tokens', request.text('form.cancel')),
    }),
  };
}
