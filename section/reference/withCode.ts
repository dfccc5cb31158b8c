import { type Html, html } from '../html/html';

/** A text in which names stand between backticks, as the OpenAPI document has it, with them set as code. */
export function withCode(text: string): Html {
  return html`${text.split('`').map((part, index) => (index % 2 === 0 ? part : html`<code>${part}</code>`))}`;
}
