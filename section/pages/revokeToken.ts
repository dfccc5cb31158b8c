import { html } from '../html';
import type { PageHandler } from '../Page';
import { donePath } from '../tokenDone';
import { lastUse } from '../tokenFacts';
import { requestedToken } from './token';

/** Asks for confirmation before a token is permanently revoked. */
export const revokeTokenPage: PageHandler = async (request) => {
  const { usage } = request.installation;
  const token = await requestedToken(request);
  const { id, name, prefix, state } = token;
  if (state === 'revoked') return { goTo: `tokens/${id}` };
  const today = (await usage.today([id])).get(id) ?? 0;
  return {
    title: request.text('revoke.title', { name }),
    content: html`<p>${request.words('revoke.hint', { token: html`<code>${prefix}…</code>` })}</p>
<p>${lastUse(request, token)} ${today === 0 ? null : request.text('revoke.today', { count: today })}</p>
${await request.form(`tokens/${id}/revoke`, html`<p class="actions"><button class="danger primary">${request.text('revoke.submit')}</button> <a href="${request.to(`tokens/${id}`)}">${request.text('revoke.cancel')}</a></p>`)}`,
  };
};

export const revokeToken: PageHandler = async (request) => {
  await request.sent();
  const { id } = await requestedToken(request);
  await request.installation.tokens.revoke(id, request.author);
  return { goTo: donePath(id, 'revoked') };
};
