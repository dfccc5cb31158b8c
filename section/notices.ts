import { FORGEABLE_ADDRESS } from '../lib/operations/Call';
import { within } from '../lib/time/within';
import { isAddressForgeable } from '../middleware/clientAddress';
import { type Html, html } from './html/html';
import type { Visit } from './Visit';

/** How long a page waits for the panel's own switch, in milliseconds: a token that was just made must be shown. */
const PATIENCE_MS = 1000;

/** What an administrator must know on every page about tokens. */
export async function notices(visit: Visit): Promise<Html> {
  return html`${await offNotice(visit)}${isAddressForgeable(visit.ctx) ? html`<p class="notice">${FORGEABLE_ADDRESS}</p>` : null}`;
}

/**
 * What a page says while the API is off; null while it is on, and if that cannot be read: the page is about something
 * else. It takes one statement, or none if the panel has set its option `enabled`.
 */
async function offNotice(visit: Visit): Promise<Html | null> {
  const { settings, options } = visit.installation;
  const late = () => new Error('The switch was not read in time.');
  const isOn = await within(settings.get('enabled'), PATIENCE_MS, late).catch(() => true);
  if (isOn) return null;
  const page = (words: string) => html`<a href="${visit.to('settings')}">${words}</a>`;
  return html`<p class="notice off">${
    options.enabled === undefined
      ? html`The API is off: it answers 503 until it is switched on in the ${page('settings')}.`
      : html`The API is off: it answers 503 until the panel switches it on. ${page('Settings')}`
  }</p>`;
}
