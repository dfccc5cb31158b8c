import { InvalidInput } from '../../lib/errors/InvalidInput';
import { DAY_SECONDS } from '../../lib/time/time';
import { DuplicateRequest } from '../../lib/tokens/createToken';
import type { TokenRecord } from '../../lib/tokens/TokenRecord';
import { html } from '../html';
import type { Page, PageHandler } from '../Page';
import { SectionFailure } from '../SectionFailure';
import type { SectionRequest } from '../SectionRequest';
import { createdTokenPage, sentAlreadyPage } from './createToken';
import { requestedToken } from './token';

/** Asks how long the old token stays valid. */
export const rotateTokenPage: PageHandler = async (request) => {
  const token = await requestedToken(request);
  if (token.state !== 'active' || token.rotatedAt !== null) return { goTo: `tokens/${token.id}` };
  return rotateForm(request, token);
};

/** Creates the new token and shows it in the answer to this form only. */
export const rotateToken: PageHandler = async (request) => {
  const { fields, idempotencyKey } = await request.sent();
  const token = await requestedToken(request);
  const grace = fields.get('grace') ?? '';
  const wanted = { graceSeconds: /^\d+$/.test(grace) ? Number(grace) : Number.NaN, idempotencyKey };
  try {
    const created = await request.installation.tokens.rotate(token.id, wanted, request.author);
    if (!created) throw new SectionFailure('not_found');
    return createdTokenPage(request, created);
  } catch (error) {
    if (error instanceof DuplicateRequest) return sentAlreadyPage(request, error);
    if (error instanceof InvalidInput) return rotateForm(request, token, error);
    throw error;
  }
};

/** How many seconds the old token may stay valid. */
const GRACES = [
  [0, 'not at all'],
  [3600, 'an hour'],
  [DAY_SECONDS, 'a day'],
  [7 * DAY_SECONDS, 'a week'],
  [30 * DAY_SECONDS, '30 days'],
] as const;

const DEFAULT_GRACE = DAY_SECONDS;

async function rotateForm(
  request: SectionRequest,
  { id, name, prefix }: TokenRecord,
  wrong?: InvalidInput,
): Promise<Page> {
  const content = html`<fieldset><legend>How long the old token <code>${prefix}…</code> stays valid</legend>
${GRACES.map(
  ([seconds, words]) =>
    html`<label><input type="radio" name="grace" value="${seconds}"${seconds === DEFAULT_GRACE ? html` checked` : null}> ${words}</label>
`,
)}</fieldset>
<p class="actions"><button class="primary">Rotate the token</button> <a href="${request.to(`tokens/${id}`)}">Cancel</a></p>`;
  return {
    title: `Rotate ${name}`,
    problem: wrong?.message,
    content: html`<p>A new token with the same scopes and limits replaces this one. Replace the old token in every program before it expires.</p>
${await request.form(`tokens/${id}/rotate`, content)}`,
  };
}
