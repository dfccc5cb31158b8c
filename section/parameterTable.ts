import { writtenValue } from '../lib/errors/printable';
import type { DescribedParameter } from './describedEndpoints';
import { type Html, html } from './html';
import type { SectionRequest } from './SectionRequest';
import { table } from './table';
import { withCode } from './texts/Texts';

/** The number of items that a list is first asked for, because it may be long. */
const FIRST_LIMIT = 5;

/** Parameters of an endpoint, with fields to fill in. */
export function parameterTable(
  request: SectionRequest,
  endpoint: string,
  parameters: readonly DescribedParameter[],
): Html {
  const idOf = ({ name }: DescribedParameter) => `${endpoint}-${name}`;
  return table<DescribedParameter>(parameters, [
    [
      request.text('reference.name'),
      (one) => html`<label for="${idOf(one)}"><code>${one.name}</code></label>`,
      'heading',
    ],
    [request.text('reference.value'), (one) => entry(request, one, idOf(one)), 'entry'],
    [
      request.text('reference.meaning'),
      (one) => html`${english(request, one.description)}${wordsForReading(request, one)}`,
    ],
  ]);
}

/** A text of the OpenAPI document, which is always English. */
export function english({ section }: SectionRequest, text: string): Html {
  const isEnglish = /^en\b/i.test(section.texts.language);
  return isEnglish ? withCode(text) : html`<span lang="en">${withCode(text)}</span>`;
}

function entry(request: SectionRequest, { name, value, answer }: DescribedParameter, id: string): Html {
  const attributes = html`id="${id}" name="${name}"${answer === null ? null : html` data-of="${answer}"`}`;
  switch (value.kind) {
    case 'word':
      return html`<select ${attributes}${value.isSeveral ? another(request, name) : null}><option value="">${request.text('reference.any')}</option>
${value.words.map((word) => html`<option${attribute('value', value.isSeveral && writtenValue(word) !== word ? writtenValue(word) : undefined)}>${word}</option>`)}</select>`;
    case 'number':
      return html`<input ${attributes} type="number"${attribute('min', value.minimum)}${attribute('max', value.maximum)}${value.isWhole ? null : html` step="any"`}${name === 'limit' ? html` value="${FIRST_LIMIT}"` : null}>`;
    case 'day':
      return html`<input ${attributes} type="date">`;
    case 'text':
      return html`<input ${attributes} size="20" spellcheck="false"${attribute('maxlength', value.maxLength)}>`;
  }
}

// The script adds an equal field for each further value.
function another(request: SectionRequest, name: string): Html {
  return html` data-another="${request.text('reference.another', { name })}"`;
}

function attribute(name: string, value: unknown): Html | null {
  return value === undefined ? null : html` ${name}="${String(value)}"`;
}

// Without a script, there is no field that lists the words.
function wordsForReading(request: SectionRequest, { value }: DescribedParameter): Html | null {
  if (value.kind !== 'word') return null;
  const words = value.words.map((word, index) => html`${index === 0 ? '' : ', '}<code>${word}</code>`);
  return html`<noscript> ${request.words('reference.values', { values: html`${words}` })}</noscript>`;
}
