import { isAddressForgeable } from '../lib/addresses/requestOrigin';
import { withTimeout } from '../lib/async/withTimeout';
import { type Html, html } from './html';
import type { SectionRequest } from './SectionRequest';

/** How long a page waits for the panel's own switch, in milliseconds. A new token must be shown in any case. */
const SWITCH_TIMEOUT_MS = 1000;

/** The notice that clients can write their own address; null if they cannot. */
export function addressNotice(request: SectionRequest): Html | null {
  if (!isAddressForgeable(request.ctx)) return null;
  return html`<p class="notice warn">${request.words('notice.forgeable_address')}</p>`;
}

/**
 * The notice that the API is off; null if it is on or its switch cannot be read, so that the page is shown in any case.
 * Takes one statement, or none if the option `enabled` is set.
 */
export async function offNotice(request: SectionRequest): Promise<Html | null> {
  const { api, parts } = request;
  const isOn = await withTimeout(api.settings.get('enabled'), SWITCH_TIMEOUT_MS).catch(() => true);
  if (isOn) return null;
  if (parts.options.enabled !== undefined)
    return html`<p class="notice off">${request.text('notice.off_by_panel')}</p>`;
  const link = request.link('', request.text('notice.off.link'));
  return html`<p class="notice off">${request.words('notice.off', { link })}</p>`;
}
