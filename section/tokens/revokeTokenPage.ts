import { html } from '../html/html';
import { shownTime } from '../html/shownTime';
import type { PageHandler } from '../Page';
import { requestedToken } from './requestedToken';

/** Asks once more before a token ends for good. */
export const revokeTokenPage: PageHandler = async (visit) => {
  const { id, name, prefix, lastUsedAt, state } = await requestedToken(visit);
  if (state === 'revoked') return { goTo: `tokens/${id}` };
  return {
    title: `Revoke ${name}?`,
    content: html`<p>From the next request on, <code>${prefix}…</code> is refused. Nothing brings it back.
It was last used: ${shownTime(lastUsedAt)}.</p>
${await visit.form(`tokens/${id}/revoke`, html`<p class="actions"><button class="danger">Revoke it</button> <a href="${visit.to(`tokens/${id}`)}">Keep it</a></p>`)}`,
  };
};

/** Revokes the token. */
export const revokeToken: PageHandler = async (visit) => {
  await visit.sent();
  const { id } = await requestedToken(visit);
  await visit.installation.tokens.revoke(id, visit.author);
  return { goTo: `tokens/${id}` };
};
