import { rfc3339OfSeconds } from '../lib/time/time';

/** Text that is HTML already. Only the tag `html` makes it, and `trusted` for what the panel or the module wrote. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  toString(): string {
    return this.text;
  }
}

/** What may stand in a template: HTML as it is, anything else as text; nothing for null, undefined and booleans. */
export type Part = Html | string | number | bigint | boolean | null | undefined | readonly Part[];

/** HTML in which every value that is not HTML itself is shown as text, in contents and in quoted attributes alike. */
export function html(parts: TemplateStringsArray, ...values: readonly Part[]): Html {
  return new Html(parts.reduce((text, part, index) => text + written(values[index - 1]) + part));
}

/** HTML that is not ours to escape, such as what a layout of the panel's stands in. */
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

// Control characters mean nothing on a page, and those that turn the direction of text would make one name look like
// another.
const UNSEEN = /(?![\t\n\r])[\p{Cc}\p{Bidi_Control}]/gu;

function escaped(text: string): string {
  return text
    .toWellFormed()
    .replace(UNSEEN, '\ufffd')
    .replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}

/** A time in seconds since 1970 for people, to the minute; a word where there is none. */
export function shownTime(seconds: number | null, none = 'never'): Html {
  const time = rfc3339OfSeconds(seconds);
  if (time === null) return html`<span class="none">${none}</span>`;
  return html`<time datetime="${time}">${time.slice(0, 10)} ${time.slice(11, 16)}</time>`;
}
