import { field, ifWrong } from '../field';
import { html } from '../html';
import type { Page, PageHandler } from '../Page';
import type { SectionRequest } from '../SectionRequest';

const FIELD = 'text';

/** Leads to the page of the token in the submitted text. No page repeats the text. */
export const findToken: PageHandler = async (request) => {
  const { fields } = await request.sent();
  const form = await findTokenPage(request);
  const unknown = { ...form, problem: request.text('find.unknown'), status: 404 };
  return request.installation.tokens
    .find(fields.get(FIELD) ?? '')
    .then((token) => (token ? { goTo: `tokens/${token.id}` } : unknown))
    .catch(ifWrong((error) => ({ ...form, problem: request.invalid(error) })));
};

/** Asks for a token that was found somewhere, to say which one it is. */
export async function findTokenPage(request: SectionRequest): Promise<Page> {
  const attributes = html` required autofocus spellcheck="false" size="60"`;
  const content = field(request, FIELD, { attributes });
  return {
    title: request.text('find.title'),
    content: await request.form('tokens/find', content, {
      submit: request.text('find.submit'),
      more: request.link('tokens', request.text('form.cancel')),
    }),
  };
}
