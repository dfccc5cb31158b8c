import { rfc3339OfSeconds } from '../../lib/time/rfc3339';
import { type Html, html } from './html';

/** A time in seconds since 1970 for people, to the minute; a word where there is none. */
export function shownTime(seconds: number | null, none = 'never'): Html {
  const time = rfc3339OfSeconds(seconds);
  if (time === null) return html`<span class="none">${none}</span>`;
  return html`<time datetime="${time}">${time.slice(0, 10)} ${time.slice(11, 16)}</time>`;
}
