import { InvalidInput } from '../lib/errors/InvalidInput';
import { StaleToken } from '../lib/tokens/changeToken';
import { DuplicateRequest } from '../lib/tokens/createToken';
import type { TokenRecord } from '../lib/tokens/TokenRecord';
import { html } from './html';
import type { Answer, Page, PageHandler } from './Page';
import { SectionFailure } from './SectionFailure';
import { type SectionRequest, wayOut } from './SectionRequest';
import { changesSince } from './tokenChanges';

/** The token in the page's path. Throws SectionFailure if it does not exist. */
export async function requestedToken({ path, installation }: SectionRequest): Promise<TokenRecord> {
  const [, , id = ''] = path.split('/');
  const record = /^[1-9]\d{0,9}$/.test(id) ? await installation.tokens.get(Number(id)) : null;
  if (!record) throw new SectionFailure('not_found');
  return record;
}

/** What was sent with the form of an action on a token. */
export interface SentAction {
  readonly token: TokenRecord;
  readonly fields: URLSearchParams;
  readonly idempotencyKey: string;
}

/** A page with a form that does something with a token. */
interface TokenAction {
  readonly name: 'edit' | 'extend' | 'rotate';
  /** Whether it can be done to an active token. Default: to every one. */
  readonly isFor?: (token: TokenRecord) => boolean;
  /** Returns the form; `fields` were sent and refused for this error. */
  readonly form: (
    request: SectionRequest,
    token: TokenRecord,
    fields?: URLSearchParams,
    error?: InvalidInput,
  ) => Promise<Page>;
  /** Returns null if the token does not exist. */
  readonly act: (request: SectionRequest, sent: SentAction) => Promise<Answer | null>;
}

/**
 * Returns the handlers of the page and of its form. If the form is refused, it is shown again: with what another
 * administrator has changed, if that is why. If the token has ended since, a page says that nothing was done.
 */
export function tokenAction({
  name,
  isFor = () => true,
  form,
  act,
}: TokenAction): Record<'get' | 'post', PageHandler> {
  const refuse = async (request: SectionRequest, { token, fields }: SentAction, error: InvalidInput) => {
    const version = Number(fields.get('version') ?? token.version);
    const isStale = error instanceof StaleToken;
    const page = await form(request, isStale ? error.current : { ...token, version }, fields, error);
    if (!isStale) return { ...page, problem: page.problem ?? request.invalid(error) };
    const changes = await changesSince(request, error.current, version);
    // A rotation has no version.
    const problem = request.text(`${name as 'edit' | 'extend'}.stale`);
    return { ...page, problem, status: 409, content: html`${changes}${page.content}` };
  };
  return {
    async get(request) {
      const token = await requestedToken(request);
      return token.state === 'active' && isFor(token) ? form(request, token) : { goTo: `tokens/${token.id}` };
    },
    async post(request) {
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
    },
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
