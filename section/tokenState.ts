import type { TokenRecord } from '../lib/tokens/TokenRecord';
import { type Html, html } from './html';
import type { SectionRequest } from './SectionRequest';

/** The state of a token in words. A rotated token that is still valid has words of its own. */
export function shownState(request: SectionRequest, token: Pick<TokenRecord, 'state' | 'rotatedAt'>): Html {
  return html`<span class="state ${token.state}">${request.text(`state.${wordOf(token)}`)}</span>`;
}

function wordOf({ state, rotatedAt }: Pick<TokenRecord, 'state' | 'rotatedAt'>) {
  if (rotatedAt === null || state === 'revoked') return state;
  return state === 'active' ? 'rotated_active' : 'rotated';
}
