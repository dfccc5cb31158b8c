import { html, shownTime } from '../html';
import type { PageHandler } from '../Page';
import { requestedToken } from './token';

/** Asks for confirmation before a token is permanently revoked. */
export const revokeTokenPage: PageHandler = async (request) => {
  const { id, name, prefix, lastUsedAt, state } = await requestedToken(request);
  if (state === 'revoked') return { goTo: `tokens/${id}` };
  return {
    title: `Revoke ${name}?`,
    content: html`<p>From the next request on, the API refuses <code>${prefix}…</code>. You cannot restore a revoked token.
Last used: ${shownTime(lastUsedAt)}.</p>
${await request.form(`tokens/${id}/revoke`, html`<p class="actions"><button class="danger">Revoke it</button> <a href="${request.to(`tokens/${id}`)}">Keep it</a></p>`)}`,
  };
};

export const revokeToken: PageHandler = async (request) => {
  await request.sent();
  const { id } = await requestedToken(request);
  await request.installation.tokens.revoke(id, request.author);
  return { goTo: `tokens/${id}` };
};
