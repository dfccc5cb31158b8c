/** HTML text. Only the tag `html` creates it, and `trusted` for HTML from the panel or the module. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/**
 * A value in a template: Html is inserted unchanged, null, undefined and booleans add nothing, other values are text.
 */
export type Part = Html | string | number | bigint | boolean | null | undefined | readonly Part[];

/** Creates HTML from a template. All values except Html are escaped, for contents and quoted attributes alike. */
export function html(parts: TemplateStringsArray, ...values: readonly Part[]): Html {
  return new Html(parts.reduce((text, part, index) => text + written(values[index - 1]) + part));
}

/** Declares a text to be HTML, without escaping it; for example the parts of a layout. */
export function trusted(text: string): Html {
  return new Html(text);
}

export function listed(parts: readonly Part[]): Html {
  return html`${parts.map((part, index) => [index > 0 && ', ', part])}`;
}

export function code(text: unknown): Html {
  return html`<code>${String(text)}</code>`;
}

export function hidden(fields: Iterable<readonly [name: string, value: string | number]>): readonly Html[] {
  return [...fields].map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`);
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

// Control characters have no meaning on a page, and bidirectional ones can make one name look like another.
const INVISIBLE = /(?![\t\n\r])[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu;

/** Replaces control characters, except tabs and line ends, bidirectional ones, separators and lone surrogates. */
export function visibleText(text: string): string {
  return text.toWellFormed().replace(INVISIBLE, '\ufffd');
}

function escaped(text: string): string {
  return visibleText(text).replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}
