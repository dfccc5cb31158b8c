import { InvalidInput } from '../../lib/errors/InvalidInput';
import { printable } from '../../lib/errors/printable';
import { causeFacts } from '../../lib/log/PanelLog';
import type { RotatedToken } from '../../lib/tokens/rotateToken';
import { EXPIRING_SECONDS, endsWithin } from '../../lib/tokens/tokenWarnings';
import { chosenExpiry, expiryField, lifetimeOf } from '../expiryField';
import { radio, wholeNumber } from '../field';
import { code, type Html, html } from '../html';
import { problem } from '../notices';
import type { SectionRequest } from '../SectionRequest';
import { tokenAction } from '../tokenAction';
import { readTokenForm } from '../tokenForm';
import { createdTokenPage } from './createdToken';

/** How many seconds the old token may stay valid. */
const GRACES = [0, 3600, 86_400, 604_800, 2_592_000] as const;

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
      content: html`<fieldset><legend>${request.words('rotate.grace', { token: code(`${token.prefix}…`) })}</legend>
${GRACES.map((seconds) => radio('grace', seconds, chosen, request.text(`rotate.grace.${seconds}`)))}</fieldset>
${await expiryField(request, readTokenForm(fields), legend, token)}`,
    };
  },
  async act(request, { token, fields, idempotencyKey }) {
    const graceSeconds = wholeNumber(fields.get('grace'));
    const wanted = { graceSeconds, ...chosenExpiry(readTokenForm(fields)), idempotencyKey };
    const { tokens } = request.installation;
    const begun = await tokens.beginRotation(token.id, wanted, request.author);
    if (!begun) return null;
    const end = () => tokens.endRotation(begun, wanted, request.author);
    return createdTokenPage(request, begun, () => outcome(request, begun, end));
  },
});

/** Ends the old token, now that the new one was shown, and says how long the old one stays valid. */
async function outcome(
  request: SectionRequest,
  { record, previous }: RotatedToken,
  end: () => Promise<void>,
): Promise<Html> {
  const link = (key: 'token' | 'previous', id: number) =>
    request.link(`tokens/${id}`, request.text(`created.replaces.${key}`, { id }));
  const both = { token: link('token', record.id), previous: link('previous', previous.id) };
  try {
    await end();
  } catch (error) {
    if (error instanceof InvalidInput) return problem(request.words('rotate.refused', both));
    const facts = { actor: printable(request.actor), token_id: previous.id, ...causeFacts(error) };
    request.installation.log.warn('panel-api rotation not ended', facts);
    return problem(request.words('rotate.unknown', both));
  }
  if (previous.state !== 'active') return html`<p>${request.words('created.replaces.ended', both)}</p>`;
  const time = request.exact(previous.expiresAt);
  return html`<p>${request.words('created.replaces.until', { ...both, time })}</p>`;
}
