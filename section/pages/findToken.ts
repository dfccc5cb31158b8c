import type { TokenRecord } from '../../lib/tokens/TokenRecord';
import { field, ifWrong } from '../field';
import { type Html, html } from '../html';
import type { Page, PageHandler } from '../Page';
import type { SectionRequest } from '../SectionRequest';
import { factList, lastUse, scopeChips, shownState } from '../tokenFacts';

const FIELD = 'text';

/** Leads to the page of the token in the submitted text, or lists several. No page repeats the text. */
export const findToken: PageHandler = async (request) => {
  const { fields } = await request.sent();
  const form = await findTokenPage(request);
  return request.api.tokens
    .findAll(fields.get(FIELD) ?? '')
    .then(async (found) => {
      if (found.length === 0) return { ...form, problem: request.text('find.unknown'), status: 404 };
      const title = request.text('find.found', { count: found.length });
      const valid = found.filter(({ state }) => state === 'active').map(({ id }) => `id=${id}`);
      const words = request.text('revoke.submit', { count: valid.length });
      const href = request.to(`tokens/revoke?${valid.join('&')}`);
      const actions = valid.length > 1 ? html`<a class="button danger" href="${href}">${words}</a>` : null;
      return { title, actions, content: html`${found.map((token) => foundToken(request, token))}` };
    })
    .catch(ifWrong((error) => ({ ...form, problem: request.invalid(error) })));
};

/** A token that others may have seen: if it is valid, it is to be revoked first of all. */
function foundToken(request: SectionRequest, token: TokenRecord): Html {
  const { id, name, state } = token;
  const path = request.to(`tokens/${id}`);
  const revoke = html`<a class="button primary danger" href="${path}/revoke">${request.text('token.revoke')}</a>`;
  return html`<section class="card"><h2><a href="${path}">${name}</a> <small>#${id}</small> ${shownState(request, token)}</h2>
${factList(request, { 'token.scopes': scopeChips(request, token.scopes), 'token.used': lastUse(request, token), 'token.expires': state === 'revoked' ? null : request.relativeAndExact(token.expiresAt) })}
<p class="actions">${state === 'active' && revoke} <a class="button" href="${path}">${request.text('find.look')}</a></p></section>`;
}

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
