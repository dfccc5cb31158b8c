import { field, ifWrong } from '../field';
import { html } from '../html';
import type { Page, PageHandler } from '../Page';
import type { SectionRequest } from '../SectionRequest';
import { tokenTable } from '../tokenTable';

const FIELD = 'text';

/** Leads to the page of the token in the submitted text, or lists several. No page repeats the text. */
export const findToken: PageHandler = async (request) => {
  const { fields } = await request.sent();
  const form = await findTokenPage(request);
  const { tokens, usage } = request.api;
  return tokens
    .findAll(fields.get(FIELD) ?? '')
    .then(async (found) => {
      const [first, ...others] = found;
      if (!first) return { ...form, problem: request.text('find.unknown'), status: 404 };
      if (others.length === 0) return { goTo: `tokens/${first.id}` };
      const requests = await usage.sums({ ids: found.map(({ id }) => id) });
      const title = request.text('find.several', { count: found.length });
      return { title, content: tokenTable(request, found, requests) };
    })
    .catch(ifWrong((error) => ({ ...form, problem: request.invalid(error) })));
};

/** Asks for a token that was found somewhere, to say which one it is. */
export async function findTokenPage(request: SectionRequest): Promise<Page> {
  const attributes = html` required autofocus spellcheck="false" rows="6"`;
  const content = field(request, FIELD, { attributes, text: '' });
  return {
    title: request.text('find.title'),
    content: await request.form('tokens/find', content, {
      submit: request.text('find.submit'),
      more: request.link('tokens', request.text('form.cancel')),
    }),
  };
}
