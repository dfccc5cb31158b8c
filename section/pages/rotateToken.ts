import { InvalidInput } from '../../lib/errors/InvalidInput';
import { printable } from '../../lib/errors/printable';
import { causeFacts } from '../../lib/log/PanelLog';
import { DuplicateRequest } from '../../lib/tokens/createToken';
import type { RotatedToken } from '../../lib/tokens/rotateToken';
import type { TokenRecord } from '../../lib/tokens/TokenRecord';
import { tokenWarnings } from '../../lib/tokens/tokenWarnings';
import { chosenExpiry, expiryField, lifetimeOf, readExpiry } from '../expiryField';
import { type Html, html } from '../html';
import { problem } from '../notices';
import type { Page, PageHandler } from '../Page';
import { SectionFailure } from '../SectionFailure';
import type { SectionRequest } from '../SectionRequest';
import { endedPage, hasEnded } from '../staleEdit';
import { shownTwice } from '../tokenFacts';
import { createdTokenPage, sentAlreadyPage } from './createdToken';
import { requestedToken } from './token';

/** Asks how long the old token stays valid, and when the new one expires. */
export const rotateTokenPage: PageHandler = async (request) => {
  const token = await requestedToken(request);
  if (token.state !== 'active' || token.rotatedAt !== null) return { goTo: `tokens/${token.id}` };
  // The new token is to live as long as the old one, not only for the rest of its time.
  const isEnding = tokenWarnings(token).includes('expiring');
  const expiry = (isEnding && lifetimeOf(token)) || KEEP;
  return rotateForm(request, token, new URLSearchParams({ grace: '86400', expiry }));
};

/** Creates the new token and shows it in the answer to this form only. */
export const rotateToken: PageHandler = async (request) => {
  const { fields, idempotencyKey } = await request.sent();
  const token = await requestedToken(request);
  const grace = fields.get('grace') ?? '';
  try {
    const wanted = {
      graceSeconds: /^\d+$/.test(grace) ? Number(grace) : Number.NaN,
      ...chosenExpiry(readExpiry(fields, KEEP)),
      idempotencyKey,
    };
    const { author, installation } = request;
    const begun = await installation.tokens.beginRotation(token.id, wanted, author);
    if (!begun) throw new SectionFailure('not_found');
    const end = () => installation.tokens.endRotation(begun, wanted, author);
    return await createdTokenPage(request, begun, () => outcome(request, begun, end));
  } catch (error) {
    if (error instanceof DuplicateRequest) return sentAlreadyPage(request, error);
    if (hasEnded(error)) return endedPage(request, token, 'rotate');
    if (error instanceof InvalidInput) return rotateForm(request, token, fields, error);
    throw error;
  }
};

/** Ends the old token, now that the new one was shown, and says how long the old one stays valid. */
async function outcome(
  request: SectionRequest,
  { record, previous }: RotatedToken,
  end: () => Promise<void>,
): Promise<Html> {
  const link = (key: 'token' | 'previous', id: number) =>
    html`<a href="${request.to(`tokens/${id}`)}">${request.text(`created.replaces.${key}`, { id })}</a>`;
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

/** How many seconds the old token may stay valid. */
const GRACES = [0, 3600, 86_400, 604_800, 2_592_000] as const;

const KEEP = 'keep';

async function rotateForm(
  request: SectionRequest,
  { id, name, prefix, expiresAt }: TokenRecord,
  fields: URLSearchParams,
  wrong?: InvalidInput,
): Promise<Page> {
  const grace = (seconds: (typeof GRACES)[number]) => {
    const isChosen = fields.get('grace') === String(seconds);
    return html`<label><input type="radio" name="grace" value="${seconds}"${isChosen ? html` checked` : null}> ${request.text(`rotate.grace.${seconds}`)}</label>
`;
  };
  const content = html`<fieldset><legend>${request.words('rotate.grace', { token: html`<code>${prefix}…</code>` })}</legend>
${GRACES.map(grace)}</fieldset>
${expiryField(request, readExpiry(fields, KEEP), {
  legend: request.text('rotate.expiry'),
  keep: request.words('expiry.keep', { time: shownTwice(request, expiresAt) }),
})}
<p class="actions"><button class="primary">${request.text('rotate.submit')}</button> <a href="${request.to(`tokens/${id}`)}">${request.text('rotate.cancel')}</a></p>`;
  return {
    title: request.text('rotate.title', { name }),
    problem: wrong && request.invalid(wrong),
    content: html`<p>${request.text('rotate.hint')}</p>
${await request.form(`tokens/${id}/rotate`, content)}`,
  };
}
