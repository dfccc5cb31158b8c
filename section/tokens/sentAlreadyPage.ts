import type { AlreadyMade } from '../../lib/tokens/AlreadyMade';
import { html } from '../html/html';
import type { Page } from '../Page';
import type { Visit } from '../Visit';
import { toTokens } from './toTokens';

/** What a form leads to that was sent before, as by loading the page again: the token that it made, without its secret. */
export function sentAlreadyPage(visit: Visit, { tokenId }: AlreadyMade): Page {
  return {
    status: 409,
    title: 'This form was sent already',
    content: html`<p class="problem" role="alert">It made <a href="${visit.to(`tokens/${tokenId}`)}">a token</a>, which is shown only once.
Where nobody saw it, revoke it and make another one.</p>
${toTokens(visit)}`,
  };
}
