import { leftOver } from '../../lib/tokens/tokenWarnings';
import { html } from '../html';
import type { PageHandler } from '../Page';
import { donePath, validSibling } from '../tokenDone';
import { lastUse, shownTwice } from '../tokenFacts';
import { requestedToken } from './token';

/** Asks for confirmation before a token is permanently revoked. */
export const revokeTokenPage: PageHandler = async (request) => {
  const { tokens, usage } = request.installation;
  const token = await requestedToken(request);
  const { id, name, prefix, state } = token;
  if (state === 'revoked') return { goTo: `tokens/${id}` };
  const [lineage, counts] = await Promise.all([tokens.lineage(id), usage.today([id])]);
  const today = counts.get(id) ?? 0;
  const sibling = validSibling(request, token, lineage);
  // An old token that was rotated stays valid only until its grace is over.
  const left = leftOver(lineage, [id]);
  return {
    title: request.text('revoke.title', { name }),
    content: html`<p>${request.words('revoke.hint', { token: html`<code>${prefix}…</code>` })}</p>
<p>${lastUse(request, token)} ${today === 0 ? null : request.text('revoke.today', { count: today })}</p>
${sibling && !left && html`<p>${request.words('revoke.sibling', { token: sibling })}</p>`}
${left && html`<p class="notice warn">${request.words('revoke.left', { token: sibling, time: shownTwice(request, left.expiresAt) })}</p>`}
${await request.form(`tokens/${id}/revoke`, html`<p class="actions"><button class="danger primary">${request.text('revoke.submit')}</button> <a href="${request.to(`tokens/${id}`)}">${request.text('revoke.cancel')}</a></p>`)}`,
  };
};

export const revokeToken: PageHandler = async (request) => {
  await request.sent();
  const { id } = await requestedToken(request);
  await request.installation.tokens.revoke(id, request.author);
  return { goTo: donePath(id, 'revoked') };
};
