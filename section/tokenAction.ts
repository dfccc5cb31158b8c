import { InvalidInput } from '../lib/errors/InvalidInput';
import { DuplicateRequest } from '../lib/tokens/createToken';
import type { TokenRecord } from '../lib/tokens/TokenRecord';
import type { Answer, PageHandler } from './Page';
import { SectionFailure } from './SectionFailure';
import { type SectionRequest, wayOut } from './SectionRequest';

/** The token in the page's path. Throws SectionFailure if it does not exist. */
export async function requestedToken({ path, installation }: SectionRequest): Promise<TokenRecord> {
  const [, , id = ''] = path.split('/');
  const record = /^[1-9]\d{0,9}$/.test(id) ? await installation.tokens.get(Number(id)) : null;
  if (!record) throw new SectionFailure('not_found');
  return record;
}

export interface SentAction {
  readonly token: TokenRecord;
  readonly fields: URLSearchParams;
  readonly idempotencyKey: string;
}

/**
 * Handles the form of an action on a token. `act` returns null if the token does not exist. `refuse` shows the form again
 * if `act` throws InvalidInput. If the token has ended since its form was shown, a page says that nothing was done.
 */
export function tokenAction(
  name: 'edit' | 'extend' | 'rotate',
  act: (request: SectionRequest, sent: SentAction) => Promise<Answer | null>,
  refuse: (request: SectionRequest, sent: SentAction, error: InvalidInput) => Promise<Answer>,
): PageHandler {
  return async (request) => {
    const sent = { ...(await request.sent()), token: await requestedToken(request) };
    const { token } = sent;
    try {
      const answer = await act(request, sent);
      if (!answer) throw new SectionFailure('not_found');
      return answer;
    } catch (error) {
      if (!(error instanceof InvalidInput)) throw error;
      if (error instanceof DuplicateRequest) return sentAlreadyPage(request, error);
      if (error.input !== 'id') return refuse(request, sent, error);
      return {
        title: request.text(`${name}.title`, { name: token.name }),
        problem: request.text(`${name}.ended`),
        status: 409,
        content: wayOut(request, token.id),
      };
    }
  };
}

/**
 * Answers a form that was already submitted, for example after a reload: names the token that it created, without the
 * secret.
 */
export function sentAlreadyPage(request: SectionRequest, { tokenId }: DuplicateRequest): Answer {
  const token = request.link(`tokens/${tokenId}`, request.text('created.again.link'));
  return {
    status: 409,
    title: request.text('created.again'),
    problem: request.words('created.again.token', { token }),
    content: wayOut(request),
  };
}
