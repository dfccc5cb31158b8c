import { writtenValue } from '../lib/errors/printable';
import type { JsonSchema } from '../lib/json/json';
import { PARAMETERS_OF_FIGURES, PARAMETERS_OF_ITEMS } from '../lib/lists/figures';
import type { Parameter } from '../lib/openapi/listParameters';
import { code, type Html, html, listed } from './html';
import type { SectionRequest } from './SectionRequest';
import { table } from './table';

/** The number of items that a list is first asked for, because it may be long. */
const FIRST_LIMIT = 5;

/** A table of parameters with their fields; with `areRanges`, they bound the values of fields. */
export function parameterTable(
  request: SectionRequest,
  endpoint: string,
  parameters: readonly Parameter[],
  areRanges: boolean,
) {
  const idOf = ({ name }: Parameter) => `${endpoint}-${name}`;
  const label = (one: Parameter) => html`<label for="${idOf(one)}">${code(one.name)}</label>`;
  const meaning = (one: Parameter) => {
    const words = wordsOf(one)?.map(code);
    // Without a script, there is no field that lists the words.
    const listedWords = words && request.words('reference.values', { values: listed(words) });
    return html`${request.english(one.description)}${words && html`<noscript> ${listedWords}</noscript>`}`;
  };
  return table(request, parameters, [
    ['reference.name', label, 'heading'],
    ['reference.value', (one) => entry(request, one, idOf(one), areRanges), 'entry'],
    ['reference.meaning', meaning],
  ]);
}

function entry(request: SectionRequest, parameter: Parameter, id: string, isRange: boolean): Html {
  const { name, schema } = parameter;
  const { type, minimum, maximum, maxLength } = valueSchema(parameter);
  const isSeveral = schema.items !== undefined;
  // The API refuses parameters for items together with parameters for figures.
  const kinds = { figures: PARAMETERS_OF_FIGURES, items: PARAMETERS_OF_ITEMS };
  const [kind] = Object.entries(kinds).find(([, names]) => names.includes(name)) ?? [];
  const attributes = html`id="${id}" name="${name}"${attribute('data-of', kind)}`;
  const words = wordsOf(parameter);
  if (words) {
    // The script adds an equal field for each further value.
    const another = isSeveral ? request.text('reference.another', { name }) : undefined;
    const option = (word: string) => {
      const value = isSeveral && writtenValue(word) !== word ? writtenValue(word) : undefined;
      return html`<option${attribute('value', value)}>${word}</option>`;
    };
    return html`<select ${attributes}${attribute('data-another', another)}><option value="">${request.text('reference.any')}</option>
${words.map(option)}</select>`;
  }
  if (isRange && type === 'string') return html`<input ${attributes} type="date">`;
  if ((type === 'integer' || type === 'number') && !isSeveral)
    return html`<input ${attributes} type="number"${attribute('min', minimum)}${attribute('max', maximum)}${type === 'number' && html` step="any"`}${name === 'limit' && html` value="${FIRST_LIMIT}"`}>`;
  return html`<input ${attributes} size="20" spellcheck="false"${attribute('maxlength', maxLength)}>`;
}

/** The words that the values are chosen from; null if a value is typed. */
function wordsOf(parameter: Parameter): readonly string[] | null {
  const { type, enum: closed, examples } = valueSchema(parameter);
  const words = type === 'boolean' ? ['true', 'false'] : ((closed ?? examples ?? []) as readonly string[]);
  // A single example is no choice.
  return words.length > 1 || closed !== undefined ? words : null;
}

function valueSchema({ schema }: Parameter): JsonSchema {
  return (schema.items ?? schema) as JsonSchema;
}

function attribute(name: string, value: unknown): Html | false {
  return value !== undefined && html` ${name}="${String(value)}"`;
}
