import type { InvalidInput } from '../lib/errors/InvalidInput';
import { StaleToken, type TokenRecord } from '../lib/tokens/TokenRecord';
import { ifWrong } from './field';
import { type Html, html, type Part } from './html';
import type { Answer, Page, PageHandler } from './Page';
import { SectionFailure } from './SectionFailure';
import type { SectionRequest } from './SectionRequest';

/** The token in the page's path. Throws SectionFailure if it does not exist for the person. */
export async function requestedToken({ path, view }: SectionRequest): Promise<TokenRecord> {
  const [, , id = ''] = path.split('/');
  const record = /^[1-9]\d{0,9}$/.test(id) ? await view.get(Number(id)) : null;
  if (!record) throw new SectionFailure('not_found');
  return record;
}

/** What was sent with the form of an action on a token. */
export interface SentAction extends Awaited<ReturnType<SectionRequest['sent']>> {
  readonly token: TokenRecord;
}

/** What the page of an action has besides its title; the form around the content has a button and the link back. */
export interface ActionParts extends Pick<Page, 'subtitle' | 'problem'> {
  readonly content: Part;
}

interface TokenAction {
  readonly name: 'edit' | 'extend' | 'rotate';
  /** Whether it can be done to a token that the person may do it to. Default: to every active one. */
  readonly isFor?: (token: TokenRecord) => boolean;
  /** Returns the parts of the page; null if nothing more can be done to the token. */
  readonly parts: (
    request: SectionRequest,
    token: TokenRecord,
    refused?: { readonly fields: URLSearchParams; readonly error: InvalidInput },
  ) => Promise<ActionParts | null>;
  /** Returns null if the token does not exist, and parts to show the form again. */
  readonly act: (request: SectionRequest, sent: SentAction) => Promise<Answer | ActionParts | null>;
}

/**
 * Returns the handlers of the page and of its form. If the form is refused, it is shown again: with who has changed the
 * token meanwhile, if that is why. If the token has ended since, a page says that nothing was done.
 */
export function tokenAction(action: TokenAction): Record<'get' | 'post', PageHandler> {
  const { name, isFor = ({ state }) => state === 'active', parts, act } = action;
  const page = async (request: SectionRequest, token: TokenRecord, its: ActionParts | null) => {
    const { id, version } = token;
    const title = request.text(`${name}.title`, { name: token.name });
    const back = (words: string) => request.link(`tokens/${id}`, words);
    if (!its) return { title, content: html`<p>${back(request.text('frame.to_token'))}</p>` };
    const content = await request.form(`tokens/${id}/${name}`, its.content, {
      fields: [['version', version]],
      submit: request.text(`${name}.submit`),
      more: back(request.text('form.cancel')),
    });
    return { ...its, title, content };
  };
  const refuse = async (request: SectionRequest, { token, fields }: SentAction, error: InvalidInput) => {
    if (error.input === 'id')
      return { ...(await page(request, token, null)), problem: request.text(`${name}.ended`), status: 409 };
    const isStale = error instanceof StaleToken;
    const shown = isStale
      ? error.current
      : { ...token, version: Number(fields.get('version') ?? token.version) };
    const refused = await page(request, shown, await parts(request, shown, { fields, error }));
    if (!isStale) return { ...refused, problem: refused.problem ?? request.invalid(error) };
    return { ...refused, problem: await changedMeanwhile(request, shown), status: 409 };
  };
  return {
    async get(request) {
      const token = await requestedToken(request);
      if (!isFor(token) || !request.view.may(name, token)) return { goTo: `tokens/${token.id}` };
      return page(request, token, await parts(request, token));
    },
    async post(request) {
      const form = await request.sent();
      const sent = { ...form, token: await requestedToken(request) };
      const answer = await act(request, sent).catch(ifWrong((error) => refuse(request, sent, error)));
      if (!answer) throw new SectionFailure('not_found');
      return 'content' in answer && !('title' in answer) ? page(request, sent.token, answer) : answer;
    },
  };
}

/** Says who has changed the token since its form was shown, and leads to its page, which shows what. */
async function changedMeanwhile(request: SectionRequest, token: TokenRecord): Promise<Html> {
  const [entry] = await request.view.entries(token, 1);
  const { actor: person = '', at = null } = entry ?? {};
  const look = request.link(`tokens/${token.id}`, request.text('token.stale.look'));
  return request.words('token.stale', { person, time: request.relative(at), look });
}
