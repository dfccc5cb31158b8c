import type { TokenRecord } from '../lib/tokens/TokenRecord';
import { tokenWarnings } from '../lib/tokens/tokenWarnings';
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

/** The warnings about a token, each as a mark. */
export function marks(request: SectionRequest, token: TokenRecord): readonly Html[] {
  return tokenWarnings(token).map(
    (warning) =>
      html` <span class="mark${warning === 'expiring' ? ' warn' : ''}">${request.text(`warning.${warning}`)}</span>`,
  );
}
