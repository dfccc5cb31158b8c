import { type RotatedToken, StaleToken } from '../../lib/tokens/TokenRecord';
import { EXPIRING_SECONDS, endsWithin } from '../../lib/tokens/tokenWarnings';
import { chosenExpiry, expiryField, lifetimeOf } from '../expiryField';
import { radio, wholeNumber } from '../field';
import { code, type Html, html } from '../html';
import type { SectionRequest } from '../SectionRequest';
import { tokenAction } from '../tokenAction';
import { readTokenForm } from '../tokenForm';
import { useNotice } from '../tokenUse';
import { createdTokenPage } from './createdToken';

/** How many seconds the old token may stay valid. */
const GRACES = [300, 3600, 86_400, 604_800, 2_592_000] as const;

/**
 * Asks how long the old token stays valid, and when the new one expires. Creates the new token and shows it in the answer
 * to this form only.
 */
export const rotateToken = tokenAction({
  name: 'rotate',
  isFor: ({ state, rotatedAt }) => state === 'active' && rotatedAt === null,
  async parts(request, token, refused) {
    // The new token is to live as long as the old one, not only for the rest of its time.
    const expiry = (endsWithin(token, EXPIRING_SECONDS) && lifetimeOf(token)) || 'keep';
    const fields = refused?.fields ?? new URLSearchParams({ grace: '86400', expiry });
    const chosen = fields.get('grace');
    const legend = request.text('rotate.expiry');
    return {
      subtitle: html`${request.text('rotate.hint')}`,
      content: html`${await useNotice(request, token)}<fieldset><legend>${request.words('rotate.grace', { token: code(`${token.prefix}…`) })}</legend>
${GRACES.map((seconds) => radio('grace', seconds, chosen, request.text(`rotate.grace.${seconds}`)))}</fieldset>
${await expiryField(request, readTokenForm(fields), legend, token)}`,
    };
  },
  async act(request, { token, fields, idempotencyKey }) {
    // The new token has the rights of the old one, so they must be those that were shown.
    if (token.rotatedAt === null && fields.get('version') !== String(token.version))
      throw new StaleToken(token);
    const graceSeconds = wholeNumber(fields.get('grace'));
    const wanted = { graceSeconds, ...chosenExpiry(readTokenForm(fields)), idempotencyKey };
    const { tokens } = request.api;
    const rotated = await tokens.rotate(token.id, wanted, request.author);
    return rotated && createdTokenPage(request, rotated, replacement(request, rotated));
  },
});

/** How long the old token stays valid. */
function replacement(request: SectionRequest, { record, previous }: RotatedToken): Html {
  const link = (key: 'token' | 'previous', id: number) =>
    request.link(`tokens/${id}`, request.text(`created.replaces.${key}`, { id }));
  return html`<p>${request.words('created.replaces', {
    token: link('token', record.id),
    previous: link('previous', previous.id),
    time: request.exact(previous.expiresAt),
  })}</p>`;
}
