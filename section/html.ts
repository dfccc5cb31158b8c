import { rfc3339OfSeconds } from '../lib/time/time';

/** Text that is HTML already. Only the tag `html` creates it, and `trusted` for HTML that the panel or the module wrote. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** A value in a template: HTML is inserted as it is, other values as text; null, undefined and booleans add nothing. */
export type Part = Html | string | number | bigint | boolean | null | undefined | readonly Part[];

/** HTML from a template. Values are escaped unless they are Html, for contents and quoted attributes alike. */
export function html(parts: TemplateStringsArray, ...values: readonly Part[]): Html {
  return new Html(parts.reduce((text, part, index) => text + written(values[index - 1]) + part));
}

/** Declares a text as HTML without escaping it, such as the parts of a layout. */
export function trusted(text: string): Html {
  return new Html(text);
}

function written(value: Part): string {
  if (value instanceof Html) return value.text;
  if (Array.isArray(value)) return value.map(written).join('');
  if (value === null || value === undefined || typeof value === 'boolean') return '';
  return escaped(String(value));
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

// Control characters have no meaning on a page, and those for bidirectional text can make one name look like another.
const INVISIBLE = /(?![\t\n\r])[\p{Cc}\p{Bidi_Control}]/gu;

function escaped(text: string): string {
  return text
    .toWellFormed()
    .replace(INVISIBLE, '\ufffd')
    .replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}

/** A time for people, to the minute, from seconds since 1970; for null, the word `none`. */
export function shownTime(seconds: number | null, none = 'never'): Html {
  const time = rfc3339OfSeconds(seconds);
  if (time === null) return html`<span class="none">${none}</span>`;
  return html`<time datetime="${time}">${time.slice(0, 10)} ${time.slice(11, 16)}</time>`;
}
