import { InvalidInput } from '../../lib/errors/InvalidInput';
import { DAY_SECONDS } from '../../lib/time/time';
import { DuplicateRequest } from '../../lib/tokens/createToken';
import type { TokenRecord } from '../../lib/tokens/TokenRecord';
import { SectionFailure } from '../forms';
import { html } from '../html';
import type { Page, PageHandler, SectionRequest } from '../SectionRequest';
import { createdTokenPage, sentAlreadyPage } from './createToken';
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
export const rotateTokenPage: PageHandler = async (request) => {
  const token = await requestedToken(request);
  if (token.state !== 'active' || token.rotatedAt !== null) return { goTo: `tokens/${token.id}` };
  return rotateForm(request, token);
};

/** Makes the new secret and shows it, in the answer to this very form and nowhere else. */
export const rotateToken: PageHandler = async (request) => {
  const { fields, idempotencyKey } = await request.sent();
  const token = await requestedToken(request);
  const grace = fields.get('grace') ?? '';
  const graceSeconds = /^\d+$/.test(grace) ? Number(grace) : Number.NaN;
  try {
    const made = await request.installation.tokens.rotate(
      token.id,
      { graceSeconds, idempotencyKey },
      request.author,
    );
    if (!made) throw new SectionFailure('not_found');
    return createdTokenPage(request, made);
  } catch (error) {
    if (error instanceof DuplicateRequest) return sentAlreadyPage(request, error);
    if (error instanceof InvalidInput) return rotateForm(request, token, error);
    throw error;
  }
};

async function rotateForm(
  request: SectionRequest,
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
<p class="actions"><button class="primary">Make the new secret</button> <a href="${request.to(`tokens/${id}`)}">Cancel</a></p>`;
  return {
    status: wrong ? 400 : 200,
    title: `Rotate ${name}`,
    content: html`${wrong ? html`<p class="problem" role="alert">${wrong.message}</p>` : null}
<p>The token gets a new secret now, with the same scopes and limits. Put it where the old one is used before that ends.</p>
${await request.form(`tokens/${id}/rotate`, content)}`,
  };
}
