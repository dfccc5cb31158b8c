import { InvalidInput } from '../../lib/errors/InvalidInput';
import { DAY_SECONDS } from '../../lib/time/time';
import { DuplicateRequest } from '../../lib/tokens/createToken';
import type { TokenRecord } from '../../lib/tokens/TokenRecord';
import { SectionFailure } from '../forms';
import { html } from '../html';
import type { Page, PageHandler, SectionRequest } from '../SectionRequest';
import { createdTokenPage, sentAlreadyPage } from './createdToken';
import { requestedToken } from './token';

/** How long the old secret may stay good, in seconds. */
const GRACES = [
  [0, 'not at all'],
  [3600, 'an hour'],
  [DAY_SECONDS, 'a day'],
  [7 * DAY_SECONDS, 'a week'],
  [30 * DAY_SECONDS, '30 days'],
] as const;

const CHOSEN = DAY_SECONDS;

/** Asks how long the old secret stays good. */
export const rotateTokenPage: PageHandler = async (visit) => {
  const token = await requestedToken(visit);
  if (token.state !== 'active' || token.rotatedAt !== null) return { goTo: `tokens/${token.id}` };
  return rotateForm(visit, token);
};

/** Makes the new secret and shows it, in the answer to this very form and nowhere else. */
export const rotateToken: PageHandler = async (visit) => {
  const { fields, requestId } = await visit.sent();
  const token = await requestedToken(visit);
  const grace = fields.get('grace') ?? '';
  const graceSeconds = /^\d+$/.test(grace) ? Number(grace) : Number.NaN;
  try {
    const made = await visit.installation.tokens.rotate(token.id, { graceSeconds, requestId }, visit.author);
    if (!made) throw new SectionFailure('not_found');
    return createdTokenPage(visit, made);
  } catch (error) {
    if (error instanceof DuplicateRequest) return sentAlreadyPage(visit, error);
    if (error instanceof InvalidInput) return rotateForm(visit, token, error);
    throw error;
  }
};

async function rotateForm(
  visit: SectionRequest,
  { id, name, prefix }: TokenRecord,
  wrong?: InvalidInput,
): Promise<Page> {
  const content = html`<fieldset><legend>How long <code>${prefix}…</code> stays good beside the new one</legend>
${GRACES.map(
  ([
    seconds,
    words,
  ]) => html`<label><input type="radio" name="grace" value="${seconds}"${seconds === CHOSEN ? html` checked` : null}> ${words}</label>
`,
)}</fieldset>
<p class="actions"><button class="primary">Make the new secret</button> <a href="${visit.to(`tokens/${id}`)}">Cancel</a></p>`;
  return {
    status: wrong ? 400 : 200,
    title: `Rotate ${name}`,
    content: html`${wrong ? html`<p class="problem" role="alert">${wrong.message}</p>` : null}
<p>The token gets a new secret now, with the same scopes and limits. Put it where the old one is used before that ends.</p>
${await visit.form(`tokens/${id}/rotate`, content)}`,
  };
}
