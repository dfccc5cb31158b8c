import { withTimeout } from '../../lib/async/withTimeout';
import { InvalidInput } from '../../lib/errors/InvalidInput';
import type { Installation } from '../../lib/Installation';
import { findList } from '../../lib/lists/findList';
import { grants, isServerWide, type Operation, pathOf } from '../../lib/operations/Operation';
import { type CreatedToken, DuplicateRequest } from '../../lib/tokens/createToken';
import type { RotatedToken } from '../../lib/tokens/rotateToken';
import type { TokenRecord } from '../../lib/tokens/TokenRecord';
import { type Html, html, shownTime } from '../html';
import type { Page, PageHandler } from '../Page';
import { SectionFailure } from '../SectionFailure';
import { type SectionRequest, toTokens } from '../SectionRequest';
import { readTokenForm, tokenChanges, tokenRequest } from '../tokenForm';
import { tokenProblem } from '../tokenProblems';
import { tokenFormPage } from './newToken';

/** Creates the token and shows it in the answer to this form only. */
export const createToken: PageHandler = async (request) => {
  const { fields, idempotencyKey } = await request.sent();
  const form = readTokenForm(fields, 'none');
  try {
    const { tokens } = request.installation;
    const created = await (form.duplicateOf === ''
      ? tokens.create({ ...tokenRequest(form), idempotencyKey }, request.author)
      : tokens.duplicate(
          Number(form.duplicateOf),
          { ...tokenChanges(form), idempotencyKey },
          request.author,
        ));
    if (!created) throw new SectionFailure('not_found');
    return createdTokenPage(request, created);
  } catch (error) {
    if (error instanceof DuplicateRequest) return sentAlreadyPage(request, error);
    if (error instanceof InvalidInput) return tokenFormPage(request, form, [tokenProblem(form, error)]);
    throw error;
  }
};

/** How long the page of a new token searches for an endpoint to try it with, in milliseconds. */
const EXAMPLE_TIMEOUT_MS = 1000;

/**
 * Shows the plain token once; after a rotation, also how long the old token stays valid. A token that is not shown is
 * revoked.
 */
export async function createdTokenPage(
  request: SectionRequest,
  created: CreatedToken | RotatedToken,
): Promise<Page> {
  const { token, record } = created;
  const late = () => new Error('The sources did not answer in time.');
  const example = await withTimeout(
    firstReadable(request.installation, record),
    EXAMPLE_TIMEOUT_MS,
    late,
  ).catch(() => null);
  const curl = example && `curl -s -H 'Authorization: Bearer ${token}' ${request.apiUrl}${pathOf(example)}`;
  return {
    title: 'previous' in created ? 'The token is rotated' : 'The token is created',
    hasNotices: true,
    ifUnseen: () => request.installation.tokens.revoke(record.id, request.author),
    content: html`<p class="notice" role="status">Copy the token now. It is shown only this once, and it is not stored.</p>
${'previous' in created ? replaced(request, created) : null}
<div class="secret" data-secret>
<p class="field"><label for="token">Token</label>
<span class="copyable"><input id="token" readonly value="${token}" spellcheck="false"><button type="button" data-copy="token" hidden>Copy</button></span></p>
${
  curl &&
  html`<p class="field"><label for="curl">Try it</label>
<span class="copyable"><textarea id="curl" readonly rows="3" spellcheck="false">${curl}</textarea><button type="button" data-copy="curl" hidden>Copy</button></span></p>`
}
</div>
<p>${record.name} expires: ${shownTime(record.expiresAt)}.</p>
<p><a href="${request.to(`tokens/${record.id}`)}">To the token</a> · <a href="${request.to('tokens')}">To all tokens</a></p>`,
  };
}

/** The first endpoint that answers this token with 200; null if there is none. */
async function firstReadable(
  { operations, sources }: Installation,
  { scopes, accountId }: TokenRecord,
): Promise<Operation | null> {
  for (const operation of operations) {
    if (!grants(scopes, operation) || (accountId !== null && isServerWide(operation))) continue;
    if (operation.kind === 'object') return operation;
    const list = await findList(sources, operation, accountId).catch(() => null);
    if (list) return operation;
  }
  return null;
}

function replaced(request: SectionRequest, { record, previous }: RotatedToken): Html {
  const link = (word: string, id: number) => html`<a href="${request.to(`tokens/${id}`)}">${word} ${id}</a>`;
  const until =
    previous.state === 'active'
      ? html`is valid until ${shownTime(previous.expiresAt)}`
      : html`is no longer valid`;
  return html`<p>${link('Token', record.id)} replaces ${link('token', previous.id)}, which ${until}.</p>`;
}

/**
 * Answers a form that was already submitted, for example after a reload: names the token that it created, without the
 * secret.
 */
export function sentAlreadyPage(request: SectionRequest, { tokenId }: DuplicateRequest): Page {
  return {
    status: 409,
    title: 'This form was already sent',
    problem: html`It created <a href="${request.to(`tokens/${tokenId}`)}">a token</a>, which is shown only once.
If you did not copy it, revoke it and create another one.`,
    content: toTokens(request),
  };
}
