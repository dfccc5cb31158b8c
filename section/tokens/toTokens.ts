import { type Html, html } from '../html/html';
import type { Visit } from '../Visit';

/** The way back to the list of tokens, from a page that leads nowhere else. */
export function toTokens(visit: Visit): Html {
  return html`<p><a href="${visit.to('tokens')}">To all tokens</a></p>`;
}
